import { describe, expect, it } from 'vitest';
import { fromJsonSchema } from '@deepseek-ai/dsh-agent';
import { heldDriver } from '../rig/held-driver.ts';
import { live } from '../rig/tree.ts';
import { id, openWorld, text, type World } from '../rig/world.ts';

const tool = (name: string) => ({
  ...{ name, description: name, inputSchema: fromJsonSchema({ type: 'object' }) },
  execute: () => 'ok',
});
const started = (world: World): boolean => world.log.some((line) => line.startsWith('start'));

describe('what a caller hands over', () => {
  it.each([
    ['a label that is none', { label: 5 }],
    ['a filter that is none', { request: { toolFilter: [] } }],
    ['a filter with a text for a list', { request: { toolFilter: { deny: 'write' } } }],
    ['a filter with an unknown member', { request: { toolFilter: { permit: ['x'] } } }],
    ['a depth that is no count', { request: { maxDepth: 1.5 } }],
    ['a prompt that is none', { request: { prompt: 5 } }],
    ['a blank prompt', { request: { prompt: ' ' } }],
    ['a block that is none', { request: { prompt: [{ type: 'text' }] } }],
  ])('%s is refused before anything begins [M1 M11]', async (_name, wrong) => {
    const world = await openWorld();
    const root = await world.root();
    const request = { prompt: 'x', parent: root.agent, ...('request' in wrong ? wrong.request : {}) };
    const bad = { ...wrong, request } as Partial<Parameters<typeof world.start>[2]>;
    await expect(world.start(root.agent, 'kiwi', bad)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(started(world)).toBe(false);
  });

  it('refuses a message that no model could be shown, and the child stays usable [M12 M16]', async () => {
    const world = await openWorld();
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    for (const content of [[null], [{ type: 'text' }], [{ type: 'tool-call' }], 'text', []]) {
      const sent = world.runtime.sendMessage(root.agent, id('kiwi'), content as never);
      await expect(sent).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    }
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('fine'));
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end kiwi completed');
    await expect(world.runtime.sendMessage(undefined as never, id('kiwi'), text('x'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});

it('keeps outcome and output when a flush never ends [M30]', async () => {
  const held = heldDriver();
  const world = await openWorld({
    wrapDriver: held.wrap,
    limits: { graceMs: 100 },
    subagents: { timeouts: { flushMs: 100, disposalMs: 1_500 } },
    scripts: { kiwi: ['the result'] },
  });
  const root = await world.root();
  const ends: unknown[] = [];
  world.runtime.on('subagent/end', ({ outcome, output }) => ends.push({ outcome, output }));
  await world.start(root.agent, 'kiwi');
  held.hold('append');
  for (let round = 0; round < 20 && ends.length === 0; round += 1) {
    await world.rest();
    world.clock.advance(100);
  }
  expect(ends).toEqual([{ outcome: 'completed', output: 'the result' }]);
});

it('stops no one-shot below a root that is not the child of the presented parent [M44]', async () => {
  const world = await openWorld({ scripts: { one: [{ text: 'x', hold: 'end' }] } });
  const [first, second] = [await world.root('first'), await world.root('second')];
  first.agent.followup({ content: 'hello', source: { kind: 'user' } });
  await first.agent.whenIdle();
  await world.sessions.flush(first.agent.session);
  const run = await world.runtime.start('spawn', { label: 'one', prompt: 'x', parent: first.agent });
  await expect(world.host.stopChildren(second.agent.id, [first.agent.id])).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
  await world.rest();
  world.model('one').release('end');
  expect(await run.result).toMatchObject({ stopReason: 'completed' });
  await run.dispose();
});

it('gives a resumed fork none of the tools that its parent got later [M11 M38]', async () => {
  const world = await openWorld();
  const root = await world.root();
  world.tools.register(tool('mine'), root.agent);
  root.agent.followup({ content: 'hello', source: { kind: 'user' } });
  await root.agent.whenIdle();
  await world.start(root.agent, 'kiwi', { provider: 'fork' });
  const names = (): readonly string[] => world.tools.schemas(live(world, 'kiwi')).map(({ name }) => name);
  expect(names()).toEqual(['mine']);
  await world.runtime.whenQuiescent(id('root'));
  world.tools.register(tool('later'), root.agent);
  await world.runtime.sendMessage(root.agent, id('kiwi'), text('again'));
  expect(names()).toEqual(['mine']);
});

it('reports nothing for a start that is rolled back [M5]', async () => {
  const world = await openWorld();
  const root = await world.root();
  world.runtime.on('subagent/start', () => {
    root.agent.cancel('user');
    root.stop('user');
  });
  await expect(world.start(root.agent, 'kiwi')).rejects.toMatchObject({ code: 'ACTIVATION_CLOSING' });
  expect(world.diagnostics).toEqual([]);
});

it('lets a parent interrupt its stored child while a stranger tries to start one of its name [M39]', async () => {
  const world = await openWorld();
  const [root, stranger] = [await world.root(), await world.root('stranger')];
  await world.start(root.agent, 'kiwi');
  await world.runtime.whenQuiescent(id('root'));
  const refused = world.start(stranger.agent, 'kiwi').catch((error: unknown) => error);
  const nothing = { kept: [], discarded: [], descendantsRunning: 0 };
  expect(await world.runtime.interrupt(id('kiwi'), root.agent)).toEqual(nothing);
  expect(await world.host.interrupt(id('kiwi'), { parentSessionId: id('root') })).toEqual(nothing);
  expect(await refused).toMatchObject({ code: 'DUPLICATE_CHILD' });
});
