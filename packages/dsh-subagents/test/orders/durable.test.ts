import { describe, expect, it } from 'vitest';
import { heldDriver } from '../rig/held-driver.ts';
import { live } from '../rig/tree.ts';
import { id, messageId, openWorld, text, type WorldOptions } from '../rig/world.ts';
import { addTool, call } from './tools.ts';

const durable = { subagents: { inbox: 'durable' } } as const;

/** A child in a turn, with m1 and m2 waiting. */
async function waiting(options: WorldOptions = {}) {
  const world = await openWorld({
    ...durable,
    ...options,
    scripts: { kiwi: [{ text: 'busy', hold: 'end' }] },
  });
  const root = await world.root();
  root.agent.followup({ content: 'begin', source: { kind: 'user' } });
  await root.agent.whenIdle();
  await world.start(root.agent, 'kiwi');
  await world.rest();
  for (const name of ['m1', 'm2']) {
    await world.runtime.sendMessage(root.agent, id('kiwi'), text(name), { messageId: messageId(name) });
  }
  return { world, root };
}

const readsOf = (log: readonly string[]): readonly string[] =>
  log.filter((line) => line.startsWith('kiwi reads'));

describe('what waits in a durable inbox', () => {
  it('is kept when the program ends, and handled once after the next resume [O17 A24 A31]', async () => {
    const { world } = await waiting();
    await world[Symbol.asyncDispose]();
    expect(world.log).not.toContain('kiwi discards disposed');
    const next = await openWorld({ ...durable, medium: world.medium });
    const root = await next.agents.resume({ id: id('root') });
    const m3 = await next.runtime.sendMessage(root.agent, id('kiwi'), text('m3'));
    await next.runtime.whenQuiescent(id('root'));
    expect(readsOf(next.log)).toHaveLength(3);
    expect(next.model('kiwi').requests).toHaveLength(1);
    await next.runtime.sendMessage(root.agent, id('kiwi'), text('m4'));
    await next.runtime.whenQuiescent(id('root'));
    expect(readsOf(next.log)).toHaveLength(4);
    expect(m3).toBeTypeOf('string');
  });

  it('waits on when a cold start for another message is undone because the parent was replaced; no model is asked [O18 M20 M24]', async () => {
    const held = heldDriver();
    const { world, root } = await waiting({ wrapDriver: held.wrap });
    await world.host.stopChildren(id('root'), [id('kiwi')]);
    const release = held.hold('take');
    const sent = world.runtime
      .sendMessage(root.agent, id('kiwi'), text('m3'))
      .catch((error: unknown) => error);
    await world.rest();
    await root.dispose();
    release();
    expect(await sent).toMatchObject({ code: 'ACTIVATION_CLOSING' });
    await world.rest();
    expect(world.model('kiwi').requests).toHaveLength(1);
    expect(readsOf(world.log)).toHaveLength(1);
    const again = await world.agents.resume({ id: id('root') });
    await world.runtime.sendMessage(again.agent, id('kiwi'), text('m4'));
    await world.runtime.whenQuiescent(id('root'));
    expect(readsOf(world.log)).toHaveLength(4);
    const shown = JSON.stringify(world.model('kiwi').requests.at(-1)?.messages);
    expect(['m1', 'm2', 'm3', 'm4'].map((name) => shown.includes(`"${name}"`))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it('of a parent is not inherited by a child that it forks meanwhile [O19 A31 M50]', async () => {
    const world = await openWorld({
      ...durable,
      scripts: { root: [{ text: 'first', hold: 'end' }, call('fork'), 'forked', 'm9 done'] },
    });
    addTool(world, 'fork', async (agent) => (await world.start(agent, 'kiwi', { provider: 'fork' })).childId);
    const root = await world.agents.create({ id: id('root'), inbox: 'durable' });
    const say = (content: string) => root.agent.followup({ content, source: { kind: 'user' } });
    say('begin');
    await world.rest();
    say('m8');
    say('m9');
    const taken: string[] = [];
    world.runtime.on('subagent/start', () => {
      taken.push(
        `root has ${root.agent.inbox.list().length}`,
        `kiwi has ${live(world, 'kiwi').inbox.list().length}`,
      );
    });
    world.model('root').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(taken).toEqual(['root has 1', 'kiwi has 0']);
    expect(readsOf(world.log)).toEqual(['kiwi reads delegated-task 1.0']);
    expect(JSON.stringify(world.model('kiwi').requests.map(({ messages }) => messages))).not.toContain('m9');
  });
});
