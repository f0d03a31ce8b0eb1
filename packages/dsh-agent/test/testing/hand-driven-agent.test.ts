import { describe, expect, it } from 'vitest';
import { memoryDriver, openSessionStore, type MessageId } from '@deepseek-ai/dsh-session';
import type { AgentEventMap, MessageInput } from '@deepseek-ai/dsh-agent';
import { drainMicrotasks, handDrivenAgent, type HandDrivenOptions } from '@deepseek-ai/dsh-agent/testing';

const from = (content: string): MessageInput => ({ content, source: { kind: 'user' } });
const types: readonly (keyof AgentEventMap)[] = [
  'agent/status',
  'agent/inbox/enqueue',
  'agent/inbox/dequeue',
  'agent/inbox/discard',
  'agent/turn/start',
  'agent/turn/end',
  'agent/disposed',
];

async function started(options: Omit<HandDrivenOptions, 'session'> = {}) {
  const sessions = await openSessionStore({ driver: memoryDriver() });
  const driven = handDrivenAgent({ ...options, session: await sessions.create() });
  driven.handle.start();
  const told: string[] = [];
  for (const type of types) {
    driven.agent.on(type, (event) => {
      const detail = 'status' in event ? event.status : 'reason' in event ? event.reason : '';
      told.push(
        [type.replace('agent/', ''), typeof detail === 'object' ? detail.kind : detail].join(' ').trim(),
      );
    });
  }
  return { ...driven, driven, told, sessions };
}

