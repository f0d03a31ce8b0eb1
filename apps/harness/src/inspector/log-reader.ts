/**
 * Reads what is stored into the known Sessions, one log after the other, in the background.
 * Owns: which logs are to be read.  Does not own: what is known (known-sessions).
 * I1. Nobody's place is taken: only lists, heads and records are read.
 * I2. One log is read at a time, so that reading a large store leaves room for everything else.
 * I3. What cannot be read is a fact of its own, and stops nothing else.
 */
import {
  SessionError,
  type SessionId,
  type SessionRecord,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import type { Known, KnownSessions } from './known-sessions.ts';
import type { FlowEdge } from './protocol.ts';

export interface LogReaderDeps {
  readonly sessions: Pick<SessionStore, 'list' | 'head' | 'read'>;
  readonly known: KnownSessions;
  readonly signal: AbortSignal;
  /** Something of these is new. */
  readonly changed: (id: SessionId, edges: readonly FlowEdge[]) => void;
  readonly gone: (ids: readonly SessionId[]) => void;
  /** It is in memory here: its log tells by itself what is new. */
  readonly isLive: (id: SessionId) => boolean;
  readonly failed: (cause: unknown) => void;
}

export interface LogReader {
  /** Lists the store, and has what is new or has grown read. Rejects with what the store says. */
  scan(): Promise<void>;
  /** Has this log read, as far as it goes. */
  enqueue(id: SessionId): void;
  /** Resolves when nothing is left to be read. */
  caughtUp(): Promise<void>;
}

/** Records that are folded at once: so many are in memory. */
const batch = 256;

export function createLogReader(deps: LogReaderDeps): LogReader {
  const queue = new Set<SessionId>();
  let working: Promise<void> | undefined;
  let scanning: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (const id of queue) {
      if (deps.signal.aborted) return;
      // It leaves first: what comes meanwhile is read again.
      queue.delete(id);
      await readLog(deps, id);
    }
  };
  const start = (): void => {
    working ??= work()
      .catch(deps.failed)
      .finally(() => {
        working = undefined;
        if (queue.size > 0 && !deps.signal.aborted) start();
      });
  };
  const enqueue = (id: SessionId): void => {
    queue.add(id);
    start();
  };
  return {
    enqueue,
    scan: () =>
      (scanning ??= scanStore(deps, enqueue).finally(() => {
        scanning = undefined;
      })),
    async caughtUp() {
      while (working !== undefined) await working;
    },
  };
}

async function scanStore(deps: LogReaderDeps, enqueue: (id: SessionId) => void): Promise<void> {
  const { sessions, known, signal, isLive } = deps;
  const missing = new Set([...known.all()].map(({ id }) => id).filter((id) => !isLive(id)));
  const found: Known[] = [];
  for await (const entry of sessions.list({ signal })) {
    missing.delete(entry.id);
    const before = known.get(entry.id);
    if (before !== undefined && isLive(entry.id)) continue;
    const fresh = before === undefined || entry.kind === 'problem';
    const one = fresh ? known.learnEntry(entry) : before;
    if (fresh) deps.changed(one.id, []);
    if (entry.kind === 'session') found.push(one);
  }
  for (const id of missing) known.forget(id);
  if (missing.size > 0) deps.gone([...missing]);
  // The newest first: they are looked at first.
  for (const { id } of found.toSorted((a, b) => b.createdAt - a.createdAt)) enqueue(id);
}

async function readLog(
  { sessions, known, signal, changed, isLive }: LogReaderDeps,
  id: SessionId,
): Promise<void> {
  try {
    const { header, length } = await sessions.head(id, { signal });
    const one = known.get(id) ?? known.learnHeader(header);
    if (!one.read || one.problem !== undefined || one.length !== length || one.readTo < length) {
      one.problem = undefined;
      known.learnLength(one, length);
      await foldLog({ sessions, known, signal, changed }, one, length);
    }
  } catch (error) {
    if (signal.aborted || !SessionError.is(error)) throw error;
    // A provisional one cannot be found until it is committed.
    if (error.code === 'SESSION_NOT_FOUND') return;
    if (!isLive(id)) known.learnProblem(id, { code: error.code, message: error.message });
    changed(id, []);
  }
}

async function foldLog(
  { sessions, known, signal, changed }: Pick<LogReaderDeps, 'sessions' | 'known' | 'signal' | 'changed'>,
  one: Known,
  to: number,
): Promise<void> {
  let at = one.readTo;
  let records: SessionRecord[] = [];
  const fold = (end: number): void => {
    const edges = known.fold(one, records, end);
    at = end;
    records = [];
    changed(one.id, edges);
  };
  for await (const record of sessions.read(one.id, { from: at, to, signal })) {
    // Meanwhile it has come to life, and tells by itself what is new.
    if (one.readTo !== at) return;
    records.push(record);
    const seq = record.kind === 'damaged' ? record.seq : record.event.seq;
    if (records.length >= batch && seq !== undefined) fold(seq + 1);
  }
  if (one.readTo === at) fold(to);
}
