import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Slot } from '../../src/activation/slot.ts';
import { createSlots } from '../../src/activation/slots.ts';
import { id } from '../rig/world.ts';

/** What the table looks at, and no more of a slot. */
const slotOf = (childId: string, chain: readonly string[]): Slot =>
  ({ childId: id(childId), parentId: id(chain[0] ?? ''), chain: chain.map(id) }) as Partial<Slot> as Slot;

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** Adds a child below a root or a live one, or removes a slot that was ever there. */
const step = fc.oneof(
  fc.record({ what: fc.constant('add' as const), name: fc.constantFrom(...names), under: fc.nat() }),
  fc.record({ what: fc.constant('remove' as const), which: fc.nat() }),
);

describe('the ownership graph', () => {
  it('says of each agent what a plain list of live slots says, whatever comes and goes [M26 Q6]', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const slots = createSlots();
        const ever: Slot[] = [];
        let live: Slot[] = [];
        for (const next of steps) {
          if (next.what === 'add') {
            if (slots.get(id(next.name)) !== undefined) continue;
            const parents = [undefined, ...live];
            const parent = parents[next.under % parents.length];
            const chain = parent === undefined ? ['root'] : [parent.childId, ...parent.chain];
            const slot = slotOf(next.name, chain);
            slots.add(slot);
            ever.push(slot);
            live.push(slot);
          } else {
            const slot = ever[next.which % Math.max(1, ever.length)];
            if (slot === undefined) continue;
            slots.remove(slot);
            live = live.filter((other) => other !== slot);
          }
          expect([...slots.all()]).toEqual(live);
          for (const name of ['root', ...names].map(id)) {
            const children = live.filter((slot) => slot.parentId === name);
            expect(slots.get(name)).toBe(live.find((slot) => slot.childId === name));
            expect(slots.childrenOf(name)).toEqual(children);
            expect(slots.ownsAny(name)).toBe(children.length > 0);
            expect(slots.below(name)).toEqual(live.filter((slot) => slot.chain.includes(name)));
          }
        }
      }),
      { seed: 51 },
    );
  });
});
