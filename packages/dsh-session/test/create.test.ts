import { describe, expect, it } from 'vitest';
import { bench, codeOf, plum, turn } from './fixtures.ts';

describe('create', () => {
  it('refuses an id that is live or stored [S3]', async () => {
    const { store } = await bench();
    const session = await store.create({ id: plum });
    expect(await codeOf(() => store.create({ id: plum }))).toBe('SESSION_EXISTS');
    turn(session);
    await store.close(session);
    expect(await codeOf(() => store.create({ id: plum }))).toBe('SESSION_EXISTS');
  });

  it('of two at once gives the id to exactly one [S3]', async () => {
    const { store } = await bench();
    const codes = await Promise.all([
      codeOf(() => store.create({ id: plum })),
      codeOf(() => store.create({ id: plum })),
    ]);
    expect(codes).toEqual(['none', 'SESSION_EXISTS']);
  });

  it('takes a copy of what it is given, and freezes the header [S2]', async () => {
    const { store, clock } = await bench();
    const meta = { tags: ['a'] };
    const creating = store.create({ id: plum, cwd: '/srv', meta, origin: 'test', delegationDepth: 2 });
    meta.tags.push('b');
    const { header } = await creating;
    expect(header).toEqual({
      version: 1,
      id: 'plum',
      createdAt: clock.now(),
      cwd: '/srv',
      origin: 'test',
      delegationDepth: 2,
      meta: { tags: ['a'] },
    });
    expect(Object.isFrozen(header) && Object.isFrozen(header.meta)).toBe(true);
  });

  it.each([
    ['a relative cwd', { cwd: 'here' }],
    ['a depth below 0', { delegationDepth: -1 }],
    ['meta that JSON would not keep', { meta: { at: undefined } }],
    ['a parent that is no id', { parentSession: '' }],
  ])('refuses %s, and the id stays free [S2]', async (_, options) => {
    const { store } = await bench();
    expect(await codeOf(() => store.create({ id: plum, ...(options as object) }))).toBe('INVALID_HEADER');
    await store.create({ id: plum });
  });

  it('records the top of the chain of parents', async () => {
    const { store } = await bench();
    const root = await store.create();
    const child = await store.create({ parentSession: root.id });
    turn(child);
    await store.close(child);
    const grandchild = await store.create({ parentSession: child.id });
    expect(child.header.rootSession).toBe(root.id);
    expect(grandchild.header.rootSession).toBe(root.id);
    expect(root.header.rootSession).toBeUndefined();
    expect((await store.create({ parentSession: plum })).header.rootSession).toBe(plum);
  });
});
