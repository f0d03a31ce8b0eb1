/** How packages recognize each other's errors and objects. Bundled into each, published with none. */
export { codedError, type CodedError, type CodedErrorKind, type CodedErrorOptions } from './coded-error.ts';
export { protocolProblem, type ProtocolMark } from './protocol.ts';
