/** What a durable inbox has again after a resume: A31, A24, A1, A20. */
import { memoryDriver, openSessionStore, type MessageId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, openWorld, relay, say } from './agent-world.ts';
import { inboxLog, openLife, waiting } from './durable-world.ts';

const m = (text: string): MessageId => text as MessageId;

describe('a resumed agent', () => {
  it('has what waited, in order, once each, and runs the waking ones when it starts [A31]', async () => {
    const first = await openLife();
    const { agent } = await first.create({ start: 'held' });
    agent.followup(say('t1'));
    agent.inject(relay('i1'));
    agent.followup(say('t2'));
    agent.steer(relay('s1'));
    agent.inbox.remove(m('t2'));
    await first.sessions.flush(agent.session);
    const second = await first.crash({ script: ['one', 'two'] });
    const handle = await second.resume({ start: 'held' });
    expect(waiting(handle)).toEqual(['t1', 'i1', 's1']);
    expect(handle.agent.inbox.list().map(({ boundary, wake }) => `${boundary} ${wake}`)).toEqual([
      'turn true',
      'step false',
      'step true',
    ]);
    await drainMicrotasks();
    expect(second.model.requests).toHaveLength(0);
    handle.start();
    await handle.agent.whenIdle();
    expect(inboxLog(handle.agent.session).slice(-3)).toEqual(['claimed t1', 'claimed i1', 'claimed s1']);
    expect(second.model.requests).toHaveLength(1);
    const third = await second.crash();
    expect(waiting(await third.resume())).toEqual([]);
  });

  it('shows nothing of the inbox in its history [A31 S9]', async () => {
    const { create } = await openLife({ script: ['one'] });
    const { agent } = await create();
    agent.followup(say('m1'));
    await agent.whenIdle();
    expect(agent.session.history().map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('keeps what waits when it is disposed, and handles it once [O17 A24 A31]', async () => {
    const first = await openLife({ script: [{ text: 'one', hold: 'end' }] });
    const handle = await first.create();
    handle.agent.followup(say('m0'));
    await drainMicrotasks();
    handle.agent.followup(say('m1'));
    handle.agent.followup(say('m2'));
    await handle.dispose();
    expect(first.told.filter((line) => line.includes('discard'))).toEqual([]);
    expect(handle.agent.outcome(m('m1'))).toBe('waiting');
    const second = await first.crash({ script: ['two', 'three'] });
    const { agent } = await second.resume();
    await agent.whenIdle();
    expect(inboxLog(agent.session).slice(-2)).toEqual(['claimed m1', 'claimed m2']);
    expect(second.model.requests).toHaveLength(2);
    await agent.whenIdle();
    const third = await second.crash();
    expect(waiting(await third.resume())).toEqual([]);
  });

  it('does not have what a disposal was told to discard [A24 A31]', async () => {
    const first = await openLife();
    const handle = await first.create({ start: 'held' });
    handle.agent.followup(say('m1'));
    await handle.dispose({ pending: 'discard' });
    expect(first.told).toContain('inbox/discard m1 disposed');
    const second = await openLife({}, first.driver);
    const { agent } = await second.resume();
    expect(agent.inbox.list()).toEqual([]);
    expect(agent.outcome(m('m1'))).toEqual({ discarded: 'disposed' });
  });

  it('that was refused before it ran has lost nothing, and no model was asked [O18 A25 A31]', async () => {
    const first = await openLife();
    const { agent } = await first.create({ start: 'held' });
    agent.followup(say('m1'));
    await agent.accepted(m('m1'));
    const second = await first.crash();
    const handle = await second.resume({ start: 'held' });
    await handle.dispose({ pending: 'keep' });
    const refused = second.resume({
      admit() {
        throw new Error('refused');
      },
    });
    await expect(refused).rejects.toThrow('refused');
    expect(second.told.filter((line) => line.includes('discard'))).toEqual([]);
    expect(second.model.requests).toHaveLength(0);
    expect(waiting(await second.resume({ start: 'held' }))).toEqual(['m1']);
  });

  it('a fork has nothing of what waits in its source [O19 A31]', async () => {
    const first = await openLife();
    const source = await first.create();
    source.agent.followup(say('m0'));
    await source.agent.whenIdle();
    source.agent.cancel('user', { keepInbox: true });
    const held = await first.registry.create({ id: id('t'), inbox: 'durable', start: 'held' });
    held.agent.followup(say('m9'));
    await first.sessions.flush(held.agent.session);
    const seed = { session: id('t'), length: held.agent.session.length };
    for (const inbox of ['durable', 'process'] as const) {
      const fork = await first.registry.create({ id: id(inbox), inbox, seed, start: 'held' });
      expect(waiting(fork)).toEqual([]);
      fork.agent.followup(say('own'));
      await fork.dispose();
      expect(waiting(await first.registry.resume({ id: id(inbox), start: 'held' }))).toEqual(
        inbox === 'durable' ? ['own'] : [],
      );
    }
    expect(waiting(held)).toEqual(['m9']);
  });

  it('answers an id that waits, was claimed or was discarded with itself [O40 A1 A31]', async () => {
    const first = await openLife({ script: ['one'] });
    const { agent } = await first.create();
    agent.followup(say('claimed'));
    await agent.whenIdle();
    agent.inject(relay('discarded'));
    agent.inbox.remove(m('discarded'));
    agent.inject(relay('waits'));
    await first.sessions.flush(agent.session);
    const second = await first.crash();
    const { agent: again } = await second.resume({ start: 'held' });
    for (const text of ['claimed', 'discarded', 'waits']) expect(again.followup(say(text))).toBe(text);
    expect(again.inbox.list()).toHaveLength(1);
    expect(again.outcome(m('discarded'))).toEqual({ discarded: 'removed' });
    expect(again.outcome(m('claimed'))).toMatchObject({ logged: expect.any(Number) as number });
    expect(inboxLog(again.session).filter((line) => line.includes('waits'))).toEqual(['accepted waits']);
  });

  it('remembers a thousand ids, claimed and discarded together [A1 A31]', async () => {
    const first = await openLife();
    const { agent } = await first.create({ start: 'held' });
    for (let index = 0; index < 1_001; index += 1) {
      agent.inject(relay(`i${index}`));
      agent.inbox.remove(m(`i${index}`));
    }
    await first.sessions.flush(agent.session);
    const { agent: again } = await (await first.crash()).resume();
    expect(again.outcome(m('i0'))).toBe('unknown');
    expect(again.outcome(m('i1'))).toEqual({ discarded: 'removed' });
  });

  it('stays stopped where a person stopped it; a failed hook of the other process does not park it [A20 A31]', async () => {
    const first = await openLife();
    const { agent } = await first.create({ start: 'held' });
    agent.followup(relay('m1'));
    agent.cancel('user', { keepInbox: true });
    agent.followup(relay('m2'));
    await first.sessions.flush(agent.session);
    const second = await first.crash({ script: ['one', 'two'] });
    const { agent: again } = await second.resume();
    await again.whenIdle();
    expect(again.inbox.parked).toBe(true);
    again.followup(relay('m3'));
    await again.whenIdle();
    expect(second.model.requests).toHaveLength(0);
    again.unpark();
    await again.whenIdle();
    await second.sessions.flush(again.session);
    expect(inboxLog(again.session).filter((line) => line.startsWith('claimed'))).toHaveLength(3);
    const third = await second.crash({
      hooks: {
        beforeStep() {
          throw new Error('hook');
        },
      },
    });
    const { agent: failing } = await third.resume();
    expect(failing.inbox.parked).toBe(false);
    failing.followup(say('m4'));
    await failing.whenIdle();
    expect(failing.inbox.parked).toBe(true);
    await third.sessions.flush(failing.session);
    const fourth = await third.crash({ script: ['four'] });
    const { agent: last } = await fourth.resume();
    await last.whenIdle();
    expect(last.outcome(m('m4'))).toMatchObject({ logged: expect.any(Number) as number });
  });

  it('is not made where the log that holds its inbox is damaged [A31 S16]', async () => {
    const first = await openLife();
    const { agent } = await first.create({ start: 'held' });
    agent.followup(say('m1'));
    await agent.accepted(m('m1'));
    const second = await first.crash();
    second.driver.medium.damage(id('s'), 'flipped-byte', 1);
    await expect(second.resume()).rejects.toMatchObject({ code: 'DAMAGED_LOG' });
    expect(second.registry.list()).toEqual([]);
  });

  it('is not made by a program that does not know what a durable inbox is [A31 S8]', async () => {
    const first = await openLife();
    const { agent } = await first.create({ start: 'held' });
    await first.sessions.flush(agent.session);
    first.driver.crash();
    const store = await openSessionStore({ driver: memoryDriver({ medium: first.driver.medium }) });
    await expect(store.open(id('s'))).rejects.toMatchObject({ code: 'UNKNOWN_ESSENTIAL_EVENT' });
    const { registry } = await openWorld({ sessions: store });
    await expect(registry.resume({ id: id('s') })).resolves.toMatchObject({ agent: { id: 's' } });
  });
});
