import { describe, expect, it } from 'vitest';
import { chain, conditions, live } from '../rig/tree.ts';
import { id, text } from '../rig/world.ts';

describe('a person', () => {
  it('who interrupts an idle child in the tick of a message to it parks that message; no turn runs, the tree is quiescent [O7 A20 M25]', async () => {
    const { world, release } = await chain(['parent', 'kiwi'], {
      subagents: { keepWarmMs: 60_000, limits: { maxDepth: 3 } },
    });
    release('kiwi', 'parent');
    await world.rest();
    const parent = live(world, 'parent');
    const sent = world.runtime.sendMessage(parent, id('kiwi'), text('one more'));
    const receipt = world.host.interrupt(id('kiwi'), { parentSessionId: id('parent') });
    expect((await receipt).kept).toEqual([await sent]);
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests).toHaveLength(1);
    expect(await conditions(world, 'parent')).toEqual(['kiwi parked']);
    expect(await conditions(world, 'root')).toEqual(['parent parked']);
    expect(parent.status).toBe('idle');
  });

  it('who has stopped a root with work waiting is not overruled by the notice of a child; it waits with the rest until the person writes [O8 A20 M35]', async () => {
    const { world, root, release } = await chain(['kiwi'], {
      scripts: { root: [{ text: 'working', hold: 'end' }, 'all of it'] },
    });
    const say = (content: string) => root.agent.followup({ content, source: { kind: 'user' } });
    say('begin');
    await world.rest();
    await world.runtime.sendMessage(live(world, 'kiwi'), id('root'), text('half'));
    root.agent.cancel('user', { keepInbox: true });
    release('kiwi');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('root accepts subagent-settled');
    expect(root.agent.inbox.parked).toBe(true);
    expect(world.model('root').requests).toHaveLength(1);
    say('go on');
    await world.runtime.whenQuiescent(id('root'));
    expect(root.agent.inbox.list()).toEqual([]);
    expect(world.log.filter((line) => line.startsWith('root reads'))).toHaveLength(4);
  });

  it('who prompts a child under an idle managed parent makes the parent own it until it has settled [O21 M26 M45]', async () => {
    const { world, release } = await chain(['parent', 'kiwi']);
    release('kiwi', 'parent');
    await world.runtime.whenQuiescent(id('root'));
    world.model('kiwi').push({ text: 'to the person', hold: 'asked' });
    await world.host.prompt(id('kiwi'), {
      parentSessionId: id('parent'),
      content: 'and you?',
      wakeAncestors: true,
    });
    await world.rest();
    expect(await conditions(world, 'root')).toEqual(['parent waiting']);
    world.model('kiwi').release('asked');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('end')).slice(-2)).toEqual([
      'end kiwi completed',
      'end parent completed',
    ]);
  });
});
