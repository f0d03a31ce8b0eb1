import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionStore } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { subagentError } from '../../src/errors.ts';
import { readTranscript, type TranscriptDeps } from '../../src/listing/transcript.ts';
import { addTurn, id, memoryStore, storeChild } from '../memory-store.ts';

const agent = (name: string): Agent => ({ id: id(name) }) as Agent;

async function family(): Promise<{
  store: SessionStore;
  deps: TranscriptDeps;
  readers: Record<string, Agent>;
}> {
  const store = await memoryStore();
  for (const [name, parent] of [
    ['root', undefined],
    ['a', 'root'],
    ['b', 'a'],
    ['c', 'root'],
  ] as const) {
    const session = await storeChild(store, name, parent);
    if (name !== 'b') addTurn(session, name);
    await store.flush(session);
  }
  const readers = Object.fromEntries(['root', 'a', 'b', 'c'].map((name) => [name, agent(name)]));
  const deps: TranscriptDeps = {
    sessions: store,
    isExactLive: (reader) => readers[reader.id] === reader,
    unauthorized: () => subagentError('UNAUTHORIZED', 'no'),
  };
  return { store, deps, readers };
}

describe('a transcript', () => {
  it('[M48] is read page by page', async () => {
    const { deps, readers } = await family();
    const pages: (readonly string[])[] = [];
    let from: number | undefined = 0;
    while (from !== undefined) {
      const page = await readTranscript(deps, readers['root']!, id('a'), { from, limit: 2 });
      pages.push(page.records.map((record) => (record.kind === 'damaged' ? 'damaged' : record.event.type)));
      from = page.next;
    }
    expect(pages).toEqual([
      ['subagent/descriptor', 'turn/start'],
      ['user/message', 'assistant/message'],
      ['turn/end'],
    ]);
  });

  it("[M48] begins with what is the child's own, and shows the inherited part to who asks for it", async () => {
    const { store, deps, readers } = await family();
    const fork = await store.fork(id('root'), { id: id('f'), parentSession: id('root'), origin: 'subagent' });
    addTurn(fork, 'mine');
    await store.flush(fork);
    const own = await readTranscript(deps, readers['root']!, id('f'));
    expect(own.records[0]).toMatchObject({ event: { seq: 4 } });
    expect(own.records).toHaveLength(4);
    const all = await readTranscript(deps, readers['root']!, id('f'), { from: 0 });
    expect(all.records).toHaveLength(8);
    expect(all).not.toHaveProperty('next');
  });

  it('[M48] is empty behind its end', async () => {
    const { deps, readers } = await family();
    expect(await readTranscript(deps, readers['root']!, id('a'), { from: 99 })).toEqual({ records: [] });
  });

  it.each([
    ['root', 'b', true],
    ['a', 'b', true],
    ['root', 'a', true],
    ['a', 'a', false],
    ['c', 'b', false],
    ['b', 'a', false],
    ['a', 'root', false],
    ['root', 'unknown', false],
  ])('[M48] lets %s read %s: %s', async (reader, child, allowed) => {
    const { deps, readers } = await family();
    const reading = readTranscript(deps, readers[reader]!, id(child));
    if (allowed) await expect(reading).resolves.toMatchObject({ records: expect.any(Array) as unknown[] });
    else await expect(reading).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('[M48] is refused to a stale namesake', async () => {
    const { deps } = await family();
    await expect(readTranscript(deps, agent('root'), id('a'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it.each([{ from: -1 }, { from: 0.5 }, { limit: 0 }, { limit: Number.NaN }])(
    'refuses %j',
    async (options) => {
      const { deps, readers } = await family();
      await expect(readTranscript(deps, readers['root']!, id('a'), options)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      });
    },
  );
});
