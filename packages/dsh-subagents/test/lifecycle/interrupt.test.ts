import { describe, expect, it } from 'vitest';
import { id, messageId, text } from '../rig/world.ts';
import { chain, conditions, live } from '../rig/tree.ts';

describe('interrupt', () => {
  it('ends the turn, keeps what waits and what is below, and says so [M39 M40]', async () => {
    const { world, root, release } = await chain(['a', 'b', 'c']);
    await world.runtime.sendMessage(live(world, 'a'), id('b'), text('later'), { messageId: messageId('m1') });
    const receipt = await world.runtime.interrupt(id('b'), root.agent);
    expect(receipt).toEqual({ turn: 0, kept: ['m1'], discarded: [], descendantsRunning: 1 });
    await world.rest();
    expect(live(world, 'c').status).toBe('running');
    expect(await conditions(world, 'a')).toEqual(['b waiting']);
    expect(live(world, 'b').inbox.parked).toBe(true);
    release('c');
    await world.rest();
    expect(world.log.filter((line) => line.startsWith('b reads')).at(-1)).toBe(
      'b reads subagent-settled 1.0',
    );
  });

  it('discards on demand, and the child settles aborted [M40]', async () => {
    const { world, root } = await chain(['a']);
    await world.runtime.sendMessage(root.agent, id('a'), text('later'), { messageId: messageId('m1') });
    const receipt = await world.runtime.interrupt(id('a'), root.agent, { discard: true });
    expect(receipt.discarded).toEqual(['m1']);
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end a aborted');
  });

  it('is for ancestors alone: refused for itself, downward strangers, and by a stale object also for absent ids [M39]', async () => {
    const { world, root } = await chain(['a', 'b']);
    const other = await world.root('other');
    const refused = { code: 'UNAUTHORIZED' };
    await expect(world.runtime.interrupt(id('a'), live(world, 'a'))).rejects.toMatchObject(refused);
    await expect(world.runtime.interrupt(id('a'), live(world, 'b'))).rejects.toMatchObject(refused);
    await expect(world.runtime.interrupt(id('a'), other.agent)).rejects.toMatchObject(refused);
    await expect(world.runtime.interrupt(id('absent'), root.agent)).rejects.toMatchObject(refused);
    await other.dispose();
    await expect(world.runtime.interrupt(id('absent'), other.agent)).rejects.toMatchObject(refused);
    expect(live(world, 'a').status).toBe('running');
  });

  it('is an accepted no-op for an own child that has settled [M39]', async () => {
    const { world, root, release } = await chain(['a']);
    release('a');
    await world.runtime.whenQuiescent(id('root'));
    expect(await world.runtime.interrupt(id('a'), root.agent)).toEqual({
      kept: [],
      discarded: [],
      descendantsRunning: 0,
    });
    expect(await world.host.interrupt(id('a'), { parentSessionId: id('root') })).toMatchObject({ kept: [] });
  });

  it('by the host needs the durable parent, live or not [M39]', async () => {
    const { world } = await chain(['a', 'b']);
    await expect(world.host.interrupt(id('b'), { parentSessionId: id('root') })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await world.host.interrupt(id('b'), { parentSessionId: id('a') })).toMatchObject({ turn: 0 });
  });

  it('of a person holds until a person writes: a child’s notice does not start it again [M40 A20]', async () => {
    const { world, release } = await chain(['a', 'b']);
    await world.runtime.sendMessage(live(world, 'b'), id('a'), text('half a result'));
    await world.host.interrupt(id('a'), { parentSessionId: id('root') });
    release('b');
    await world.rest();
    expect(live(world, 'a').inbox.parked).toBe(true);
    expect(live(world, 'a').inbox.list()).toHaveLength(2);
    await world.host.prompt(id('a'), { parentSessionId: id('root'), content: 'go on' });
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('a reads'))).toHaveLength(4);
  });
});
