import {
  memoryDriver,
  memoryMedium,
  openSessionStore,
  sessionError,
  type SessionId,
  type SessionListEntry,
} from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { listChildren, listDescendants } from '../../src/listing/children.ts';
import type { ListingDeps } from '../../src/listing/entry.ts';
import { subagentVocabulary } from '../../src/resume/descriptor.ts';
import type { LiveActivation } from '../../src/subagents.ts';
import { addTurn, collect, id, memoryStore, storeChild } from '../memory-store.ts';

const nobody = (): undefined => undefined;
const none = (): readonly SessionId[] => [];

describe('children', () => {
  it('[M48] are those of that parent, with what their descriptors say', async () => {
    const store = await memoryStore();
    for (const [name, parent] of [
      ['root', undefined],
      ['a', 'root'],
      ['b', 'a'],
      ['c', 'other'],
    ] as const) {
      await storeChild(store, name, parent);
    }
    await storeChild(store, 'once', 'root', { mode: 'one-shot', label: 'quick' });
    const branch = await store.create({ id: id('branch'), parentSession: id('root') });
    addTurn(branch, 'Of a person, not of an agent.');
    await store.flush(branch);
    const entries = await collect(
      listChildren({ sessions: store, live: nobody, liveChildren: none }, id('root')),
    );
    expect(entries).toEqual([
      {
        kind: 'child',
        id: 'a',
        parentId: 'root',
        label: 'a',
        provider: 'spawn',
        mode: 'continuable',
        createdAt: expect.any(Number) as number,
      },
      expect.objectContaining({ id: 'once', label: 'quick', mode: 'one-shot' }),
    ]);
  });

  it('[M48] that are live carry their condition, and those that have ended their outcome', async () => {
    const store = await memoryStore();
    for (const name of ['a', 'b', 'c']) {
      const session = await storeChild(store, name, 'root');
      addTurn(session, 'x');
      session.append('subagent/ended', { runId: 'r1', outcome: 'max-tokens' });
      // A later epoch that a crash has ended: of it nothing is known.
      if (name === 'c') addTurn(session, 'y');
      await store.flush(session);
    }
    const live: LiveActivation = { runId: 'r2', condition: 'parked' };
    const deps: ListingDeps = {
      sessions: store,
      live: (asked) => (asked === 'b' ? live : undefined),
      liveChildren: () => [id('b')],
    };
    const [a, b, c] = await collect(listChildren(deps, id('root')));
    expect(a).toMatchObject({ lastOutcome: 'max-tokens' });
    expect(b).toMatchObject({ live });
    expect(b).not.toHaveProperty('lastOutcome');
    expect(c).not.toHaveProperty('lastOutcome');
  });

  it('[M48] show the outcome also where much was written after it', async () => {
    const store = await memoryStore();
    const session = await storeChild(store, 'a', 'root');
    session.append('subagent/ended', { runId: 'r1', outcome: 'refused' });
    for (let count = 0; count < 100; count += 1) session.append('session/recovered', { damaged: 0 });
    await store.flush(session);
    const [a] = await collect(
      listChildren({ sessions: store, live: nobody, liveChildren: none }, id('root')),
    );
    expect(a).toMatchObject({ lastOutcome: 'refused' });
  });

  it('[M48] that are damaged stand as problems in their place', async () => {
    const medium = memoryMedium();
    const store = await openSessionStore({
      driver: memoryDriver({ medium }),
      vocabulary: subagentVocabulary,
    });
    await storeChild(store, 'a', 'root', { described: false });
    for (const name of ['b', 'c', 'd']) await store.close(await storeChild(store, name, 'root'));
    medium.damage(id('b'), 'flipped-byte', 0);
    medium.damage(id('c'), 'garbage-header');
    const entries = await collect(
      listChildren({ sessions: store, live: nobody, liveChildren: none }, id('root')),
    );
    expect(entries).toEqual([
      { kind: 'problem', id: 'a', code: 'NOT_RESUMABLE', message: 'it has no descriptor' },
      { kind: 'problem', id: 'b', code: 'NOT_RESUMABLE', message: 'it has no descriptor' },
      { kind: 'problem', id: 'c', code: 'INVALID_HEADER', message: expect.any(String) as string },
      expect.objectContaining({ kind: 'child', id: 'd' }),
    ]);
  });

  it('[M48] that vanish while they are listed are left out, and a failing head is a problem', async () => {
    const store = await memoryStore();
    for (const name of ['a', 'b', 'c']) await storeChild(store, name, 'root');
    const head: ListingDeps['sessions']['head'] = (asked, options) => {
      if (asked === 'b') throw sessionError('UNSUPPORTED_VERSION', 'too new');
      return store.head(asked === 'a' ? id('gone') : asked, options);
    };
    const sessions = { ...store, head };
    const entries = await collect(listChildren({ sessions, live: nobody, liveChildren: none }, id('root')));
    expect(entries).toEqual([
      { kind: 'problem', id: 'b', code: 'UNSUPPORTED_VERSION', message: 'too new' },
      expect.objectContaining({ kind: 'child', id: 'c' }),
    ]);
  });

  it('[M48] are listed until the signal aborts', async () => {
    const store = await memoryStore();
    await storeChild(store, 'a', 'root');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(
      collect(listChildren({ sessions: store, live: nobody, liveChildren: none }, id('root'), { signal })),
    ).rejects.toThrow('enough');
  });
});

