/**
 * The deliveries of one asker to one target, in the order of their calls (M14).
 * Owns: the order and the end of each delivery. Does not own: what is checked at admission (the ask does).
 * I1. Only the first ask of a lane is ever admitted, so no later one can pass it, whatever is waited for.
 * I2. A lane has one courier. It looks at the target's slot, does what that phase calls for, and looks again;
 *     nothing that it saw before a wait is relied on after it.
 * I3. An ask ends once: accepted, refused, or ended by its signal, by a drain, or by the close of its asker.
 * I4. A lane without asks is over: its waits end and what it began for them alone is given up.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { MessageId, SessionId } from '@deepseek-ai/dsh-session';
import { deferred, untilAborted, type Deferred } from '@dsh-internal/async';
import type { Slot } from '../activation/slot.ts';
import type { Slots } from '../activation/slots.ts';
import { createCompanions, type AskerPlace, type Companions } from './companions.ts';

/** One delivery. */
export interface Ask {
  readonly result: Deferred<MessageId>;
  /** The final span: checks, and inserts. Throws what the caller is told. */
  readonly admit: (slot: Slot) => MessageId;
  /** Its admission has begun: that alone says how it ends. */
  decided: boolean;
}

/** What all deliveries of a lane have in common. */
export interface Asker extends AskerPlace {
  /** Throws where this asker may not deliver to the child in `slot`. */
  authorize(slot: Slot): void;
  /** Finds the absent target, authorizes, and reserves a slot for it in the span that ends with the reservation. */
  approach(lane: Lane): Promise<void>;
}

export interface Lane {
  readonly asker: Asker;
  readonly targetId: SessionId;
  readonly asks: Ask[];
  /** Aborts when no ask is left. */
  readonly over: AbortController;
}

export interface Lanes extends Companions {
  /** Resolves when the ask is accepted. Synchronous up to there where the target is resident and nobody is before it. */
  deliver(
    asker: Asker,
    targetId: SessionId,
    admit: Ask['admit'],
    signal: AbortSignal | undefined,
  ): Promise<MessageId>;
  /** Ends every ask of the chosen askers, and what accompanies them. */
  endWhere(chosen: (asker: AskerPlace) => boolean, error: Error): void;
}

/** Admits asks in order for as long as the slot takes them. Part of the caller's synchronous span. */
export function admitLane(lane: Lane, slot: Slot): void {
  while (slot.phase === 'resident') {
    // Out of the lane first: whoever hears of the insertion can end it no more (I3).
    const ask = lane.asks.shift();
    if (ask === undefined) return;
    ask.decided = true;
    try {
      ask.result.resolve(ask.admit(slot));
    } catch (error) {
      ask.result.reject(error);
    }
  }
}

/** Ends asks of a lane with one error: all of them, where none are named. */
function refuseLane(lane: Lane, error: unknown, asks: readonly Ask[] = [...lane.asks]): void {
  for (const ask of asks) {
    // Others may have taken it out.
    if (!lane.asks.includes(ask)) continue;
    end(lane, ask);
    ask.result.reject(error);
  }
}

function end(lane: Lane, ask: Ask): void {
  const index = lane.asks.indexOf(ask);
  if (index >= 0) lane.asks.splice(index, 1);
}

