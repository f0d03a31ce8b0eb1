import { describe, expect, it } from 'vitest';
import { id, messageId, openWorld, text } from '../rig/world.ts';

describe('a message that is sent again', () => {
  it('to a child that has read it and left is answered with its id, and tells its parent of no end [M17 M33]', async () => {
    const world = await openWorld();
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.runtime.whenQuiescent(id('root'));
    const send = () =>
      world.runtime.sendMessage(root.agent, id('kiwi'), text('Once.'), { messageId: messageId('m1') });
    await send();
    await world.runtime.whenQuiescent(id('root'));
    const heard = world.log.filter((line) => line.includes('subagent-settled')).length;
    await expect(send()).resolves.toBe('m1');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests).toHaveLength(2);
    expect(world.log.filter((line) => line.includes('subagent-settled'))).toHaveLength(heard);
  });
});
