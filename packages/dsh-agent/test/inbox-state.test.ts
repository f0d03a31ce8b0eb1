/** Property: the inbox does what a list that is walked anew each time would do. */
import type { MessageId } from '@deepseek-ai/dsh-session';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Boundary, CancelCause, InboxEntry } from '../src/agent.ts';
import { createInboxState, rememberedOutcomes } from '../src/inbox-state.ts';
import { relay, say } from './agent-world.ts';

function entry(id: string, boundary: Boundary, wake = true, from: 'user' | 'agent' = 'agent'): InboxEntry {
  const { source } = from === 'user' ? say(id) : relay(id);
  return { message: { id: id as MessageId, role: 'user', content: [], source }, boundary, wake };
}
const ids = (entries: readonly InboxEntry[]): string[] => entries.map(({ message }) => message.id);

/** The rules of A4 and A20 in the plainest words. */
class NaiveInbox {
  entries: InboxEntry[] = [];
  mark: CancelCause | undefined;

  accept(one: InboxEntry): void {
    this.entries.push(one);
    const byUser = (one.message.source.kind as string) === 'user';
    if (one.wake && (this.mark !== 'user' || byUser)) this.mark = undefined;
  }
  propose(at: Boundary): InboxEntry[] {
    if (this.mark !== undefined) return [];
    const steps = this.entries.filter(({ boundary }) => boundary === 'step');
    const oldest = this.entries.find(({ wake }) => wake);
    if (at === 'step') return steps;
    if (oldest === undefined) return [];
    if (oldest.boundary === 'step') return steps;
    return this.entries.filter((one) => one === oldest || one.boundary === 'step');
  }
  drop(gone: readonly string[]): void {
    this.entries = this.entries.filter(({ message }) => !gone.includes(message.id));
  }
}

type Command =
  | {
      readonly do: 'accept';
      readonly boundary: Boundary;
      readonly wake: boolean;
      readonly from: 'user' | 'agent';
    }
  | { readonly do: 'claim' | 'failed claim'; readonly at: Boundary }
  | { readonly do: 'discard'; readonly index: number }
  | { readonly do: 'park'; readonly cause: CancelCause }
  | { readonly do: 'unpark' };

const boundary = fc.constantFrom<Boundary>('turn', 'step');
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      boundary,
      wake: fc.boolean(),
      from: fc.constantFrom('user' as const, 'agent' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('claim' as const, 'failed claim' as const), at: boundary }),
  },
  fc.record({ do: fc.constant('discard' as const), index: fc.nat(20) }),
  fc.record({
    do: fc.constant('park' as const),
    cause: fc.constantFrom<CancelCause>('user', 'parent', { code: 'X' }),
  }),
  fc.record({ do: fc.constant('unpark' as const) }),
);

it('proposes, keeps order and parks like the plain list [A2][A3][A4][A20]', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const state = createInboxState();
      const naive = new NaiveInbox();
      let next = 0;
      for (const each of commands) {
        switch (each.do) {
          case 'accept': {
            // A follow-up always wakes.
            const one = entry(`m${next++}`, each.boundary, each.boundary === 'turn' || each.wake, each.from);
            state.accept(one, 1);
            naive.accept(one);
            break;
          }
          case 'claim':
          case 'failed claim': {
            const wanted = ids(state.propose(each.at)) as MessageId[];
            expect(wanted).toEqual(ids(naive.propose(each.at)));
            const batch = state.take([...wanted].reverse(), 100);
            expect(ids(batch.entries)).toEqual(wanted);
            if (each.do === 'failed claim') {
              state.putBack(batch);
              for (const id of wanted) expect(state.outcome(id)).toBe('waiting');
            } else naive.drop(wanted);
            break;
          }
          case 'discard': {
            const one = naive.entries[each.index];
            if (one === undefined) break;
            state.discard(one.message.id, 'removed');
            expect(state.outcome(one.message.id)).toEqual({ discarded: 'removed' });
            naive.drop([one.message.id]);
            break;
          }
          case 'park':
            state.park(each.cause);
            if (naive.mark !== 'user') naive.mark = each.cause;
            break;
          case 'unpark':
            state.unpark();
            naive.mark = undefined;
        }
        expect(ids(state.list())).toEqual(ids(naive.entries));
        expect(state.parked).toBe(naive.mark !== undefined);
        expect(state.size).toBe(naive.entries.length);
        expect(state.bytes).toBe(naive.entries.length);
        expect(state.count('turn')).toBe(naive.entries.filter((one) => one.boundary === 'turn').length);
        expect(state.hasWork).toBe(!state.parked && naive.entries.some(({ wake }) => wake));
      }
    }),
    { numRuns: 1_000, seed: 20 },
  );
});

it('puts a batch back between what came before and after it [A3]', () => {
  const state = createInboxState();
  for (const id of ['a', 'b', 'c']) state.accept(entry(id, 'step'), 1);
  const batch = state.take(['b' as MessageId], 7);
  expect(state.outcome('b' as MessageId)).toEqual({ logged: 7 });
  state.accept(entry('d', 'step'), 1);
  state.putBack(batch);
  expect(ids(state.list())).toEqual(['a', 'b', 'c', 'd']);
});

it('remembers the last thousand outcomes and no more [A1]', () => {
  const state = createInboxState();
  for (let index = 0; index <= rememberedOutcomes; index += 1) {
    state.accept(entry(`m${index}`, 'turn'), 1);
    state.take([`m${index}` as MessageId], index);
  }
  expect(state.outcome('m0' as MessageId)).toBe('unknown');
  expect(state.outcome('m1' as MessageId)).toEqual({ logged: 1 });
});

it('gives the same list until something changes', () => {
  const state = createInboxState();
  state.accept(entry('a', 'turn'), 1);
  expect(state.list()).toBe(state.list());
});

it('looks for a claim at no more entries where a long queue waits behind it [A4]', () => {
  const inbox = createInboxState();
  let looks = 0;
  const watched = (one: InboxEntry): InboxEntry => ({
    ...one,
    get boundary() {
      looks += 1;
      return one.boundary;
    },
    get wake() {
      looks += 1;
      return one.wake;
    },
  });
  const accept = (one: InboxEntry): unknown => inbox.accept(watched(one), 1);
  for (let index = 0; index < 3; index += 1) accept(entry(`early${index}`, 'step', false));
  for (let index = 0; index < 1_000; index += 1) accept(entry(`turn${index}`, 'turn'));
  looks = 0;
  expect(ids(inbox.propose('step'))).toEqual(['early0', 'early1', 'early2']);
  expect(ids(inbox.propose('turn'))).toEqual(['early0', 'early1', 'early2', 'turn0']);
  expect(looks).toBeLessThan(50);
});