export function createLanes(slots: Slots, detach: (work: Promise<unknown>) => void): Lanes {
  const lanes = new Map<Agent, Map<SessionId, Lane>>();
  const companions = createCompanions();

  const laneOf = (asker: Asker, targetId: SessionId): { lane: Lane; fresh: boolean } => {
    const own = lanes.get(asker.agent) ?? new Map<SessionId, Lane>();
    lanes.set(asker.agent, own);
    const known = own.get(targetId);
    if (known !== undefined) return { lane: known, fresh: false };
    const lane: Lane = { asker, targetId, asks: [], over: new AbortController() };
    own.set(targetId, lane);
    return { lane, fresh: true };
  };
  const retire = (lane: Lane): void => {
    if (lane.asks.length > 0 || lane.over.signal.aborted) return;
    const own = lanes.get(lane.asker.agent);
    if (own?.get(lane.targetId) === lane) own.delete(lane.targetId);
    if (own?.size === 0) lanes.delete(lane.asker.agent);
    lane.over.abort();
  };
  const endAsk = (lane: Lane, ask: Ask, error: unknown): void => {
    if (ask.decided) return;
    end(lane, ask);
    ask.result.reject(error);
    retire(lane);
  };

  return {
    ...companions,
    async deliver(asker, targetId, admit, signal) {
      signal?.throwIfAborted();
      const { lane, fresh } = laneOf(asker, targetId);
      const ask: Ask = { admit, result: deferred(), decided: false };
      lane.asks.push(ask);
      const abandon = (): void => {
        endAsk(lane, ask, signal?.reason);
      };
      signal?.addEventListener('abort', abandon, { once: true });
      if (fresh) detach(courier(slots, lane, retire));
      try {
        return await ask.result.promise;
      } finally {
        signal?.removeEventListener('abort', abandon);
      }
    },
    endWhere(chosen, error) {
      companions.endWhere(chosen, error);
      const all = [...lanes.values()].flatMap((own) => [...own.values()]);
      for (const lane of all.filter(({ asker }) => chosen(asker))) {
        refuseLane(lane, error);
        retire(lane);
      }
    },
  };
}

async function courier(slots: Slots, lane: Lane, retire: (lane: Lane) => void): Promise<void> {
  while (lane.asks.length > 0) {
    const asking = [...lane.asks];
    try {
      await attempt(slots, lane);
    } catch (error) {
      // A wait that ended because nobody asks any more is no error: there is nobody to tell. Who came after it had
      // begun looks for itself: what was seen may be of before.
      refuseLane(lane, error, asking);
    }
  }
  retire(lane);
}

/** One look at the target, and what its phase calls for. Waits end with the lane (I4). */
function attempt(slots: Slots, lane: Lane): Promise<unknown> | undefined {
  const slot = slots.get(lane.targetId);
  if (slot === undefined) return lane.asker.approach(lane);
  // Until its task was accepted a new child is nobody's: the id may turn out to be taken by the asker's own.
  if (slot.resumed || slot.accepted) lane.asker.authorize(slot);
  switch (slot.phase) {
    case 'resident':
      admitLane(lane, slot);
      return undefined;
    case 'starting':
      return waitForStart(lane, slot);
    case 'closing':
      return untilAborted(
        slot.released.promise.catch(() => undefined),
        lane.over.signal,
      );
  }
}

async function waitForStart(lane: Lane, slot: Slot): Promise<void> {
  // One that was given up ends for a reason of others: who comes later looks again when it has.
  if (!slot.starting.signal.aborted) attachLane(lane, slot);
  await untilAborted(slot.started.promise, lane.over.signal);
}

/** Lets the lane have a say in the start of `slot`: a resumption that nobody waits for any more is given up (M22). */
export function attachLane(lane: Lane, slot: Slot): void {
  if (slot.lanes.has(lane)) return;
  slot.lanes.add(lane);
  const leave = (): void => {
    slot.lanes.delete(lane);
    giveUpUnwanted(slot);
  };
  lane.over.signal.addEventListener('abort', leave, { once: true });
}

/** To be called when somebody has left: a resumption that neither a lane waits for nor anybody holds ends (M22). */
export function giveUpUnwanted(slot: Slot): void {
  if (slot.resumed && slot.phase === 'starting' && slot.lanes.size === 0 && slot.holds === 0)
    slot.starting.abort(new Error('nobody waits for it any more'));
}

/** Takes all asks out of the lane. Whoever takes them has to end them. */
export function takeAsks(lane: Lane): readonly Ask[] {
  return lane.asks.splice(0);
}
