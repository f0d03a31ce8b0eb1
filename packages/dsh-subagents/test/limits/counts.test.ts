import { describe, expect, it } from 'vitest';
import { heldDriver } from '../rig/held-driver.ts';
import { leftBehind } from '../rig/left-behind.ts';
import { chain, live } from '../rig/tree.ts';
import { containing, id, openWorld, text } from '../rig/world.ts';

describe('the children of one tree', () => {
  it('are bounded while they live, whoever starts them and of either kind [M46]', async () => {
    const { world, root } = await chain(['a', 'b'], { subagents: { limits: { maxLive: 3 } } });
    const run = await world.runtime.start('spawn', { label: 'once', prompt: 'x', parent: live(world, 'b') });
    await run.result;
    const refused = {
      code: 'LIMIT_REACHED',
      message: containing('3 children are live in this tree, and the limit maxLive is 3'),
    };
    await expect(world.start(root.agent, 'c')).rejects.toMatchObject(refused);
    await expect(
      world.runtime.start('spawn', { label: 'more', prompt: 'x', parent: root.agent }),
    ).rejects.toMatchObject(refused);
    const other = await world.root('other');
    await world.start(other.agent, 'free');
    await run.dispose();
    await world.start(root.agent, 'c');
    expect(await leftBehind(world, 'root', 'more')).toEqual([]);
  });

  it('are counted in the span that asks: of ten that start at once, as many go on as there are places [M46]', async () => {
    const world = await openWorld({ subagents: { limits: { maxLive: 4, maxTotal: 100 } } });
    const root = await world.root();
    const names = Array.from({ length: 10 }, (_, index) => `c${index}`);
    for (const name of names) world.model(name).push({ text: 'x', hold: 'end' });
    const results = await Promise.allSettled(names.map((name) => world.start(root.agent, name)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(world.agents.list()).toHaveLength(5);
  });

  it('count as live and not as new when they are resumed [M46]', async () => {
    const world = await openWorld({ subagents: { limits: { maxLive: 1, maxTotal: 2 } } });
    const root = await world.root();
    await world.start(root.agent, 'a');
    await world.runtime.whenQuiescent(id('root'));
    world.model('b').push({ text: 'x', hold: 'end' });
    await world.start(root.agent, 'b');
    await expect(world.runtime.sendMessage(root.agent, id('a'), text('hello'))).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: containing('Not delivered: 1 children'),
    });
    expect(world.agents.get(id('a'))).toBeUndefined();
    world.model('b').release('end');
    await world.runtime.whenQuiescent(id('root'));
    await world.runtime.sendMessage(root.agent, id('a'), text('hello'));
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('start a'))).toEqual(['start a', 'start a again']);
  });

  it('are counted over restarts by the log of the root, and a start that was undone is not [M46]', async () => {
    const held = heldDriver();
    const subagents = { limits: { maxTotal: 2 } };
    const first = await openWorld({ subagents, wrapDriver: held.wrap });
    const root = await first.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await first.start(root.agent, 'a');
    const mend = held.fail('take', new Error('no room'));
    await expect(first.start(root.agent, 'undone')).rejects.toThrow('no room');
    mend();
    await first.runtime.whenQuiescent(id('root'));
    await first.sessions.flush(root.agent.session);
    first.crash();

    const second = await openWorld({ subagents, medium: first.medium });
    const again = await second.agents.resume({ id: id('root') });
    // Nothing has read the log yet: all three take a place, and the third loses it when the log was read.
    const results = await Promise.allSettled(['b', 'c', 'd'].map((name) => second.start(again.agent, name)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(
      second.runtime.start('spawn', { label: 'once', prompt: 'x', parent: again.agent }),
    ).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: containing(
        '2 children were started in this tree, and the limit maxTotal is 2. Write to a child that exists',
      ),
    });
  });

  it('of a fork of a root begin at zero [M46]', async () => {
    const world = await openWorld({ subagents: { limits: { maxTotal: 1 } } });
    const root = await world.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await root.agent.whenIdle();
    await world.start(root.agent, 'a');
    await world.runtime.whenQuiescent(id('root'));
    const copy = await world.agents.create({
      id: id('copy'),
      seed: { session: id('root'), length: root.agent.session.length },
    });
    await world.start(copy.agent, 'b');
    await expect(world.start(copy.agent, 'c')).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });
});
