import { describe, expect, it } from 'vitest';
import { collect, id } from '../memory-store.ts';
import { program, settle, type Program } from '../program.ts';

async function tree(): Promise<Program> {
  const p = await program({
    scripts: {
      main: [],
      child: [
        { text: 'x', hold: 'open' },
        { text: 'y', hold: 'open' },
      ],
    },
  });
  const root = await p.root();
  await p.root('other');
  let parent = root.agent;
  for (const name of ['kiwi', 'plum']) {
    await p.runtime.startContinuable({
      provider: 'spawn',
      label: name,
      childId: id(name),
      request: { prompt: 'Go.', parent, model: 'child' },
    });
    await settle();
    parent = p.agents.get(id(name))!;
  }
  return p;
}

describe('reading', () => {
  it('[M48] shows live children with their condition, and ended ones with their outcome', async () => {
    const p = await tree();
    p.model('child').release('none');
    expect(await collect(p.runtime.listChildren(id('root')))).toMatchObject([
      {
        id: 'kiwi',
        parentId: 'root',
        label: 'kiwi',
        provider: 'spawn',
        mode: 'continuable',
        live: { condition: 'running' },
      },
    ]);
    expect(await collect(p.runtime.listDescendants(id('root')))).toMatchObject([
      { id: 'kiwi', depth: 1 },
      { id: 'plum', depth: 2, live: { condition: 'running' } },
    ]);
    await p.runtime.drain();
    const after = await collect(p.runtime.listDescendants(id('root')));
    expect(after).toMatchObject([
      { id: 'kiwi', depth: 1, lastOutcome: 'aborted' },
      { id: 'plum', depth: 2, lastOutcome: 'aborted' },
    ]);
    expect(after.some((entry) => 'live' in entry)).toBe(false);
  });

  it('[M48] resumes nobody and asks no model', async () => {
    const p = await tree();
    const root = p.agents.get(id('root'))!;
    await p.runtime.drainContinuableDescendants([root]);
    const requests = p.model('child').requests.length;
    const told = p.told.length;
    await collect(p.runtime.listDescendants(id('root')));
    const page = await p.runtime.readTranscript(root, id('plum'));
    expect(
      page.records.map((record) => (record.kind === 'event' ? record.event.type : record.kind)),
    ).toContain('assistant/message');
    expect(p.told).toHaveLength(told);
    expect(p.model('child').requests).toHaveLength(requests);
    expect(p.agents.list().map((agent) => agent.id)).toEqual(['root', 'other']);
  });

  it('[M48] of a transcript is for ancestors alone', async () => {
    const p = await tree();
    const [root, other, kiwi, plum] = ['root', 'other', 'kiwi', 'plum'].map((name) =>
      p.agents.get(id(name))!,
    );
    for (const reader of [root, kiwi]) {
      await expect(p.runtime.readTranscript(reader!, id('plum'))).resolves.toBeDefined();
    }
    for (const [reader, child] of [
      [other, 'plum'],
      [plum, 'plum'],
      [plum, 'kiwi'],
      [kiwi, 'root'],
      [root, 'nobody'],
    ] as const) {
      await expect(p.runtime.readTranscript(reader!, id(child))).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
    }
    await p.runtime.drain();
  });
});
