/**
 * What one tree has started and spent, kept in the log of its root (M46).
 * Owns: the counts of one root in this process. Does not own: what is refused by them (limits.ts, budget.ts).
 * I1. A count is in the log or in `unwritten`, never in both: what was read is the log as it was in that span.
 * I2. A root that takes no record keeps nothing from happening; the next record carries what it has missed.
 */
import type { Session, SessionEvent, SessionId } from '@deepseek-ai/dsh-session';
import type { SessionsPort } from '../port.ts';
import { createBudget, type Budget } from './budget.ts';
import type { StartPlaces } from './limits.ts';

/** Children and tokens below one top-level agent. */
export interface TreeTally {
  /** Children of either kind that were accepted. */
  readonly starts: number;
  /** Tokens that they have spent. */
  readonly tokens: number;
}

declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    /** In the log of a root, where the host bounds its tree: what was started and spent below it since the last one. */
    readonly 'subagent/tally': TreeTally;
  }
}

export interface Ledger {
  readonly places: StartPlaces;
  readonly budget: Budget;
  /** What the log says has been read. */
  readonly loaded: boolean;
  /** Nothing waits to be written. */
  readonly written: boolean;
  load(): Promise<void>;
  write(tally: TreeTally): void;
}

export function createLedger(sessions: SessionsPort, rootId: SessionId, budgetTokens: number): Ledger {
  const places: StartPlaces = { accepted: 0, asked: new Set() };
  const budget = createBudget(budgetTokens);
  let unwritten: TreeTally = { starts: 0, tokens: 0 };
  let loaded = false;
  let loading: Promise<void> | undefined;
  const take = (events: readonly SessionEvent[], from: number): void => {
    const { starts, tokens } = tallyOf(events, from);
    // What this process has written before it could read is in both.
    places.accepted = starts + unwritten.starts;
    budget.add(tokens + unwritten.tokens - budget.spent);
    loaded = true;
  };
  const read = async (): Promise<void> => {
    const live = sessions.get(rootId);
    if (live === undefined) {
      take(await storedEvents(sessions, rootId), 0);
      return;
    }
    await live.ready();
    take(live.events(), live.header.seedLength ?? 0);
  };
  return {
    places,
    budget,
    get loaded() {
      return loaded;
    },
    get written() {
      return unwritten.starts === 0 && unwritten.tokens === 0;
    },
    load() {
      // A log that could not be read may be repaired: whoever comes next looks again.
      loading ??= read().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    write({ starts, tokens }) {
      const whole = { starts: unwritten.starts + starts, tokens: unwritten.tokens + tokens };
      unwritten = appended(sessions.get(rootId), whole) ? { starts: 0, tokens: 0 } : whole;
    },
  };
}

/** What is the Session's own: the copy of a root begins at zero. */
function tallyOf(events: readonly SessionEvent[], from: number): TreeTally {
  let [starts, tokens] = [0, 0];
  for (const event of events) {
    if (event.seq < from || event.type !== 'subagent/tally') continue;
    starts += event.data.starts;
    tokens += event.data.tokens;
  }
  return { starts, tokens };
}

async function storedEvents(sessions: SessionsPort, id: SessionId): Promise<readonly SessionEvent[]> {
  const { seedLength = 0 } = (await sessions.head(id)).header;
  const events: SessionEvent[] = [];
  for await (const record of sessions.read(id, { from: seedLength })) {
    if (record.kind === 'event') events.push(record.event);
  }
  return events;
}

function appended(session: Session | undefined, tally: TreeTally): boolean {
  if (session === undefined || session.sealed) return false;
  try {
    session.append('subagent/tally', tally);
    return true;
  } catch {
    return false;
  }
}
