import { memoryMedium, parseSessionId, type SessionListEntry } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { all, bench, codeOf, kiwi, plum, turn, user } from './fixtures.ts';

const names = ['a', 'b', 'c', 'd', 'e'].map(parseSessionId);

/** Five Sessions: `a` is the root of `b`, `c` and `d`; `d` is a child of `c`; `e` stands alone. */
async function family() {
  const made = await bench();
  const { store } = made;
  const [a, b, c, d, e] = names as [typeof plum, typeof plum, typeof plum, typeof plum, typeof plum];
  const parents = [undefined, a, a, c, undefined];
  for (const [index, id] of [a, b, c, d, e].entries()) {
    const parentSession = parents[index];
    const session = await store.create({
      id,
      ...(parentSession === undefined ? {} : { parentSession, origin: 'subagent' }),
    });
    turn(session);
    await store.close(session);
  }
  return { ...made, a, c };
}

const idsOf = (entries: readonly SessionListEntry[]): string => entries.map(({ id }) => id).join('');

describe('list', () => {
  it('filters by parent, by root and by origin [S18]', async () => {
    const { store, a, c } = await family();
    expect(idsOf(await all(store.list()))).toBe('abcde');
    expect(idsOf(await all(store.list({ parent: a })))).toBe('bc');
    expect(idsOf(await all(store.list({ parent: c })))).toBe('d');
    expect(idsOf(await all(store.list({ root: a })))).toBe('bcd');
    expect(idsOf(await all(store.list({ origin: 'subagent' })))).toBe('bcd');
    expect(idsOf(await all(store.list({ root: a, parent: c })))).toBe('d');
  });

  it('stops at its limit and goes on after a cursor [S18]', async () => {
    const { store, a } = await family();
    expect(idsOf(await all(store.list({ limit: 2 })))).toBe('ab');
    expect(idsOf(await all(store.list({ limit: 0 })))).toBe('');
    expect(await codeOf(() => all(store.list({ limit: -1 })))).toBe('INVALID_QUERY');
    let page = await store.listPage({ limit: 2 });
    const pages = [idsOf(page.items)];
    while (page.next !== undefined) {
      page = await store.listPage({ limit: 2, cursor: page.next });
      pages.push(idsOf(page.items));
    }
    expect(pages).toEqual(['ab', 'cd', 'e']);
    expect(await store.listPage({ root: a, limit: 3 })).not.toHaveProperty('next');
    expect(idsOf((await store.listPage()).items)).toBe('abcde');
  });

  it('shows a problem in its place and goes on; a narrower question leaves it out [S18]', async () => {
    const { store, medium, a } = await family();
    medium.damage(parseSessionId('c'), 'garbage-header');
    const entries = await all(store.list());
    expect(entries.map(({ kind }) => kind)).toEqual(['session', 'session', 'problem', 'session', 'session']);
    expect(entries[2]).toMatchObject({
      id: 'c',
      code: 'INVALID_HEADER',
      message: 'session c not read: its header is no JSON',
    });
    expect(idsOf(await all(store.list({ root: a })))).toBe('bd');
    await store.delete(parseSessionId('c'));
    expect(idsOf(await all(store.list()))).toBe('abde');
  });
});

