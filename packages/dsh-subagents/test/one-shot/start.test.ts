import type { Agent } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import { id } from '../memory-store.ts';
import { program, settle, type Program } from '../program.ts';

const held = { text: 'x', hold: 'open' };
const request = (parent: Agent) => ({ label: 'x', prompt: 'Go.', parent });

async function managedChild(p: Program, parent: Agent): Promise<Agent> {
  const { childId } = await p.runtime.startContinuable({
    provider: 'spawn',
    label: 'kiwi',
    childId: id('kiwi'),
    request: { prompt: 'Go.', parent },
  });
  await settle();
  return p.agents.get(childId)!;
}

describe('starting a one-shot child', () => {
  it('[M49] needs a provider of that name', async () => {
    const p = await program();
    const { agent: parent } = await p.root();
    await expect(p.runtime.start('none', request(parent))).rejects.toMatchObject({ code: 'NO_PROVIDER' });
  });

  it('[M7] tells what a provider throws, with its cause', async () => {
    const p = await program();
    const { agent: parent } = await p.root();
    const cause = new Error('boom');
    p.runtime.registerProvider({
      ...p.runtime.getProvider('spawn')!,
      name: 'broken',
      start: () => Promise.reject(cause),
    });
    await expect(p.runtime.start('broken', request(parent))).rejects.toMatchObject({
      code: 'PROVIDER_FAILED',
      cause,
    });
  });

  it('[M49] is for the exact live agent', async () => {
    const p = await program();
    const handle = await p.root();
    await handle.dispose();
    await expect(p.runtime.start('spawn', request(handle.agent))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    await p.agents.resume({ id: handle.agent.id }).catch(() => p.root());
    await expect(p.runtime.start('spawn', request(handle.agent))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('[M41] is refused where a drain began while its provider was at work', async () => {
    const p = await program({ scripts: { main: [held] } });
    const { agent: parent } = await p.root();
    const starting = p.runtime.start('fork', request(parent));
    const draining = p.runtime.drain();
    await expect(starting).rejects.toMatchObject({ code: 'DRAINING' });
    await draining;
    expect(p.model('main').requests).toEqual([]);
  });

  it('[M44] is undone with the child that it works for', async () => {
    const p = await program({ scripts: { main: [held, held] } });
    const { agent: root } = await p.root();
    const kiwi = await managedChild(p, root);
    const run = await p.runtime.start('spawn', request(kiwi));
    await settle();
    await p.host.stopChildren(root.id, [kiwi.id]);
    expect(await run.result).toMatchObject({ stopReason: 'aborted' });
    expect(p.agents.list()).toEqual([root]);
  });

  it('[M42] is found by a drain at any depth below a managed child', async () => {
    const p = await program({
      scripts: { main: [held, held, held, held] },
      subagents: { limits: { maxDepth: 9 } },
    });
    const { agent: root } = await p.root();
    const kiwi = await managedChild(p, root);
    let parent = kiwi;
    for (let depth = 0; depth < 3; depth += 1) {
      const run = await p.runtime.start('spawn', request(parent));
      await settle();
      parent = p.agents.get(run.id)!;
    }
    await p.runtime.drainContinuableDescendants([kiwi]);
    expect(p.agents.list()).toEqual([root, kiwi]);
    await p.runtime.drain();
  });
});
