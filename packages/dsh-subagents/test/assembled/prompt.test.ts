import type { AgentHandle } from '@deepseek-ai/dsh-agent';
import { memoryDriver, memoryMedium, type MessageId, type SessionId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { id } from '../memory-store.ts';
import { eventsOf, program, settle, textsOf, userMessages, type Program } from '../program.ts';

const scripts = { main: [], child: [{ text: 'x', hold: 'open' }, 'Two.', 'Three.', 'Four.'] };

async function withChild(p: Program, parent: AgentHandle, childId = 'kiwi'): Promise<SessionId> {
  await p.runtime.startContinuable({
    provider: 'spawn',
    label: childId,
    childId: id(childId),
    request: { prompt: 'Go.', parent: parent.agent, model: 'child' },
  });
  await settle();
  return id(childId);
}

describe("a person's prompt", () => {
  it('[M45] is a turn of its own, each of them, with the source of a person', async () => {
    const p = await program({ scripts });
    const kiwi = await withChild(p, await p.root());
    for (const content of ['One?', 'Two?'])
      await p.host.prompt(kiwi, { parentSessionId: id('root'), content });
    p.model('child').release('open');
    await p.runtime.whenQuiescent(id('root'));
    const events = await eventsOf(p.store, kiwi);
    expect(events.filter(({ type }) => type === 'turn/start')).toHaveLength(3);
    expect(userMessages(events).slice(1)).toMatchObject([
      { content: [{ text: 'One?' }], source: { kind: 'user' } },
      { content: [{ text: 'Two?' }], source: { kind: 'user' } },
    ]);
  });

  it('[M45] may be steered into a live child, and never into an absent one', async () => {
    const p = await program({ scripts });
    const kiwi = await withChild(p, await p.root());
    const prompt = { parentSessionId: id('root'), content: 'Now!', delivery: 'steer' } as const;
    await p.host.prompt(kiwi, prompt);
    p.model('child').release('open');
    await p.runtime.whenQuiescent(id('root'));
    const events = await eventsOf(p.store, kiwi);
    expect(events.filter(({ type }) => type === 'turn/start')).toHaveLength(1);
    expect(userMessages(events).map(textsOf)).toEqual([['Go.'], ['Now!']]);
    await expect(p.host.prompt(kiwi, prompt)).rejects.toMatchObject({ code: expect.any(String) as string });
    expect(p.agents.get(kiwi)).toBeUndefined();
  });

  it('is accepted once under the id that the caller gave it, also by a child that has come back from its log [M45]', async () => {
    const p = await program({ scripts });
    const kiwi = await withChild(p, await p.root());
    const messageId = 'from-a-page' as MessageId;
    const prompt = { parentSessionId: id('root'), content: 'One?', messageId };
    const steered = { ...prompt, delivery: 'steer' } as const;
    for (const again of [prompt, prompt, steered]) expect(await p.host.prompt(kiwi, again)).toBe(messageId);
    p.model('child').release('open');
    await p.runtime.whenQuiescent(id('root'));
    expect(p.agents.get(kiwi)).toBeUndefined();
    expect(await p.host.prompt(kiwi, prompt)).toBe(messageId);
    await p.runtime.whenQuiescent(id('root'));
    expect(userMessages(await eventsOf(p.store, kiwi)).map(textsOf)).toEqual([['Go.'], ['One?']]);
    expect(p.model('child').requests).toHaveLength(2);
  });

  it('[M45] makes an absent child resident', async () => {
    const p = await program({ scripts: { main: [], child: ['One.', 'Two.'] } });
    const kiwi = await withChild(p, await p.root());
    await p.runtime.whenQuiescent(id('root'));
    expect(p.agents.get(kiwi)).toBeUndefined();
    await p.host.prompt(kiwi, { parentSessionId: id('root'), content: 'And?' });
    await p.runtime.whenQuiescent(id('root'));
    expect(p.told.map(({ resumed }) => resumed)).toEqual([false, false, true, true]);
    expect(userMessages(await eventsOf(p.store, kiwi)).map(textsOf)).toEqual([['Go.'], ['And?']]);
  });

  it('[M45] needs the exact parent, and that it lives', async () => {
    const p = await program({ scripts });
    const root = await p.root();
    await p.root('other');
    const kiwi = await withChild(p, root);
    const content = 'Hello?';
    await expect(p.host.prompt(kiwi, { parentSessionId: id('other'), content })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    await expect(p.host.prompt(kiwi, { parentSessionId: id('gone'), content })).rejects.toMatchObject({
      code: 'PARENT_UNAVAILABLE',
    });
    p.model('child').release('open');
    await p.runtime.whenQuiescent(id('root'));
    await p.host.disposeRoot(root);
    await expect(p.host.prompt(kiwi, { parentSessionId: id('root'), content })).rejects.toMatchObject({
      code: 'PARENT_UNAVAILABLE',
    });
    expect(p.model('child').requests).toHaveLength(1);
  });

  it('[M45] wakes absent ancestors top-down and without a message', async () => {
    const medium = memoryMedium();
    const before = await program({
      driver: memoryDriver({ medium }),
      scripts: { main: [], child: ['a', 'b', 'c', 'd'] },
    });
    const root = await before.root();
    const kiwi = await withChild(before, root);
    await before.host.prompt(kiwi, { parentSessionId: id('root'), content: 'Stay.' });
    await before.runtime.startContinuable({
      provider: 'spawn',
      label: 'plum',
      childId: id('plum'),
      request: { prompt: 'Go.', parent: before.agents.get(kiwi)!, model: 'child' },
    });
    await before.runtime.whenQuiescent(id('root'));
    await before.host.disposeRoot(root);
    await before.store[Symbol.asyncDispose]();

    const p = await program({
      driver: memoryDriver({ medium }),
      scripts: { main: [], child: ['e', 'f', 'g'] },
    });
    await p.agents.resume({ id: id('root') });
    const prompt = { parentSessionId: kiwi, content: 'Still there?' };
    await expect(p.host.prompt(id('plum'), prompt)).rejects.toMatchObject({ code: 'PARENT_UNAVAILABLE' });
    await p.host.prompt(id('plum'), { ...prompt, wakeAncestors: true });
    expect(p.told.map(({ childId }) => childId)).toEqual(['kiwi', 'plum']);
    await p.runtime.whenQuiescent(id('root'));
    expect(
      userMessages(await eventsOf(p.store, 'plum'))
        .map(textsOf)
        .at(-1),
    ).toEqual(['Still there?']);
    const kinds = userMessages(await eventsOf(p.store, 'kiwi')).map(({ source }) => source.kind);
    expect(kinds.slice(-2)).toEqual(['subagent-settled', 'subagent-settled']);
  });

  it('[M45] is out of reach for tools: the runtime has no way to it', async () => {
    const p = await program();
    const names = Object.keys(p.runtime);
    expect(names).not.toContain('prompt');
    expect(names).not.toContain('stopChildren');
    expect(Object.values(p.runtime)).not.toContain(p.host);
  });
});
