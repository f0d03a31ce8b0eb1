import { fromJsonSchema, type Agent } from '@deepseek-ai/dsh-agent';
import { deferred } from '@dsh-internal/async';
import { describe, expect, it } from 'vitest';
import type { SubagentRun } from '../../src/provider.ts';
import { collect, id } from '../memory-store.ts';
import { heldDriver } from '../rig/held-driver.ts';
import { openWorld } from '../rig/world.ts';
import { program, settle, type Program } from '../program.ts';

const held = { text: 'Half', hold: 'open' };

async function background(p: Program, parent: Agent, label = 'x'): Promise<SubagentRun> {
  const run = await p.runtime.start('spawn', { label, prompt: 'Go.', parent });
  await settle();
  return run;
}

describe('one-shot runs in a drain', () => {
  it('[M41] are aborted at once and awaited', async () => {
    const p = await program({ scripts: { main: [held] } });
    const { agent: parent } = await p.root();
    const run = await background(p, parent);
    const child = p.agents.get(run.id)!;
    const draining = p.runtime.drain();
    expect(child.status).toBe('closing');
    await draining;
    expect(await run.result).toEqual({ stopReason: 'aborted', output: 'Half' });
    expect(p.agents.list()).toEqual([parent]);
    await run.dispose();
  });

  it('[M41] are released child-first', async () => {
    const p = await program({ scripts: { main: [held, held] } });
    const { agent: parent } = await p.root();
    const outer = await background(p, parent);
    const inner = await background(p, p.agents.get(outer.id)!);
    const gone: string[] = [];
    p.agents.on('agent/disposed', ({ agent }) => {
      gone.push(agent.id);
    });
    await p.runtime.drain();
    expect(gone).toEqual([inner.id, outer.id]);
  });

  it('[M42] go on where they are below another root', async () => {
    const p = await program({ scripts: { main: [held, held, held] } });
    const first = await p.root('r1');
    const second = await p.root('r2');
    const mine = await background(p, first.agent);
    const deeper = await background(p, p.agents.get(mine.id)!);
    const other = await background(p, second.agent);
    await p.runtime.drainContinuableDescendants([first.agent]);
    expect(p.agents.list().map((agent) => agent.id)).toEqual(['r1', 'r2', other.id]);
    expect(await deeper.result).toMatchObject({ stopReason: 'aborted' });
    await p.runtime.drain();
  });

  it('[M41] that are only beginning are undone', async () => {
    const p = await program();
    const { agent: parent } = await p.root();
    const starting = p.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent });
    const draining = p.runtime.drain();
    await expect(starting).rejects.toMatchObject({ code: 'DRAINING' });
    await draining;
    expect(p.agents.list()).toEqual([parent]);
    expect(p.told).toEqual([]);
    expect(await collect(p.runtime.listChildren(id('root')))).toEqual([]);
  });

  it('[M41] that start from a listener of the drain are refused', async () => {
    const p = await program({ scripts: { main: [held] } });
    const { agent: parent } = await p.root();
    await background(p, parent);
    const late = deferred<unknown>();
    p.runtime.on('subagent/end', () => {
      p.runtime.start('spawn', { label: 'y', prompt: 'Go.', parent }).then(late.resolve, late.resolve);
    });
    await p.runtime.drain();
    expect(await late.promise).toMatchObject({ code: 'DRAINING' });
  });

  it('[M31 M41] do not hold it up with a tool that does not stop', async () => {
    const p = await program({ scripts: { main: [{ calls: [{ tool: 'stuck' }] }] } });
    p.tools.register({
      name: 'stuck',
      description: 'Never ends.',
      inputSchema: fromJsonSchema({ type: 'object' }),
      execute: () => new Promise<string>(() => undefined),
    });
    const { agent: parent } = await p.root();
    const run = await background(p, parent);
    const draining = p.runtime.drain();
    for (let step = 0; step < 10; step += 1) {
      await settle();
      p.clock.advance(10_000);
    }
    await draining;
    expect(await run.result).toMatchObject({ stopReason: 'aborted' });
    expect(p.agents.list()).toEqual([parent]);
  });
});

describe('a one-shot below an Activation', () => {
  it('[M25 M29] keeps it resident, and is gone before it', async () => {
    const p = await program({ scripts: { main: ['Ok.', held, held] } });
    const { agent: root } = await p.root();
    await p.runtime.startContinuable({
      ...{ provider: 'spawn', label: 'parent', childId: id('parent') },
      request: { prompt: 'Go.', parent: root },
    });
    const parent = p.agents.get(id('parent'))!;
    const run = await background(p, parent);
    await settle();
    expect(p.agents.get(id('parent'))).toBe(parent);
    const gone: string[] = [];
    p.agents.on('agent/disposed', ({ agent }) => {
      gone.push(agent.id);
    });
    await p.host.stopChildren(id('root'), [id('parent')]);
    expect(gone).toEqual([run.id, 'parent']);
    expect(await run.result).toMatchObject({ stopReason: 'aborted' });
  });

  it('[M25] lets it settle once the run is disposed of', async () => {
    const p = await program({ scripts: { main: ['Ok.', 'Done.', 'Thanks.'] } });
    const { agent: root } = await p.root();
    await p.runtime.startContinuable({
      ...{ provider: 'spawn', label: 'parent', childId: id('parent') },
      request: { prompt: 'Go.', parent: root },
    });
    const run = await background(p, p.agents.get(id('parent'))!);
    await run.result;
    await settle();
    expect(p.agents.get(id('parent'))).toBeDefined();
    await run.dispose();
    await p.runtime.whenQuiescent(id('root'));
    expect(p.agents.get(id('parent'))).toBeUndefined();
  });

  it('are told to be gone when their disposal has answered, also where a store keeps their places [M31 M41]', async () => {
    const held = heldDriver();
    const world = await openWorld({
      ...{ wrapDriver: held.wrap, limits: { graceMs: 2_000 } },
      subagents: { timeouts: { disposalMs: 1_000 } },
    });
    const { agent: root } = await world.root();
    const gone: string[] = [];
    world.agents.on('agent/disposed', ({ agent }) => gone.push(agent.id));
    const run = await world.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent: root });
    await world.rest();
    held.hold('release');
    const disposed = run.dispose().then(
      () => [...gone],
      () => [...gone],
    );
    await world.rest();
    world.clock.advance(1_000);
    expect(await disposed).toEqual([run.id]);
  });
});
