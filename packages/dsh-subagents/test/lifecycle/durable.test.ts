import { describe, expect, it } from 'vitest';
import { live } from '../rig/tree.ts';
import { id, messageId, openWorld, text } from '../rig/world.ts';

const durable = { subagents: { inbox: 'durable' } } as const;

describe('a child with a durable inbox', () => {
  it('keeps what waits through a drain, and reads it once after the next resume [M29 A24 A31]', async () => {
    const held = { text: 'done', hold: 'end' };
    const world = await openWorld({ ...durable, scripts: { kiwi: [held, 'read it'] } });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('keep me'), { messageId: messageId('m1') });
    await world.runtime.drainContinuableDescendants([root.agent]);
    expect(world.log.filter((line) => line.startsWith('kiwi discards'))).toEqual([]);
    root.agent.followup({ content: 'hello', source: { kind: 'user' } });
    await root.agent.whenIdle();
    await root.dispose();

    const again = await openWorld({ ...durable, medium: world.medium, scripts: { kiwi: ['read it'] } });
    const parent = await again.agents.resume({ id: id('root') });
    await again.runtime.sendMessage(parent.agent, id('kiwi'), text('and me'), { messageId: messageId('m2') });
    await again.runtime.whenQuiescent(id('root'));
    const read = again.model('kiwi').requests.flatMap(({ messages }) => messages);
    const ids = read.flatMap((message) => (message.role === 'user' ? [message.id] : []));
    expect(ids.slice(-2)).toEqual(['m1', 'm2']);
    expect(again.model('kiwi').requests).toHaveLength(1);
  });

  it('runs nothing of it for a resume that admits nobody; it waits on in the log [M20 M24]', async () => {
    const world = await openWorld({ ...durable, scripts: { kiwi: [{ text: 'done', hold: 'end' }] } });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('keep me'), { messageId: messageId('m1') });
    root.agent.followup({ content: 'hello', source: { kind: 'user' } });
    await world.sessions.flush(live(world, 'kiwi').session);
    await root.agent.whenIdle();
    await world.sessions.flush(root.agent.session);
    world.crash();

    const again = await openWorld({ ...durable, medium: world.medium });
    const parent = await again.agents.resume({ id: id('root') });
    again.runtime.on('subagent/start', () => {
      parent.stop('user');
    });
    const sent = again.runtime.sendMessage(parent.agent, id('kiwi'), text('late'));
    await expect(sent).rejects.toMatchObject({ code: 'ACTIVATION_CLOSING' });
    await again.rest();
    expect(again.model('kiwi').requests).toEqual([]);
    await parent.dispose();

    const third = await openWorld({ ...durable, medium: world.medium, scripts: { kiwi: ['read it'] } });
    const last = await third.agents.resume({ id: id('root') });
    await third.runtime.sendMessage(last.agent, id('kiwi'), text('go on'));
    await third.runtime.whenQuiescent(id('root'));
    const [request] = third.model('kiwi').requests;
    expect(JSON.stringify(request?.messages)).toContain('"m1"');
  });
});
