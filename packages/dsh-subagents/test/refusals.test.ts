/** What is refused before anything is done. */
import { describe, expect, it } from 'vitest';
import { createSubagents, spawnProvider, type SubagentProvider } from '../src/index.ts';
import { collect } from './memory-store.ts';
import { chain } from './rig/tree.ts';
import { containing, id, openWorld, text } from './rig/world.ts';

describe('a runtime', () => {
  it('is not made over packages of another protocol, but over a loop without a mark [M1]', async () => {
    const world = await openWorld();
    const { agents, sessions, tools } = world;
    const later = { name: 'dsh-agent/registry' as const, version: 99 };
    expect(() =>
      createSubagents({ agents: { ...agents, protocol: later } as typeof agents, sessions }),
    ).toThrow(/^No subagent runtime was made: /);
    const stranger = { ...tools, protocol: { ...tools.protocol, name: 'other' } } as unknown as typeof tools;
    expect(() => createSubagents({ agents, sessions, tools: stranger })).toThrow(
      /No subagent runtime was made/,
    );
    const strangeStore = {
      ...sessions,
      protocol: { name: 'other', version: 1 },
    } as unknown as typeof sessions;
    expect(() => createSubagents({ agents, sessions: strangeStore })).toThrow(/No subagent runtime was made/);
    const { protocol, ...unmarked } = agents;
    expect(protocol.version).toBe(1);
    expect(createSubagents({ agents: unmarked, sessions }).runtime.providers()).toEqual([]);
  });
});

describe('a provider', () => {
  it('needs a name of its own and something to start with; its disposal takes only itself away [M7]', async () => {
    const { runtime } = await openWorld();
    for (const odd of [{}, { ...spawnProvider(), name: '' }, { name: 'x' }, { ...spawnProvider(), name: 7 }])
      expect(() => runtime.registerProvider(odd as SubagentProvider)).toThrow(/needs a name and `start`/);
    expect(() => runtime.registerProvider(spawnProvider())).toThrow(/there is a provider "spawn" already/);
    const told: string[] = [];
    runtime.on('subagent/provider-added', ({ name }) => told.push(`+${name}`));
    runtime.on('subagent/provider-removed', ({ name }) => told.push(`-${name}`));
    const first = runtime.registerProvider(spawnProvider({ name: 'x' }));
    first.dispose();
    const second = spawnProvider({ name: 'x' });
    runtime.registerProvider(second);
    first.dispose();
    expect(runtime.getProvider('x')).toBe(second);
    expect(told).toEqual(['+x', '-x', '+x']);
  });

  it('is not asked for what it cannot do [M7 M11]', async () => {
    const world = await openWorld();
    const root = await world.root();
    const bare = { ...spawnProvider(), name: 'bare' };
    const capabilities = { ...bare.capabilities, persona: false, toolFilter: false };
    world.runtime.registerProvider({ ...bare, capabilities });
    for (const [wish, what] of [
      [{ persona: 'You know kiwis.' }, 'a persona'],
      [{ toolFilter: { allow: [] } }, 'a tool filter'],
    ] as const) {
      const request = { prompt: 'x', parent: root.agent, ...wish };
      await expect(world.start(root.agent, 'kiwi', { provider: 'bare', request })).rejects.toMatchObject({
        code: 'UNSUPPORTED_CAPABILITY',
        message: containing(what),
      });
    }
    expect(world.log).toEqual([]);
  });
});

describe('a stored tree', () => {
  it('is deleted leaves first, and not while anything of it is live [M45]', async () => {
    const gone: unknown[] = [];
    const { world, root, release } = await chain(['a', 'b'], {
      wrapDriver: (driver) =>
        new Proxy(driver, {
          get(target, key) {
            const member: unknown = Reflect.get(target, key, target);
            if (typeof member !== 'function') return member;
            return (...args: unknown[]): unknown => {
              if (key === 'delete') gone.push(args[0]);
              return Reflect.apply(member, target, args) as unknown;
            };
          },
        }),
    });
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await root.agent.whenIdle();
    const refused = (name: string) => ({
      code: 'ACTIVATION_CLOSING',
      message: containing(`Nothing was deleted: ${name} is live`),
    });
    await expect(world.host.deleteTree(id('root'))).rejects.toMatchObject(refused('root'));
    await root.dispose();
    await expect(world.host.deleteTree(id('root'))).rejects.toMatchObject(refused('a'));
    expect(gone).toEqual([]);
    release('a', 'b');
    await world.rest();
    await world.runtime.whenQuiescent(id('root'));
    await world.host.deleteTree(id('root'));
    expect(gone).toEqual(['b', 'a', 'root']);
    expect(await collect(world.sessions.list())).toEqual([]);
  });

  it('is not deleted while a one-shot child or anything stored below it is live [M45]', async () => {
    const world = await openWorld({ scripts: { x: [{ text: 'x', hold: 'end' }] } });
    const root = await world.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await root.agent.whenIdle();
    const run = await world.runtime.start('spawn', { label: 'x', prompt: 'Go.', parent: root.agent });
    await world.rest();
    await root.dispose();
    const refused = (name: string) => ({
      code: 'ACTIVATION_CLOSING',
      message: containing(`Nothing was deleted: ${name} is live`),
    });
    const asked = () => world.host.deleteTree(id('root'));
    await expect(asked()).rejects.toMatchObject(refused('a one-shot child below root'));
    await run.dispose();
    const guest = await world.sessions.open(run.id);
    await expect(asked()).rejects.toMatchObject(refused(run.id));
    await world.sessions.close(guest);
    await asked();
    expect(await collect(world.sessions.list())).toEqual([]);
  });
});

describe('the tokens of a tree', () => {
  it('are told for each live agent by its own log, what a fork inherited not counted [M46 M48]', async () => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    const answers = [
      { text: 'one', usage },
      { text: 'two', usage },
    ];
    const world = await openWorld({
      scripts: { root: answers, kiwi: [{ text: 'mine', usage }] },
      subagents: { keepWarmMs: 60_000 },
    });
    const root = await world.root();
    expect(world.runtime.usage(id('root'))).toEqual([]);
    expect(world.runtime.usage(id('nobody'))).toEqual([]);
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await root.agent.whenIdle();
    await world.start(root.agent, 'kiwi', { provider: 'fork' });
    await world.rest();
    expect(world.runtime.usage(id('root'))).toEqual([
      { id: 'root', usage },
      { id: 'kiwi', usage },
    ]);
  });
});

describe('the effort of a parent', () => {
  it('goes to children of the same model, over a resume too, and not to those of another [M10 M21]', async () => {
    const world = await openWorld({ models: ['scripted', 'other'] });
    const { agent } = await world.agents.create({ id: id('root'), effort: 'high' });
    await world.start(agent, 'kiwi');
    await world.start(agent, 'plum', { request: { prompt: 'x', parent: agent, model: 'other' } });
    await world.runtime.whenQuiescent(id('root'));
    await world.runtime.sendMessage(agent, id('kiwi'), text('again'));
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests.map(({ effort }) => effort)).toEqual(['high', 'high']);
    expect(world.model('plum').requests.map(({ effort }) => effort)).toEqual([undefined]);
  });
});
