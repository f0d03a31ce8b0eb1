/** An agent that loses the writer's place: A20, A23, S21. */
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, openWorld, relay, say } from './agent-world.ts';

it.each(['process', 'durable'] as const)(
  'ends its turn with the code FENCED, parks, and asks no model again (%s inbox) [A20 A23 S21]',
  async (inbox) => {
    const driver = memoryDriver();
    const sessions = await openSessionStore({ driver });
    const script = [{ text: 'one', hold: 'end' }];
    const { registry, model, told, diagnostics } = await openWorld({ sessions, script });
    const { agent } = await registry.create({ id: id('s'), inbox });
    agent.followup(say('m1'));
    await drainMicrotasks();
    agent.followup(say('m2'));
    await sessions.flush(agent.session);
    driver.medium.expire(id('s'));
    const other = await openSessionStore({
      driver: memoryDriver({ medium: driver.medium }),
      vocabulary: inboxTypes,
    });
    const taken = await other.open(id('s'));
    await agent.whenIdle();
    expect(told.at(-2)).toBe('turn/end 0 aborted');
    expect(agent.inbox.parked).toBe(true);
    expect(agent.inbox.list().map(({ message }) => message.id)).toEqual(['m2']);
    expect(model.requests).toHaveLength(1);
    expect(agent.session.lost.reason).toMatchObject({ code: 'FENCED' });
    if (inbox === 'durable') {
      expect(() => agent.steer(relay('m3'))).toThrow(expect.objectContaining({ code: 'ACCEPT_FAILED' }));
    }
    agent.unpark();
    await agent.whenIdle();
    expect(model.requests).toHaveLength(1);
    expect(logOf(taken).at(-1)).toBe('end 0 interrupted');
    agent.inbox.clear();
    // What happens here is no part of that history any more: that it is not logged is no failure.
    expect(diagnostics.map(({ code }) => code)).not.toContain('inbox-not-logged');
  },
);

const inboxTypes = ['inbox/durable', 'inbox/accepted'];

it('tells its tools and its model why [A20 S21]', async () => {
  const driver = memoryDriver();
  const sessions = await openSessionStore({ driver });
  const ends: unknown[] = [];
  const { registry } = await openWorld({ sessions, script: [{ text: 'one', hold: 'end' }] });
  const { agent } = await registry.create({ id: id('s') });
  agent.on('agent/turn/end', ({ reason }) => ends.push(reason));
  agent.followup(say('m1'));
  await drainMicrotasks();
  driver.medium.expire(id('s'));
  await (await openSessionStore({ driver: memoryDriver({ medium: driver.medium }) })).open(id('s'));
  await agent.whenIdle();
  expect(ends).toEqual([{ kind: 'aborted', cause: { code: 'FENCED' } }]);
});
