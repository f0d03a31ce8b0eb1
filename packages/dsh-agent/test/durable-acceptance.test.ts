/** What is accepted by a durable inbox, and when that is durable: A31, and its claims. */
import { memoryDriver, openSessionStore, type MessageId } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, relay, say } from './agent-world.ts';
import { failingStore, inboxLog, openLife, waiting } from './durable-world.ts';

const m = (text: string): MessageId => text as MessageId;

/** An agent whose log can be filled, so that it takes no acceptance until it is flushed. */
async function fullLog() {
  const sessions = await openSessionStore({ driver: memoryDriver(), maxPendingBytes: { session: 600 } });
  const { create } = await openLife({ sessions });
  const { agent } = await create({ start: 'held' });
  return {
    agent,
    sessions,
    fill: () => agent.inject(relay('x'.repeat(600))),
    refused: (accept: () => unknown) => {
      expect(accept).toThrow(expect.objectContaining({ code: 'ACCEPT_FAILED' }));
    },
  };
}

describe('acceptance', () => {
  it('is logged in its own span, and durable when accepted resolves [A31]', async () => {
    const { create, crash } = await openLife();
    const { agent } = await create({ start: 'held' });
    agent.followup(say('m1'));
    expect(inboxLog(agent.session)).toEqual(['durable', 'accepted m1']);
    await agent.accepted(m('m1'));
    expect(agent.session.durableLength).toBe(agent.session.length);
    const next = await crash();
    expect(waiting(await next.resume({ start: 'held' }))).toEqual(['m1']);
  });

  it('without it keeps nothing that was not claimed, and says so [A31]', async () => {
    const { create, crash } = await openLife();
    const { agent } = await create({ start: 'held', inbox: 'process' });
    agent.session.append('session/recovered', { damaged: 0 });
    agent.followup(say('m1'));
    expect(agent.inbox.durable).toBe(false);
    await expect(agent.accepted(m('m1'))).rejects.toMatchObject({ code: 'INBOX_NOT_DURABLE' });
    await drainMicrotasks();
    const resumed = await (await crash()).resume();
    expect(waiting(resumed)).toEqual([]);
    expect(resumed.agent.inbox.durable).toBe(false);
  });

  it('that the log does not take has not happened [A1 A31]', async () => {
    const driver = memoryDriver();
    const sessions = await openSessionStore({ driver, maxPendingBytes: { session: 100 } });
    const { create, told } = await openLife({ sessions });
    const { agent } = await create({ start: 'held' });
    agent.cancel('user', { keepInbox: true });
    agent.inject(relay('i1'));
    const before = [...told];
    expect(() => agent.steer(say('m1'))).toThrow(expect.objectContaining({ code: 'ACCEPT_FAILED' }));
    expect(told).toEqual(before);
    expect(agent.outcome(m('m1'))).toBe('unknown');
    expect(agent.inbox.list()).toHaveLength(1);
    expect(inboxLog(agent.session)).toEqual(['durable', 'accepted i1']);
    await sessions.flush(agent.session);
    agent.steer(say('m1'));
    expect(agent.inbox.list()).toHaveLength(2);
  });

  it.each(['parent', 'user'] as const)(
    'that fails leaves the mark of a parked inbox as it was, by %s [A20 A31]',
    async (cause) => {
      const { agent, sessions, fill, refused } = await fullLog();
      agent.followup(relay('m1'));
      agent.cancel(cause, { keepInbox: true });
      fill();
      refused(() => agent.followup(say('m2')));
      expect(agent.inbox.parked).toBe(true);
      await sessions.flush(agent.session);
      agent.steer(relay('m3'));
      expect(agent.inbox.parked).toBe(cause === 'user');
    },
  );

  it('that fails parks nothing [A20 A31]', async () => {
    const { agent, fill, refused } = await fullLog();
    fill();
    refused(() => agent.followup(say('m1')));
    expect([agent.inbox.parked, agent.status]).toEqual([false, 'idle']);
  });

  it('is told in order, also by who hears of it from the log [A9 A31]', async () => {
    const { create, told } = await openLife();
    const { agent } = await create({ start: 'held' });
    const found: unknown[] = [];
    agent.session.subscribe((event) => {
      if (event.type !== 'inbox/accepted') return;
      found.push([event.data.message.id, agent.outcome(event.data.message.id), agent.status]);
      if (event.data.message.id === 'm1') {
        agent.followup(say('m1'));
        agent.followup(say('m2'));
        agent.inbox.remove(m('m1'));
      }
    });
    agent.followup(say('m1'));
    expect(told.filter((line) => line.startsWith('inbox'))).toEqual([
      'inbox/enqueue m1',
      'inbox/enqueue m2',
      'inbox/discard m1 removed',
    ]);
    expect(found).toEqual([
      ['m1', 'waiting', 'running'],
      ['m2', 'waiting', 'running'],
    ]);
    expect(inboxLog(agent.session)).toEqual([
      'durable',
      'accepted m1',
      'accepted m2',
      'discarded m1 removed',
    ]);
  });

  it('is asked for again after a failure, and its signal ends the waiting alone [A31]', async () => {
    const disk = await failingStore();
    const { create } = await openLife({ sessions: disk.sessions });
    const { agent } = await create({ start: 'held' });
    const controller = new AbortController();
    agent.followup(say('m1'));
    await expect(agent.accepted(m('m1'))).rejects.toThrow('disk');
    disk.failing = false;
    agent.followup(say('m2'));
    const left = agent.accepted(m('m2'), { signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await agent.accepted(m('m2'));
    // By now it needs no flush.
    disk.failing = true;
    await agent.accepted(m('m1'));
    await expect(agent.accepted(m('m3'))).rejects.toMatchObject({ code: 'UNKNOWN_MESSAGE' });
  });
});

it('an unpark of what is not parked leaves no trace [A20 A31]', async () => {
  const { create, told } = await openLife();
  const { agent } = await create({ start: 'held' });
  agent.inject(relay('i1'));
  const before = [...told];
  agent.unpark();
  expect(inboxLog(agent.session)).toEqual(['durable', 'accepted i1']);
  expect(told).toEqual(before);
});

describe('a claim', () => {
  it('is durable before the model is asked [A31 A17]', async () => {
    const driver = memoryDriver();
    const sessions = await openSessionStore({ driver });
    const durable: boolean[] = [];
    const life = await openLife({
      sessions,
      script: (request) => {
        const session = sessions.get(id('s'));
        const seq = session!.events().findLastIndex(({ type }) => type === 'user/message');
        durable.push(seq < session!.durableLength);
        return request.messages.length === 1 ? { calls: [{ tool: 'none' }] } : 'done';
      },
    });
    const { agent } = await life.create();
    agent.followup(say('m1'));
    agent.on('agent/tool/end', () => void agent.steer(say('s1')));
    await agent.whenIdle();
    expect(durable).toEqual([true, true]);
    expect(inboxLog(agent.session).slice(-2)).toEqual(['accepted s1', 'claimed s1']);
  });

  it('that cannot be made durable asks no model, and uses up nothing of the rest [A31 A11]', async () => {
    const disk = await failingStore();
    const { create, model } = await openLife({ sessions: disk.sessions, script: ['two'] });
    const { agent } = await create();
    agent.followup(say('m1'));
    agent.followup(say('m2'));
    await agent.whenIdle();
    expect(model.requests).toHaveLength(0);
    expect(agent.session.events().findLast(({ type }) => type === 'turn/end')?.data).toMatchObject({
      reason: { kind: 'error', code: 'CLAIM_FAILED' },
    });
    expect(waiting({ agent } as never)).toEqual(['m2']);
    disk.failing = false;
    agent.unpark();
    await agent.whenIdle();
    expect(model.requests[0]?.messages).toHaveLength(2);
  });

  it('whose turn a crash cut off is not repeated [A28 A31]', async () => {
    const first = await openLife({ script: [{ text: 'one', hold: 'end' }] });
    const { agent } = await first.create();
    agent.followup(say('m1'));
    await drainMicrotasks();
    expect(first.model.requests).toHaveLength(1);
    const second = await first.crash();
    const { agent: again } = await second.resume();
    await again.whenIdle();
    expect(second.model.requests).toHaveLength(0);
    expect(logOf(again.session).at(-1)).toBe('end 0 interrupted');
  });
});
