/**
 * What the parts of one runtime share: its ports, its tables, and its voice.
 * Owns: nothing by itself. Every table in it says in its own file who writes to it.
 */
import type { Agent, CancelCause, ToolRegistry } from '@deepseek-ai/dsh-agent';
import type { Clock, Diagnostic, MessageId, SessionId } from '@deepseek-ai/dsh-session';
import type { Emitter } from '@dsh-internal/async';
import type { Accounts } from './admission/accounts.ts';
import type { Gate } from './admission/gate.ts';
import type { Hops } from './admission/hops.ts';
import type { Slot } from './activation/slot.ts';
import type { Slots } from './activation/slots.ts';
import type { SubagentEventMap } from './events.ts';
import type { Deadline } from './lifecycle/deadline.ts';
import type { Lanes } from './lifecycle/lane.ts';
import type { AgentsPort, SessionsPort } from './port.ts';
import type { Policy } from './policy.ts';
import type { SubagentProvider } from './provider.ts';

export interface Context {
  readonly agents: AgentsPort;
  readonly sessions: SessionsPort;
  readonly tools: ToolRegistry | undefined;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Work that nobody waits for. It handles its own failures; one that it did not foresee is reported. */
  readonly detach: (work: Promise<unknown>) => void;
  readonly events: Emitter<SubagentEventMap>;
  readonly slots: Slots;
  readonly gate: Gate;
  readonly lanes: Lanes;
  readonly hops: Hops;
  readonly accounts: Accounts;
  readonly providers: ReadonlyMap<string, SubagentProvider>;
  /** The agent runs a one-shot: it may not start continuable children (M49). */
  readonly isOneShot: (agent: Agent) => boolean;
  /** Synchronous: nothing begins any more in the one-shots below that agent. */
  readonly stopOneShots: (id: SessionId, cause: CancelCause) => void;
  /** Disposes the one-shots below that agent, which were stopped, child-first. */
  readonly disposeOneShots: (id: SessionId, deadline: Deadline) => Promise<void>;
  /** Ends of one-shots that their parents are still to be told of: each by its ids from the parent upward. */
  readonly announcing: Set<readonly SessionId[]>;
  /** Something happened to this slot, or to a root where there is none: whoever depends on it looks again. */
  readonly changed: (slot?: Slot) => void;
}

/** For a message whose sender names no id. */
export function newMessageId({ newId }: Pick<Context, 'newId'>): MessageId {
  return newId() as MessageId;
}

/** Keeps an Activation from settling until it is disposed of, once (M13). */
export function holdSlot(context: Context, slot: Slot | undefined): Disposable {
  let held = slot;
  if (held !== undefined) held.holds += 1;
  return {
    [Symbol.dispose]: () => {
      if (held === undefined) return;
      const released = held;
      held = undefined;
      released.holds -= 1;
      context.changed(released);
    },
  };
}

/** The agent and its ancestors, by durable id, as far as this process can know them without reading. */
export function lineageOf(context: Context, agent: Agent): readonly SessionId[] {
  const slot: Slot | undefined = context.slots.of(agent);
  if (slot !== undefined) return [agent.id, ...slot.chain];
  const { parentSession, rootSession } = agent.session.header;
  return [...new Set([agent.id, parentSession, rootSession])].filter((id) => id !== undefined);
}
