/** Continuable children: one durable Session each, at most one live Activation, torn down child-first. */
export type { TreeTally } from './admission/ledger.ts';
export { createSubagents } from './create.ts';
export { SubagentError, subagentError, type KnownSubagentCode, type SubagentErrorOptions } from './errors.ts';
export type * from './events.ts';
export type { ChildDescriptor, EpochEnded } from './resume/descriptor.ts';
export { SEND_MESSAGE_TOOL } from './identity.ts';
export type * from './options.ts';
export type { Outcome } from './outcome.ts';
export type * from './port.ts';
export type * from './provider.ts';
export { forkProvider } from './providers/fork.ts';
export { spawnProvider } from './providers/spawn.ts';
export type * from './subagents.ts';
export type * from './source.ts';
export { noticeSummary, noticeText, type NoticeFacts } from './wording.ts';
