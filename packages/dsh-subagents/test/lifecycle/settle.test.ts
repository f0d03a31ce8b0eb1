import { describe, expect, it } from 'vitest';
import { heldDriver } from '../rig/held-driver.ts';
import { conditions, live } from '../rig/tree.ts';
import { id, openWorld, text } from '../rig/world.ts';

describe('settlement', () => {
  it('waits for owned children, and lets the parent go after the last of them [M25 M26]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ text: 'done', hold: 'end' }] } });
    const root = await world.root();
    await world.start(root.agent, 'parent');
    await world.start(live(world, 'parent'), 'kiwi');
    await world.rest();
    await world.sessions.flush(live(world, 'parent').session);
    expect(await conditions(world, 'root')).toEqual(['parent waiting']);
    world.model('kiwi').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => /^(gone|end)/.test(line))).toEqual([
      'gone kiwi',
      'end kiwi completed',
      'gone parent',
      'end parent completed',
    ]);
  });

  it('stays with a message that was accepted and has not been read, also when it is parked [M18 M25]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ text: 'done', hold: 'end' }] } });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('wait for it'));
    await world.runtime.interrupt(id('kiwi'), root.agent);
    await world.runtime.whenQuiescent(id('root'));
    expect(await conditions(world, 'root')).toEqual(['kiwi parked']);
    expect(world.log).toContain('parked kiwi');
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('go on'));
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('kiwi reads agent-message'))).toHaveLength(2);
    expect(world.log).toContain('end kiwi completed');
  });

  it('runs what is given to the agent during the flush, and cancels nothing [O38 M27]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap, scripts: { kiwi: ['one', 'two'] } });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    const child = live(world, 'kiwi');
    const release = held.hold('append');
    await world.rest();
    expect(child.status).toBe('idle');
    child.followup({ content: 'one more', source: { kind: 'user' } });
    release();
    await world.runtime.whenQuiescent(id('root'));
    expect(world.model('kiwi').requests).toHaveLength(2);
    expect(world.log.filter((line) => line.startsWith('kiwi discards'))).toEqual([]);
    expect(world.log.filter((line) => line.startsWith('end'))).toEqual(['end kiwi completed']);
  });

  it('is not kept open for ever by a participant that appends during every flush [M27]', async () => {
    const held = heldDriver();
    const world = await openWorld({ wrapDriver: held.wrap });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    const { session } = live(world, 'kiwi');
    let appended = 0;
    held.watch('append', () => {
      if (session.sealed || appended > 100) return;
      appended += 1;
      session.append('session/recovered', { damaged: 0 });
    });
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('end kiwi completed');
    expect(appended).toBeLessThan(20);
  });

  it('gives a delivery the old epoch or the new one, never neither: at every point of the disposal [M28]', async () => {
    for (const where of ['append', 'release'] as const) {
      const held = heldDriver();
      const world = await openWorld({ wrapDriver: held.wrap, scripts: { kiwi: ['one', 'two'] } });
      const root = await world.root();
      await world.start(root.agent, 'kiwi');
      const release = held.hold(where);
      await world.rest();
      const sent = world.runtime.sendMessage(root.agent, id('kiwi'), text('late'));
      await world.rest();
      expect(world.agents.list().filter((agent) => agent.id === 'kiwi').length).toBeLessThanOrEqual(1);
      release();
      await sent;
      await world.runtime.whenQuiescent(id('root'));
      expect(world.log.filter((line) => line.startsWith('kiwi reads agent-message'))).toHaveLength(1);
    }
  });

  it('discards an injected entry that alone is left, with its event, and still ends completed [M25]', async () => {
    const world = await openWorld({ scripts: { kiwi: [{ text: 'done', hold: 'end' }] } });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    const child = live(world, 'kiwi');
    child.on('agent/turn/end', () => {
      child.inject({ content: 'by the way', source: { kind: 'user' } });
    });
    world.model('kiwi').release('end');
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log).toContain('kiwi discards disposed');
    expect(world.log).toContain('end kiwi completed');
  });

  it('keeps a settled child warm for as long as it is told to [M25]', async () => {
    const world = await openWorld({ subagents: { keepWarmMs: 1_000 } });
    const root = await world.root();
    await world.start(root.agent, 'kiwi');
    await world.rest();
    const child = live(world, 'kiwi');
    world.clock.advance(999);
    expect(live(world, 'kiwi')).toBe(child);
    await world.runtime.sendMessage(root.agent, id('kiwi'), text('quick'));
    await world.rest();
    world.clock.advance(999);
    expect(live(world, 'kiwi')).toBe(child);
    world.clock.advance(1);
    await world.runtime.whenQuiescent(id('root'));
    expect(world.log.filter((line) => line.startsWith('start'))).toEqual(['start kiwi']);
  });
});
