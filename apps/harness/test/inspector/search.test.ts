import type { SessionRecord } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { createSearch } from '../../src/inspector/server/search.ts';
import type { TreeNode } from '../../src/inspector/protocol.ts';

const record = (seq: number): SessionRecord =>
  ({
    kind: 'event',
    event: {
      ...{ seq, time: seq, type: 'user/message' },
      data: {
        ...{ id: `m${seq}`, role: 'user', source: { kind: 'user' } },
        content: [{ type: 'text', text: `Pears ${seq}.` }],
      },
    },
  }) as unknown as SessionRecord;

/** Sessions in which every record takes its time to read. */
function slowStore(lengths: Readonly<Record<string, number>>, msPerRecord: number) {
  let now = 0;
  const nodes = new Map(
    Object.entries(lengths).map(([id, length]) => [id, { id, label: id, length } as unknown as TreeNode]),
  );
  const search = createSearch({
    tree: () => ({ order: [...nodes.keys()], nodes }),
    now: () => now,
    sessions: {
      async *read(id, { from = 0 } = {}) {
        for (let seq = from; seq < (lengths[id] ?? 0); seq += 1) {
          now += msPerRecord;
          yield await Promise.resolve(record(seq));
        }
      },
    },
  });
  return { search, now: () => now };
}

it('looks for a bounded time also within one long Session, and goes on where it was [H12]', async () => {
  const { search, now } = slowStore({ short: 1, long: 12, last: 2 }, 900);
  const { signal } = new AbortController();
  const found: string[] = [];
  let cursor: string | undefined;
  let calls = 0;
  do {
    const began = now();
    const reply = await search.find({ q: 'pears', ...(cursor === undefined ? {} : { cursor }) }, signal);
    expect(now() - began).toBeLessThanOrEqual(2_700);
    found.push(...reply.hits.map(({ session, seq }) => `${session}:${seq}`));
    cursor = reply.next;
    calls += 1;
  } while (cursor !== undefined && calls < 20);
  const long = Array.from({ length: 12 }, (_, seq) => `long:${seq}`);
  expect(found).toEqual(['short:0', ...long, 'last:0', 'last:1']);
});

it('finds the name of a Session once, however often it goes on in it [H12]', async () => {
  const { search } = slowStore({ 'pears one': 7 }, 900);
  const { signal } = new AbortController();
  const labels: string[] = [];
  let cursor: string | undefined;
  do {
    const reply = await search.find({ q: 'pears one', ...(cursor === undefined ? {} : { cursor }) }, signal);
    labels.push(...reply.hits.filter(({ kind }) => kind === 'label').map(({ session }) => session));
    cursor = reply.next;
  } while (cursor !== undefined);
  expect(labels).toEqual(['pears one', 'pears one']);
});
