/**
 * What one place of the store says of a child (M48). Reads its head and the end of its log, and resumes nobody.
 * A live child whose first words have not reached the medium yet, or cannot, is there too, after the stored ones.
 * Reading from the end: an epoch writes how it ended as its last word, so a few records are enough as a rule.
 */
import {
  SessionError,
  type SessionHead,
  type SessionId,
  type SessionListEntry,
} from '@deepseek-ai/dsh-session';
import type { Outcome } from '../outcome.ts';
import type { SessionsPort } from '../port.ts';
import { readDescriptor } from '../resume/reconstruct.ts';
import type { ChildEntry, LiveActivation } from '../subagents.ts';

export interface ListingDeps {
  readonly sessions: Pick<SessionsPort, 'get' | 'head' | 'list' | 'read'>;
  readonly live: (id: SessionId) => LiveActivation | undefined;
  /** The accepted ones of that parent that are in memory, the oldest first. */
  readonly liveChildren: (parentId: SessionId) => readonly SessionId[];
}

const firstWindow = 16;

/** The children of a parent: stored ones in the order of the store, then live ones that it does not show. */
export async function* childrenOf(
  { sessions, liveChildren }: ListingDeps,
  parentId: SessionId,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionListEntry> {
  const shown = new Set<SessionId>();
  // Asked for by parent alone: damaged places are shown only then.
  for await (const entry of sessions.list({ parent: parentId, signal })) {
    shown.add(entry.id);
    if (entry.kind === 'problem' || entry.header.origin === 'subagent') yield entry;
  }
  for (const id of liveChildren(parentId)) {
    const session = shown.has(id) ? undefined : sessions.get(id);
    if (session !== undefined) yield { kind: 'session', id, header: session.header, cursor: '' };
  }
}

/** Nothing where the child was deleted meanwhile. */
export async function childEntry(
  deps: ListingDeps,
  parentId: SessionId,
  stored: SessionListEntry,
  signal: AbortSignal | undefined,
): Promise<ChildEntry | undefined> {
  if (stored.kind === 'problem') return problem(stored.id, stored.code, stored.message);
  const { id } = stored;
  try {
    const live = deps.live(id);
    const resident = live === undefined ? undefined : deps.sessions.get(id);
    const head = resident ?? (await deps.sessions.head(id, { signal }));
    const reading = readDescriptor(head);
    if (reading.kind === 'unusable') return problem(id, 'NOT_RESUMABLE', reading.reason);
    const { label, provider, mode } = reading.descriptor;
    const lastOutcome = live === undefined ? await outcomeOfLast(deps.sessions, head, signal) : undefined;
    return {
      kind: 'child',
      id,
      parentId,
      label,
      provider,
      mode,
      ...(live === undefined ? {} : { live }),
      ...(lastOutcome === undefined ? {} : { lastOutcome }),
      createdAt: head.header.createdAt,
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (!SessionError.is(error)) throw error;
    return error.code === 'SESSION_NOT_FOUND' ? undefined : problem(id, error.code, error.message);
  }
}

/** Of the last epoch, and not of an earlier one: a turn behind the last record means that an epoch left none. */
async function outcomeOfLast(
  sessions: ListingDeps['sessions'],
  { header, length }: SessionHead,
  signal: AbortSignal | undefined,
): Promise<Outcome | undefined> {
  const start = header.seedLength ?? 0;
  let to = length;
  for (let size = firstWindow; to > start; size *= 4) {
    const from = Math.max(start, to - size);
    let last: Outcome | 'unknown' | undefined;
    for await (const record of sessions.read(header.id, { from, to, signal })) {
      if (record.kind !== 'event') continue;
      if (record.event.type === 'subagent/ended') last = record.event.data.outcome;
      else if (record.event.type === 'turn/start' || record.event.type === 'turn/end') last = 'unknown';
    }
    if (last !== undefined) return last === 'unknown' ? undefined : last;
    to = from;
  }
  return undefined;
}

function problem(id: SessionId, code: string, message: string): ChildEntry {
  return { kind: 'problem', id, code, message };
}
