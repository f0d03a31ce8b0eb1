import { describe, expect, it } from 'vitest';
import { heldDriver } from '../rig/held-driver.ts';
import { chain, live } from '../rig/tree.ts';
import { id, text, type WorldOptions } from '../rig/world.ts';

const below = { parentSessionId: id('kiwi'), content: 'Still there?' } as const;

/** root, and below it kiwi and plum, both stored and absent. */
async function asleep(options: WorldOptions = {}) {
  const driver = heldDriver();
  const made = await chain(['kiwi', 'plum'], { ...options, wrapDriver: driver.wrap });
  made.release('plum', 'kiwi');
  await made.world.runtime.whenQuiescent(id('root'));
  expect(made.world.agents.list()).toHaveLength(1);
  return { ...made, driver };
}

describe('a prompt that wakes ancestors', () => {
  it('keeps the start of an ancestor that a sender had joined and left again [M22 M45]', async () => {
    const { world, root, driver } = await asleep();
    const take = driver.hold('take');
    const prompted = world.host.prompt(id('plum'), { ...below, wakeAncestors: true });
    await world.rest();
    const caller = new AbortController();
    const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('And you?'), {
      signal: caller.signal,
    });
    await world.rest();
    caller.abort(new Error('the caller has left'));
    await expect(sent).rejects.toThrow('the caller has left');
    take();
    await expect(prompted).resolves.toBeTypeOf('string');
  });

  it('ends with its signal, and gives up the start that it alone wanted [M22 M45]', async () => {
    const { world, driver } = await asleep();
    const take = driver.hold('take');
    const caller = new AbortController();
    const prompted = world.host.prompt(id('plum'), {
      ...below,
      wakeAncestors: true,
      signal: caller.signal,
    });
    await world.rest();
    caller.abort(new Error('the person has left'));
    await expect(prompted).rejects.toThrow('the person has left');
    take();
    await world.rest();
    expect(world.log.filter((line) => line.endsWith('again'))).toEqual([]);
    expect(world.agents.list()).toHaveLength(1);
  });

  it('leaves a start to a sender that wants it too [M22 M45]', async () => {
    const { world, root, driver } = await asleep();
    const take = driver.hold('take');
    const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('And you?'));
    await world.rest();
    const caller = new AbortController();
    const prompted = world.host.prompt(id('plum'), {
      ...below,
      wakeAncestors: true,
      signal: caller.signal,
    });
    await world.rest();
    caller.abort(new Error('the person has left'));
    await expect(prompted).rejects.toThrow('the person has left');
    take();
    await expect(sent).resolves.toBeTypeOf('string');
    await world.runtime.whenQuiescent(id('root'));
  });

  it('waits for an ancestor that is about to leave, and wakes it again [M14 M45]', async () => {
    const driver = heldDriver();
    const { world, release } = await chain(['kiwi', 'plum'], { wrapDriver: driver.wrap });
    release('plum');
    await world.rest();
    const write = driver.hold('append');
    const stopped = world.host.stopChildren(id('root'), [id('kiwi')]);
    await world.rest();
    expect(live(world, 'kiwi').status).toBe('closing');
    const prompted = world.host.prompt(id('plum'), { ...below, wakeAncestors: true });
    await world.rest();
    write();
    await stopped;
    await expect(prompted).resolves.toBeTypeOf('string');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('start kiwi again');
  });
});

describe('a prompt under a parent that has nothing else to do', () => {
  it('keeps that parent while it reads where the child is [M13 M26 M45]', async () => {
    const driver = heldDriver();
    const { world, release } = await chain(['kiwi', 'plum'], { wrapDriver: driver.wrap });
    release('plum');
    await world.rest();
    const read = driver.hold('head');
    const prompted = world.host.prompt(id('plum'), below);
    release('kiwi');
    await world.rest();
    expect(live(world, 'kiwi').status).toBe('idle');
    read();
    await expect(prompted).resolves.toBeTypeOf('string');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('end')).slice(-2)).toEqual([
      'end plum completed',
      'end kiwi completed',
    ]);
  });
});
