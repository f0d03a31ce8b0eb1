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

  it('to a child in whose durable inbox it still waits has it read, once, and its parent told [M17 M33 A31]', async () => {
    const world = await openWorld({
      subagents: { inbox: 'durable' },
      scripts: { kiwi: [{ text: 'at work', hold: 'end' }, 'read'] },
    });
    const root = await world.root();
    root.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await root.agent.whenIdle();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    const send = (parent = root.agent) =>
      world.runtime.sendMessage(parent, id('kiwi'), text('Once.'), { messageId: messageId('m1') });
    await send();
    await world.host.disposeRoot(root);
    const again = await world.agents.resume({ id: id('root') });
    await expect(send(again.agent)).resolves.toBe('m1');
    await world.runtime.whenQuiescent(id('root'));
    const seen = JSON.stringify(world.model('kiwi').requests.at(-1)?.messages);
    expect(seen.match(/Once\./g)).toHaveLength(1);
    expect(world.log.filter((line) => line.startsWith('end kiwi'))).toEqual([
      'end kiwi aborted',
      'end kiwi completed',
    ]);
  });
});