describe('handDrivenAgent', () => {
  it('accepts at once and claims nothing by itself', async () => {
    const { agent, driven, told } = await started();
    const id = agent.followup(from('pears'));
    expect(agent.status).toBe('running');
    await drainMicrotasks();
    expect(agent.inbox.list().map(({ message }) => message.id)).toEqual([id]);
    expect(agent.outcome(id)).toBe('waiting');
    expect(driven.claim().map((message) => message.id)).toEqual([id]);
    expect(agent.outcome(id)).toEqual({ logged: 1 });
    driven.answer('ripe');
    driven.finish();
    expect(told).toEqual([
      'inbox/enqueue',
      'status running',
      'turn/start',
      'inbox/dequeue',
      'turn/end completed',
      'status idle',
    ]);
    expect(agent.session.events().map(({ type }) => type)).toEqual([
      'turn/start',
      'user/message',
      'assistant/message',
      'turn/end',
    ]);
  });

  it('claims by the rules of a real inbox', async () => {
    const { agent, driven } = await started();
    agent.followup(from('one'));
    agent.followup(from('two'));
    agent.inject(from('aside'));
    expect(driven.claim()).toHaveLength(2);
    agent.steer(from('now'));
    expect(driven.claim()).toHaveLength(1);
    expect(() => driven.claim()).toThrow('nothing waits');
    driven.finish();
    expect(driven.claim()).toHaveLength(1);
    expect(agent.session.turns).toBe(2);
  });

  it('finds a claimed message in the log and not in the inbox, from inside of a listener', async () => {
    const { agent, driven } = await started();
    agent.steer(from('x'));
    const seen: unknown[] = [];
    agent.on('agent/inbox/dequeue', ({ seq, message }) => {
      seen.push(agent.inbox.list().length, agent.session.events(seq)[0]?.data, message);
    });
    driven.claim();
    expect(seen[0]).toBe(0);
    expect(seen[1]).toEqual(seen[2]);
  });

  it('keeps the inbox of a cancel with keepInbox behind a mark, and the turn open until it is ended', async () => {
    const { agent, driven } = await started();
    agent.followup(from('one'));
    driven.claim();
    const kept = agent.steer({ ...from('two'), source: { kind: 'user' } });
    expect(agent.cancel('parent', { keepInbox: true })).toEqual({ turn: 0, kept: [kept], discarded: [] });
    expect(driven.cancels).toEqual(['parent']);
    expect(agent.inbox.parked).toBe(true);
    expect(() => driven.claim()).toThrow('aborted');
    driven.finish();
    expect(agent.session.events().at(-1)?.data).toEqual({
      turn: 0,
      reason: { kind: 'aborted', cause: 'parent' },
    });
    expect(agent.status).toBe('idle');
    expect(() => driven.claim()).toThrow('nothing waits');
    agent.unpark();
    expect(agent.status).toBe('running');
    expect(driven.claim()).toHaveLength(1);
  });

  it('discards what waits on a cancel, a removal and a clear, each with its reason', async () => {
    const { agent, told } = await started();
    agent.inject(from('one'));
    agent.cancel('user');
    const two = agent.inject(from('two'));
    expect(agent.inbox.remove(two)).toBe(true);
    expect(agent.inbox.remove(two)).toBe(false);
    agent.inject(from('three'));
    expect(agent.inbox.clear()).toHaveLength(1);
    expect(told.filter((line) => line.includes('discard'))).toEqual([
      'inbox/discard cancelled',
      'inbox/discard removed',
      'inbox/discard cleared',
    ]);
    expect(agent.outcome(two)).toEqual({ discarded: 'removed' });
  });

  it('accepts an id once', async () => {
    const { agent } = await started();
    const id = 'm1' as MessageId;
    expect(agent.steer({ ...from('x'), id })).toBe(id);
    expect(agent.steer({ ...from('x'), id })).toBe(id);
    expect(agent.inbox.list()).toHaveLength(1);
  });

  it('stops synchronously and for good, and still takes what wakes nobody', async () => {
    const { agent, driven, handle } = await started();
    agent.followup(from('one'));
    driven.claim();
    const pending = agent.inject(from('aside'));
    expect(handle.stop('drain')).toEqual({ turn: 0, pending: [pending] });
    expect(handle.stop('parent')).toEqual({ pending: [pending] });
    expect([agent.status, driven.stopped, driven.started]).toEqual(['closing', 'drain', false]);
    expect(() => agent.steer(from('late'))).toThrow(
      expect.objectContaining({ code: 'AGENT_CLOSING' }) as Error,
    );
    agent.inject(from('more'));
    expect(() => driven.claim()).toThrow('stopped');
  });

  it('ends the open turn and discards what waits when it is disposed, once', async () => {
    const released: string[] = [];
    const { agent, driven, handle, told } = await started({
      release: async () => void released.push('released'),
    });
    agent.followup(from('one'));
    driven.claim();
    agent.inject(from('aside'));
    told.length = 0;
    await Promise.all([handle.dispose(), handle.dispose(), handle[Symbol.asyncDispose]()]);
    expect(told).toEqual(['status closing', 'turn/end aborted', 'inbox/discard disposed', 'disposed']);
    expect(released).toEqual(['released']);
    expect(() => agent.inject(from('late'))).toThrow(
      expect.objectContaining({ code: 'AGENT_DISPOSED' }) as Error,
    );
  });

  it('holds its disposal until it is let go, and keeps what waits where that is asked for', async () => {
    const { agent, driven, handle } = await started({ disposal: 'held' });
    agent.inject(from('aside'));
    let disposed = false;
    const work = handle.dispose({ pending: 'keep' }).then(() => {
      disposed = true;
    });
    await drainMicrotasks();
    expect([disposed, agent.status]).toEqual([false, 'closing']);
    driven.letGo();
    await work;
    expect(agent.inbox.list()).toHaveLength(1);
  });

  it('resolves whenIdle when nothing is left that wakes, and rejects by its signal alone', async () => {
    const { agent, driven } = await started();
    agent.followup(from('one'));
    agent.followup(from('two'));
    let idle = false;
    const work = agent.whenIdle().then(() => {
      idle = true;
    });
    const controller = new AbortController();
    const waiting = expect(agent.whenIdle({ signal: controller.signal })).rejects.toThrow('enough');
    driven.claim();
    driven.finish();
    await drainMicrotasks();
    expect(idle).toBe(false);
    controller.abort(new Error('enough'));
    await waiting;
    driven.claim();
    driven.finish();
    // Accepted before it has resolved, and so included.
    agent.followup(from('three'));
    await drainMicrotasks();
    expect(idle).toBe(false);
    driven.claim();
    driven.finish();
    await work;
  });

  it('claims nothing before it is started, and says what the hand did wrong', async () => {
    const sessions = await openSessionStore({ driver: memoryDriver() });
    const driven = handDrivenAgent({ session: await sessions.create() });
    driven.agent.followup(from('one'));
    expect(() => driven.claim()).toThrow('held');
    expect(() => driven.answer('x')).toThrow('no turn is open');
    expect(() => {
      driven.finish();
    }).toThrow('no turn is open');
    expect(driven.agent.options).toEqual({ model: 'by-hand' });
  });

  it('answers with any content, as a model could', async () => {
    const { agent, driven } = await started();
    agent.followup(from('one'));
    driven.claim();
    const call = { type: 'tool-call', callId: 'c', name: 'dig', input: {} } as const;
    expect(driven.answer([call]).content).toEqual([call]);
  });

  it('puts a batch back that could not be logged', async () => {
    const { agent, driven, sessions } = await started();
    agent.followup(from('one'));
    driven.claim();
    agent.steer(from('two'));
    await sessions.close(agent.session);
    expect(() => driven.claim()).toThrow(expect.objectContaining({ code: 'SESSION_CLOSED' }) as Error);
    expect(agent.inbox.list()).toHaveLength(1);
  });

  it('throws what a listener throws, for that is a fault of the test', async () => {
    const { agent } = await started();
    agent.on('agent/inbox/enqueue', () => {
      throw new Error('wrong expectation');
    });
    expect(() => agent.steer(from('x'))).toThrow('wrong expectation');
  });
});
