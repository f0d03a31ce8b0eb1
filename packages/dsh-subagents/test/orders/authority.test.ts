import { describe, expect, it } from 'vitest';
import { live } from '../rig/tree.ts';
import { id, messageId, openWorld, text } from '../rig/world.ts';
import { addTool, call } from './tools.ts';

describe('who may do what', () => {
  it('a root that was disposed and resumed while its child lives can write to it, interrupt it and drain it; the old object can do nothing [O22 A27 M42]', async () => {
    const world = await openWorld({
      scripts: {
        kiwi: [
          { text: 'x', hold: 'end' },
          { text: 'y', hold: 'end' },
        ],
      },
    });
    const old = await world.root();
    old.agent.followup({ content: 'begin', source: { kind: 'user' } });
    await old.agent.whenIdle();
    await world.start(old.agent, 'kiwi');
    await world.rest();
    await old.dispose();
    const { agent } = await world.agents.resume({ id: id('root') });
    const refused = { code: 'UNAUTHORIZED' };
    await expect(world.runtime.sendMessage(old.agent, id('kiwi'), text('x'))).rejects.toMatchObject(refused);
    await expect(world.runtime.interrupt(id('kiwi'), old.agent)).rejects.toMatchObject(refused);
    await expect(world.start(old.agent, 'pear')).rejects.toMatchObject(refused);
    await world.runtime.drainContinuableDescendants([old.agent]);
    expect(live(world, 'kiwi').status).toBe('running');
    await world.runtime.sendMessage(agent, id('kiwi'), text('still there?'));
    expect(await world.runtime.interrupt(id('kiwi'), agent)).toMatchObject({ turn: 0 });
    await world.runtime.drainContinuableDescendants([agent]);
    expect(world.agents.get(id('kiwi'))).toBeUndefined();
  });

  it('the agent of a one-shot starts no continuable child [O23 M49]', async () => {
    const world = await openWorld({ scripts: { once: [call('delegate'), 'done'] } });
    const root = await world.root();
    const codes: unknown[] = [];
    addTool(world, 'delegate', async (agent) => {
      await world
        .start(agent, 'kiwi')
        .catch((error: unknown) => codes.push((error as { code: string }).code));
      return 'tried';
    });
    const run = await world.runtime.start('spawn', { label: 'once', prompt: 'x', parent: root.agent });
    expect(await run.result).toMatchObject({ stopReason: 'completed', output: 'done' });
    await run.dispose();
    expect(codes).toEqual(['UNSUPPORTED_CAPABILITY']);
    expect(world.log.some((line) => line.includes('kiwi'))).toBe(false);
  });

  it('the grandchild of a read-only child is read-only, asked for or not, also after a cold resume [O29 M11]', async () => {
    const world = await openWorld({ scripts: { reader: [{ text: 'x', hold: 'end' }] } });
    for (const name of ['read', 'write']) addTool(world, name, () => name);
    const root = await world.root();
    await world.start(root.agent, 'reader', {
      request: { prompt: 'x', parent: root.agent, toolFilter: { allow: ['read'] } },
    });
    const reader = live(world, 'reader');
    await world.start(reader, 'kiwi');
    await world.start(reader, 'pear', {
      request: { prompt: 'x', parent: reader, toolFilter: { allow: ['write', 'read'] } },
    });
    await world.start(reader, 'plum', {
      request: { prompt: 'x', parent: reader, toolFilter: { allow: ['write'] } },
    });
    await world.rest();
    await world.runtime.sendMessage(reader, id('kiwi'), text('again'));
    world.model('reader').release('end');
    await world.runtime.whenQuiescent(id('root'));
    const seen = (name: string) =>
      world.model(name).requests.map(({ tools }) => tools.map((tool) => tool.name));
    expect(seen('kiwi')).toEqual([['read'], ['read']]);
    expect(seen('pear')).toEqual([['read']]);
    expect(seen('plum')).toEqual([[]]);
  });

  it('a message of a turn that was aborted before its result is accepted once when the model sends it again [O34 M17]', async () => {
    const world = await openWorld({ scripts: { kiwi: [call('tell'), call('tell'), 'done'] } });
    const root = await world.root();
    let tries = 0;
    addTool(world, 'tell', async (agent) => {
      tries += 1;
      await world.runtime.sendMessage(agent, id('root'), text('the result'), {
        messageId: messageId('same'),
      });
      if (tries === 1) agent.cancel('user', { keepInbox: true });
      return 'sent';
    });
    await world.start(root.agent, 'kiwi');
    await world.rest();
    await world.host
      .prompt(id('kiwi'), { parentSessionId: id('root'), content: 'go on' })
      .catch(() => undefined);
    await world.runtime.whenQuiescent(id('root'));
    expect(tries).toBe(2);
    expect(world.log.filter((line) => line === 'root accepts agent-message')).toHaveLength(1);
  });
});
