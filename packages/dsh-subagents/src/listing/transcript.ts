/** Reads the log of a descendant, page by page, without resuming it (M48). */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionHead, SessionId, SessionRecord, WaitOptions } from '@deepseek-ai/dsh-session';
import { durableChain } from '../admission/lineage.ts';
import { subagentError, type SubagentError } from '../errors.ts';
import type { TranscriptPage } from '../subagents.ts';
import type { ListingDeps } from './entry.ts';

export interface TranscriptDeps extends Pick<ListingDeps, 'sessions'> {
  readonly isExactLive: (agent: Agent) => boolean;
  /** The one refusal of everything that is not below the reader. */
  readonly unauthorized: (
    reader: Agent,
    signal: AbortSignal | undefined,
  ) => SubagentError | Promise<SubagentError>;
}

export interface TranscriptOptions extends WaitOptions {
  /** The seq of the first record. Default: where the child's own events begin. */
  readonly from?: number;
  /** At most that many records. Default 100, at most 1,000. */
  readonly limit?: number;
}

const defaultLimit = 100;
const largestLimit = 1_000;

export async function readTranscript(
  deps: TranscriptDeps,
  reader: Agent,
  childId: SessionId,
  options: TranscriptOptions = {},
): Promise<TranscriptPage> {
  const { signal } = options;
  const limit = Math.min(whole(options.limit ?? defaultLimit, 'limit', 1), largestLimit);
  const asked = options.from === undefined ? undefined : whole(options.from, 'from', 0);
  if (!deps.isExactLive(reader)) throw await deps.unauthorized(reader, signal);
  const chain = await durableChain(deps.sessions, childId, { signal });
  if (!chain.includes(reader.id)) throw await deps.unauthorized(reader, signal);
  return page(deps, await deps.sessions.head(childId, { signal }), { asked, limit, signal });
}

async function page(
  { sessions }: TranscriptDeps,
  { header, length }: SessionHead,
  { asked, limit, signal }: { asked: number | undefined; limit: number; signal: AbortSignal | undefined },
): Promise<TranscriptPage> {
  const from = asked ?? header.seedLength ?? 0;
  const to = Math.min(from + limit, length);
  const records: SessionRecord[] = [];
  if (from < to) {
    for await (const record of sessions.read(header.id, { from, to, signal })) records.push(record);
  }
  return from + limit < length ? { records, next: from + limit } : { records };
}

function whole(value: number, name: string, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw subagentError('INVALID_REQUEST', `nothing was read: ${name} has to be an integer from ${least} up`);
}
