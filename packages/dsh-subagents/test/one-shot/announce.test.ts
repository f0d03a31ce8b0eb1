/** A one-shot in the background: its parent is told how it ended, by the rules of every notice. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import { spawnProvider } from '../../src/index.ts';
import { heldDriver } from '../rig/held-driver.ts';
import { id, openWorld, type World } from '../rig/world.ts';
import { addTool, call } from '../orders/tools.ts';

const held = [{ text: 'the result', hold: 'end' }];
const announced = (world: World, parent: Agent, label = 'x', provider = 'spawn') =>
  world.runtime.start(provider, { label, prompt: 'Go.', parent, announce: true });
const told = (world: World, name = 'root'): readonly string[] =>
  world.log.filter((line) => line.startsWith(name) && line.endsWith('subagent-settled'));

describe('a one-shot that nobody waits for', () => {
  it('keeps its tree from being quiescent until its parent was told [M33 T6]', async () => {
    const world = await openWorld({ scripts: { x: held } });
    const root = await world.root();
    await announced(world, root.agent);
    let quiescent = false;
    const waited = world.runtime.whenQuiescent(id('root')).then(() => {
      quiescent = true;
    });
    await world.rest();
    expect(quiescent).toBe(false);
    world.model('x').release('end');
    await waited;
    expect(told(world)).toEqual(['root accepts subagent-settled']);
    expect(root.agent.session.turns).toBe(1);
    expect(world.agents.list()).toEqual([root.agent]);
    expect(JSON.stringify(root.agent.session.events())).toContain('the result');
  });

  it('keeps a managed parent until it was told [M35 T6]', async () => {
    // A run of another making keeps no parent by itself.
    const world = await openWorld({ scripts: { x: held } });
    const spawn = spawnProvider({ name: 'foreign' });
    const start: typeof spawn.start = async (request) => {
      const run = await spawn.start(request);
      const result = run.result.then(async (given) => {
        await run.dispose();
        await world.rest();
        return given;
      });
      return { ...run, result };
    };
    world.runtime.registerProvider({ ...spawn, start });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await announced(world, world.agents.get(id('kiwi'))!, 'x', 'foreign');
    await world.rest();
    world.model('x').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(told(world, 'kiwi')).toEqual(['kiwi accepts subagent-settled']);
    expect(world.diagnostics).toEqual([]);
  });

  it('of another making that fails at every turn is told as an error, and reported [M33 T6]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const boom = (): Promise<never> => Promise.reject(new Error('boom'));
    const start = async () => {
      const result = boom();
      result.catch(() => undefined);
      return { id: id('far'), result, dispose: boom, [Symbol.asyncDispose]: boom };
    };
    world.runtime.registerProvider({ ...spawnProvider({ name: 'foreign' }), start });
    await announced(world, root.agent, 'x', 'foreign');
    await world.runtime.whenQuiescent(id('root'));
    expect(told(world)).toEqual(['root accepts subagent-settled']);
    const [notice] = root.agent.session.history();
    expect(notice).toMatchObject({ source: { childSessionId: 'far', outcome: 'error', hops: 2 } });
    expect(world.diagnostics.map(({ code }) => code)).toEqual(['one-shot-not-disposed']);
  });

  it('is not told of after a drain, whether it was aborted or had just ended [M41 T6]', async () => {
    const driver = heldDriver();
    const world = await openWorld({ wrapDriver: driver.wrap, scripts: { x: held, y: held } });
    const root = await world.root();
    await announced(world, root.agent);
    await announced(world, root.agent, 'y');
    const release = driver.hold('release');
    world.model('x').release('end');
    await world.rest();
    const drained = world.runtime.drainContinuableDescendants([root.agent]);
    await world.rest();
    release();
    await drained;
    await world.runtime.whenQuiescent(id('root'));
    expect(told(world)).toEqual([]);
    expect(root.agent.session.turns).toBe(0);
  });

  it('is not told of where its caller has aborted it, and is disposed all the same [T6]', async () => {
    const world = await openWorld({ scripts: { x: held } });
    const { agent: parent } = await world.root();
    const caller = new AbortController();
    const request = { label: 'x', prompt: 'Go.', parent, announce: true, signal: caller.signal };
    await world.runtime.start('spawn', request);
    await world.rest();
    caller.abort();
    await world.runtime.whenQuiescent(id('root'));
    expect(world.agents.list()).toEqual([parent]);
    expect(told(world)).toEqual([]);
  });

  it('takes part in the count of steps: two that wake each other for ever are stopped, visibly [M47 T6]', async () => {
    const script = (_request: unknown, index: number) => (index % 2 === 0 ? call('delegate') : 'waiting');
    const world = await openWorld({ subagents: { limits: { maxHops: 6 } } });
    world.model('root').push(...Array.from({ length: 100 }, (_, index) => script(undefined, index)));
    addTool(world, 'delegate', async (agent) => (await announced(world, agent)).id);
    const root = await world.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('start'))).toHaveLength(4);
    expect(told(world).at(-1)).toBe('root gets subagent-settled');
  });
});

it('a one-shot is disposed after what its own agent has started: nothing below outlives it [M41 M49]', async () => {
  const world = await openWorld({ scripts: { outer: held, inner: held } });
  const root = await world.root();
  const run = await world.runtime.start('spawn', { label: 'outer', prompt: 'Go.', parent: root.agent });
  const inner = await announced(world, world.agents.get(run.id)!, 'inner');
  world.model('outer').release('end');
  await run.result;
  expect(world.agents.get(inner.id)).toBeDefined();
  await run.dispose();
  expect(world.log.filter((line) => line.startsWith('gone'))).toEqual([`gone ${inner.id}`, `gone ${run.id}`]);
});