describe('descendants', () => {
  const shape = async (deps: ListingDeps, root: string): Promise<string[]> =>
    (await collect(listDescendants(deps, id(root)))).map((entry) => `${entry.depth}${entry.id}`);

  it('[M48] come in pre-order', async () => {
    const store = await memoryStore();
    const tree = [
      ['a', 'root'],
      ['b', 'root'],
      ['a1', 'a'],
      ['a2', 'a'],
      ['a1x', 'a1'],
      ['b1', 'b'],
    ] as const;
    for (const [name, parent] of tree) await storeChild(store, name, parent);
    expect(await shape({ sessions: store, live: nobody, liveChildren: none }, 'root')).toEqual([
      '1a',
      '2a1',
      '3a1x',
      '2a2',
      '1b',
      '2b1',
    ]);
  });

  it('[M48] are found below what is damaged', async () => {
    const store = await memoryStore();
    await storeChild(store, 'a', 'root', { described: false });
    await storeChild(store, 'b', 'a');
    expect(await shape({ sessions: store, live: nobody, liveChildren: none }, 'root')).toEqual(['1a', '2b']);
  });

  it('[M48] end where a cycle would close', async () => {
    const store = await memoryStore();
    for (const [name, parent] of [
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'b'],
      ['self', 'self'],
    ] as const) {
      await storeChild(store, name, parent);
    }
    const deps = { sessions: store, live: nobody, liveChildren: none };
    expect(await shape(deps, 'a')).toEqual(['1b', '2c']);
    expect(await shape(deps, 'self')).toEqual([]);
  });

  it('[M48] may be a chain of 10,000', async () => {
    const length = 10_000;
    const sessions: ListingDeps['sessions'] = {
      get: nobody,
      async *list({ parent } = {}): AsyncGenerator<SessionListEntry> {
        const next = Number(parent?.slice(1)) + 1;
        if (next > length) return;
        const child = id(`s${next}`);
        const header = {
          version: 1,
          id: child,
          createdAt: 0,
          origin: 'subagent',
          parentSession: parent!,
        } as const;
        yield { kind: 'session', id: child, header, cursor: child };
      },
      head: async (asked) => ({ header: { version: 1, id: asked, createdAt: 0 }, length: 0, opening: [] }),
      read: () => {
        throw new Error('no log is read');
      },
    };
    const all = await collect(listDescendants({ sessions, live: nobody, liveChildren: none }, id('s0')));
    expect(all).toHaveLength(length);
    expect(all.at(-1)).toMatchObject({ id: `s${length}`, depth: length });
  });
});
