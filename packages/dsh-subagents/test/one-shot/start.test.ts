import type { Agent } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import type { SubagentRun } from '../../src/index.ts';
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

  describe('whose provider never answers', () => {
    /** Its run comes when the test lets it come. */
    async function deaf() {
      const p = await program();
      const root = await p.root();
      const asked: AbortSignal[] = [];
      const disposals: string[] = [];
      let answer!: () => void;
      const late = new Promise<SubagentRun>((resolve) => {
        const dispose = async (): Promise<void> => {
          disposals.push('late');
        };
        answer = () => {
          resolve({
            ...{ id: id('late'), dispose, result: new Promise(() => undefined) },
            [Symbol.asyncDispose]: dispose,
          });
        };
      });
      p.runtime.registerProvider({
        ...p.runtime.getProvider('spawn')!,
        name: 'deaf',
        start: ({ signal }) => {
          asked.push(signal!);
          return late;
        },
      });
      return { p, root, asked, disposals, answer };
    }

    const stopByCaller = async (_p: Program, _root: Agent, caller: AbortController): Promise<void> => {
      caller.abort({ code: 'ENOUGH' });
    };

    it.each([
      ['its caller', 'ENOUGH', stopByCaller],
      ['a drain of all', 'DRAINING', (p: Program) => p.runtime.drain()],
      [
        'a drain below its parent',
        'DRAINING',
        (p: Program, root: Agent) => p.runtime.drainContinuableDescendants([root]),
      ],
    ])('ends by %s, and disposes of what comes late [M31 M41 M49]', async (_by, code, end) => {
      const { p, root, asked, disposals, answer } = await deaf();
      const stop = new AbortController();
      const starting = p.runtime.start('deaf', { ...request(root.agent), signal: stop.signal });
      const told = expect(starting).rejects.toMatchObject({ code });
      await settle();
      await end(p, root.agent, stop);
      await told;
      expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
      answer();
      await settle();
      expect(disposals).toEqual(['late']);
      expect(p.agents.list()).toEqual([root.agent]);
    });

    it('may begin no run any more [M31 M49]', async () => {
      const p = await program();
      const { agent: root } = await p.root();
      let begin!: () => Promise<SubagentRun>;
      p.runtime.registerProvider({
        ...p.runtime.getProvider('spawn')!,
        name: 'deaf',
        start: ({ runAgent }) =>
          new Promise(() => {
            begin = () => runAgent({});
          }),
      });
      const stop = new AbortController();
      const starting = p.runtime.start('deaf', { ...request(root), signal: stop.signal });
      stop.abort(new Error('enough'));
      await expect(starting).rejects.toThrow('enough');
      await expect(begin()).rejects.toThrow('enough');
      expect(p.agents.list()).toEqual([root]);
    });
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
