/** How packages recognize each other's errors and objects, and how they make ids. Bundled into each, published with none. */
export { codedError, type CodedError, type CodedErrorKind, type CodedErrorOptions } from './coded-error.ts';
export { idSource } from './new-id.ts';
export { protocolProblem, type ProtocolMark } from './protocol.ts';
