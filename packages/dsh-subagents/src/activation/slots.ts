/**
 * The table of live epochs, and with it the ownership graph.
 * I1. At most one slot per child id.
 * I2. A live slot under a parent's id is owned by that parent's Activation, from its reservation to its removal;
 *     there is no second record of ownership that could disagree (M26).
 * I3. A slot removes only itself: a later epoch under the same id stays (M26).
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Condition } from '../subagents.ts';
import { conditionOf, ownedOf } from './condition.ts';
import type { Slot } from './slot.ts';

export interface Slots {
  get(id: SessionId): Slot | undefined;
  /** The slot whose agent is exactly this object. */
  of(agent: Agent): Slot | undefined;
  all(): IterableIterator<Slot>;
  /** Live children, in the order of their reservation. */
  childrenOf(id: SessionId): readonly Slot[];
  ownsAny(id: SessionId): boolean;
  /** Every live descendant, found by the chain that was recorded. */
  below(id: SessionId): readonly Slot[];
  add(slot: Slot): void;
  remove(slot: Slot): void;
}

export function createSlots(): Slots {
  const byId = new Map<SessionId, Slot>();
  const byParent = new Map<SessionId, Set<Slot>>();
  return {
    get: (id) => byId.get(id),
    of(agent) {
      const slot = byId.get(agent.id);
      return slot?.handle?.agent === agent ? slot : undefined;
    },
    all: () => byId.values(),
    childrenOf: (id) => [...(byParent.get(id) ?? [])],
    ownsAny: (id) => byParent.has(id),
    below: (id) => [...byId.values()].filter((slot) => slot.chain.includes(id)),
    add(slot) {
      byId.set(slot.childId, slot);
      byParent.set(slot.parentId, (byParent.get(slot.parentId) ?? new Set()).add(slot));
    },
    remove(slot) {
      if (byId.get(slot.childId) === slot) byId.delete(slot.childId);
      const siblings = byParent.get(slot.parentId);
      siblings?.delete(slot);
      if (siblings?.size === 0) byParent.delete(slot.parentId);
    },
  };
}

export function isBusy(slot: Slot): boolean {
  return slot.handle?.agent.status !== 'idle';
}

export function hasParkedWork(slot: Slot): boolean {
  return !isBusy(slot) && slot.handle?.agent.inbox.list().some((entry) => entry.wake) === true;
}

/** Nothing keeps it: it may settle. The same as the condition `settled`, without a look at each child. */
export function isQuiescent(slots: Slots, slot: Slot): boolean {
  return slot.holds === 0 && !isBusy(slot) && !hasParkedWork(slot) && !slots.ownsAny(slot.childId);
}

export function conditionOfSlot(slots: Slots, slot: Slot): Condition {
  const children = slots.childrenOf(slot.childId);
  return conditionOf({
    phase: slot.phase,
    busy: isBusy(slot),
    parkedWork: hasParkedWork(slot),
    held: slot.holds > 0,
    owned: ownedOf(children.map((child) => conditionOfSlot(slots, child))),
  });
}
