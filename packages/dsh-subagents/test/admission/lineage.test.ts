import { sessionError, type SessionHead, type SessionId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { durableChain } from '../../src/admission/lineage.ts';
import type { SessionsPort } from '../../src/port.ts';
import { id, memoryStore, storeChild } from '../memory-store.ts';

/** Headers alone, so that there can be chains that no store would make. */
function headers(parents: Readonly<Record<string, string | undefined>>): Pick<SessionsPort, 'get' | 'head'> {
  return {
    get: () => undefined,
    async head(asked: SessionId): Promise<SessionHead> {
      if (!(asked in parents)) throw sessionError('SESSION_NOT_FOUND', `no ${asked}`);
      const parent = parents[asked];
      return {
        header: {
          version: 1,
          id: asked,
          createdAt: 0,
          ...(parent === undefined ? {} : { parentSession: id(parent) }),
        },
        length: 0,
        opening: [],
      };
    },
  };
}

describe('the durable chain', () => {
  it.each<[Record<string, string | undefined>, readonly string[]]>([
    [{ a: undefined }, []],
    [{ a: 'b', b: 'c', c: undefined }, ['b', 'c']],
    [{ a: 'b' }, ['b']],
    [{}, []],
    [{ a: 'a' }, []],
    [{ a: 'b', b: 'a' }, ['b']],
    [{ a: 'b', b: 'c', c: 'b' }, ['b', 'c']],
  ])('[M48] of a in %j is %j', async (parents, chain) => {
    expect(await durableChain(headers(parents), id('a'))).toEqual(chain);
  });

  it('[M48] is as long as the store says, and no longer than was asked for', async () => {
    const parents = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`s${index}`, `s${index + 1}`]),
    );
    expect(await durableChain(headers(parents), id('s0'))).toHaveLength(500);
    expect(await durableChain(headers(parents), id('s0'), { limit: 7 })).toHaveLength(7);
  });

  it('[M48] is found for live Sessions, without their having been written', async () => {
    const store = await memoryStore();
    await storeChild(store, 'root', undefined);
    await store.create({ id: id('kiwi'), parentSession: id('root'), provisional: true });
    expect(await durableChain(store, id('kiwi'))).toEqual(['root']);
  });

  it('passes on what is no statement about a Session', async () => {
    const failing = { ...headers({}), head: () => Promise.reject(new Error('disk')) };
    await expect(durableChain(failing, id('a'))).rejects.toThrow('disk');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(durableChain(headers({ a: 'b' }), id('a'), { signal })).rejects.toThrow('enough');
  });
});