describe('head', () => {
  it('gives header, length and the own events before the first own turn, of live and of stored ones [S26]', async () => {
    const { store, medium } = await bench();
    const source = await store.create();
    turn(source);
    const session = await store.fork(source.id, { id: plum });
    session.append('session/recovered', { damaged: 0 });
    session.append('user/message', user());
    turn(session);
    session.append('session/recovered', { damaged: 0 });
    const live = await store.head(plum);
    expect(live.header).toBe(session.header);
    expect(live.length).toBe(9);
    expect(live.opening.map(({ seq, type }) => [seq, type])).toEqual([
      [3, 'session/recovered'],
      [4, 'user/message'],
    ]);
    await store.flush(session);
    expect(await (await bench({ medium })).store.head(plum)).toEqual(live);
  });

  it.each(['x', 'é', '😀'])(
    'gives at most 64 KiB of events, of live and of opened ones as of stored ones: %s [S26]',
    async (letter) => {
      const { store, medium } = await bench();
      const session = await store.create({ id: plum });
      const text = letter.repeat(4_000);
      for (let count = 0; count < 40; count += 1) session.append('session/lost', { reason: text });
      const live = await store.head(plum);
      const size = Buffer.byteLength(JSON.stringify(live.opening));
      expect(size).toBeLessThanOrEqual(64 * 1024);
      expect(size).toBeGreaterThan(64 * 1024 - 20_000);
      expect(session.opening).toEqual(live.opening);
      await store.close(session);
      const other = (await bench({ medium })).store;
      expect(await other.head(plum)).toEqual(live);
      const opened = await other.open(plum);
      opened.append('session/lost', { reason: 'short' });
      expect(opened.opening).toEqual(live.opening);
    },
  );

  it('of a Session without a turn gives all its own events [S26]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    session.append('user/message', user());
    expect((await store.head(plum)).opening).toEqual(session.events());
    expect(session.opening).toEqual(session.events());
    expect(await codeOf(() => store.head(kiwi))).toBe('SESSION_NOT_FOUND');
  });
});

describe('read', () => {
  it('gives a range, of live and of stored Sessions alike [S16]', async () => {
    const { store, medium } = await bench();
    const session = await store.create({ id: plum });
    for (let count = 0; count < 300; count += 1) turn(session);
    await store.flush(session);
    const other = (await bench({ medium })).store;
    for (const range of [
      {},
      { from: 5 },
      { from: 250, to: 260 },
      { to: 0 },
      { from: 900 },
      { from: 899, to: 5000 },
    ]) {
      const records = await all(other.read(plum, range));
      expect(await all(store.read(plum, range))).toEqual(records);
      expect(records).toEqual(
        session
          .events()
          .slice(range.from, range.to)
          .map((event) => ({ kind: 'event', event })),
      );
    }
  });

  it('ends with the reason of its signal', async () => {
    const { store } = await bench();
    turn(await store.create({ id: plum }));
    const reason = new Error('gone');
    await expect(all(store.read(plum, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    await expect(all(store.list({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  });
});

describe('export', () => {
  it('gives the stored lines as they are, unknown and damaged ones included [S8] [S16]', async () => {
    const medium = memoryMedium();
    const { store } = await bench({ medium, vocabulary: ['other/type'] });
    const session = await store.create({ id: plum });
    session.appendAll([{ type: 'other/type', data: { b: 1, a: '\ud800' } } as never]);
    turn(session);
    await store.close(session);
    const next = (await bench({ medium })).store;
    const lines = await all(next.export(plum));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([session.header, ...session.events()]);
    expect(lines[1]).toContain(String.raw`"data":{"b":1,"a":"\ud800"}`);
    medium.damage(plum, 'flipped-byte', 2);
    const damaged = await all(next.export(plum));
    expect(damaged[3]).toBe(`\0${lines[3]?.slice(1) ?? ''}`);
    expect(damaged.toSpliced(3, 1)).toEqual(lines.toSpliced(3, 1));
  });
});

describe('delete', () => {
  it('is refused for what is open here or elsewhere, and frees the id otherwise [S19]', async () => {
    const { store, medium } = await bench();
    const session = await store.create({ id: plum });
    turn(session);
    await store.flush(session);
    expect(await codeOf(() => store.delete(plum))).toBe('SESSION_LIVE');
    const other = (await bench({ medium })).store;
    expect(await codeOf(() => other.delete(plum))).toBe('SESSION_LOCKED');
    await store.close(session);
    await other.delete(plum);
    expect(await codeOf(() => store.open(plum))).toBe('SESSION_NOT_FOUND');
    expect(await codeOf(() => store.delete(plum))).toBe('SESSION_NOT_FOUND');
    await store.create({ id: plum });
  });
});
