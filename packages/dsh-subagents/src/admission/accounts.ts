/**
 * Who may start, be resumed, and ask a model, by the limits of the host (M46).
 * Owns: the ledgers of the trees, and the places and reservations in them. Does not own: the counts of the living.
 * I1. A place is taken in the span that reserves the slot or the run, before anything is created.
 * I2. What the root's log says is read before a start goes on and before a request is sent, never after.
 * I3. A place ends once, counted or given back; a reservation ends with its answer, its turn, or its agent.
 */
import type { Agent, AgentHooks, ModelRequest } from '@deepseek-ai/dsh-agent';
import type { SessionEvent, SessionId } from '@deepseek-ai/dsh-session';
import { subagentError, type SubagentError } from '../errors.ts';
import type { SessionsPort } from '../port.ts';
import { limitText } from '../wording.ts';
import { costOf, roughTokens } from './budget.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { placesBefore, refusalOf, type TreeLimits } from './limits.ts';

/** One start's place among all that were ever started. */
export interface StartPlace extends Disposable {
  /** Resolves when the place is sure. Rejects `LIMIT_REACHED`. `undefined`: it is sure already. */
  confirm(): Promise<void> | undefined;
  /** The child has accepted its task: it counts from now on, whatever becomes of it. */
  count(): void;
}

export interface Accounts {
  /** For a new child of either kind. Throws `LIMIT_REACHED`. */
  takePlace(parent: Agent, what: string): StartPlace;
  /** For a stored child that becomes resident: it is live, and not new. Throws `LIMIT_REACHED`. */
  assertRoom(parent: Agent, what: string): void;
  /** What an agent below a root is made with, where a budget bounds it. */
  readonly hooks: { readonly hooks?: AgentHooks };
  /** The agent is gone, and with it what it had reserved. */
  left(agent: Agent): void;
}

export interface AccountsDeps {
  readonly sessions: SessionsPort;
  readonly limits: TreeLimits & { readonly budgetTokens?: number | undefined };
  /** Children of either kind below a root that are in memory, or about to be. */
  readonly liveBelow: (rootId: SessionId) => number;
}

function rootOf({ id, session }: Agent): SessionId {
  return session.header.rootSession ?? id;
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { sessions, limits, liveBelow } = deps;
  const ledgers = new Map<SessionId, Ledger>();
  const ledgerOf = (rootId: SessionId): Ledger => {
    const known = ledgers.get(rootId) ?? createLedger(sessions, rootId, limits.budgetTokens ?? Infinity);
    ledgers.set(rootId, known);
    return known;
  };
  const refuse = (rootId: SessionId, total: number | undefined, what: string): void => {
    // Counted only where it matters: that is a look at everything that lives.
    const live = limits.maxLive === undefined ? 0 : liveBelow(rootId);
    const refusal = refusalOf(limits, { live, total });
    if (refusal !== undefined) throw limitReached(what, refusal);
  };
  return {
    takePlace(parent, what) {
      const rootId = rootOf(parent);
      if (limits.maxTotal === undefined) {
        refuse(rootId, undefined, what);
        return { confirm: () => undefined, count: () => undefined, [Symbol.dispose]: () => undefined };
      }
      const ledger = ledgerOf(rootId);
      refuse(rootId, ledger.places.accepted + ledger.places.asked.size, what);
      return startPlace(ledger, limits.maxTotal, what);
    },
    assertRoom(parent, what) {
      refuse(rootOf(parent), undefined, what);
    },
    hooks: limits.budgetTokens === undefined ? {} : { hooks: budgetHooks(ledgerOf) },
    left(agent) {
      const rootId = rootOf(agent);
      const ledger = ledgers.get(rootId);
      ledger?.budget.giveBack(agent);
      if (ledger?.written === true && agent.id === rootId && liveBelow(rootId) === 0) ledgers.delete(rootId);
    },
  };
}

function startPlace(ledger: Ledger, most: number, what: string): StartPlace {
  const { places } = ledger;
  const place = {};
  places.asked.add(place);
  const confirm = async (): Promise<void> => {
    await ledger.load();
    const count = placesBefore(places, place);
    if (count >= most) throw limitReached(what, { limit: 'maxTotal', count, most });
  };
  return {
    confirm: () => (ledger.loaded ? undefined : confirm()),
    count() {
      if (!places.asked.delete(place)) return;
      places.accepted += 1;
      ledger.write({ starts: 1, tokens: 0 });
    },
    [Symbol.dispose]() {
      places.asked.delete(place);
    },
  };
}

function limitReached(what: string, refusal: Parameters<typeof limitText>[1]): SubagentError {
  return subagentError('LIMIT_REACHED', limitText(what, refusal));
}

function budgetHooks(ledgerOf: (rootId: SessionId) => Ledger): AgentHooks {
  const heard = new WeakSet<Agent>();
  return {
    async beforeRequest({ agent, request, signal }) {
      const ledger = ledgerOf(rootOf(agent));
      await ledger.load();
      // Reserved by a turn that is over already, nobody would give it back.
      signal.throwIfAborted();
      if (!ledger.budget.reserve(agent, estimateOf(agent, request))) return { refuse: 'BUDGET' };
      if (!heard.has(agent)) {
        heard.add(agent);
        agent.session.subscribe((event) => {
          hear(ledger, agent, event);
        });
      }
      return undefined;
    },
  };
}

function hear(ledger: Ledger, agent: Agent, event: SessionEvent): void {
  if (event.type === 'turn/end') ledger.budget.giveBack(agent);
  if (event.type !== 'assistant/message') return;
  const { usage } = event.data;
  const tokens = ledger.budget.spend(agent, usage === undefined ? undefined : costOf(usage));
  if (tokens > 0) ledger.write({ starts: 0, tokens });
}

/** What the last answer has seen and said is in the next request again. */
function estimateOf(agent: Agent, { system = '', tools, messages }: ModelRequest): number {
  for (const event of agent.session.events().toReversed()) {
    if (event.type === 'history/replaced') break;
    if (event.type === 'assistant/message' && event.data.usage !== undefined) return costOf(event.data.usage);
  }
  return roughTokens(system.length + JSON.stringify([tools, messages]).length);
}
