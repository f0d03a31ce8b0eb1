/** Small pieces for asynchronous code that several packages need. Bundled into each, published with none. */
export { linkAbort, untilAborted, type LinkedAbort } from './abort.ts';
export { contained } from './contained.ts';
export { deferred, type Deferred } from './deferred.ts';
export { createEmitter, type Emitter, type EmitterRegistration } from './emitter.ts';
export { memo } from './memo.ts';
export { settleAll } from './settle-all.ts';
