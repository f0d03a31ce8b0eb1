/** Who an id stands for, and going on with a stored session: A26-A28. */
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import type { AgentHandle } from '../src/agent.ts';
import { id, logOf, openWorld, say } from './agent-world.ts';

it('has one agent for one id, also of two that are made at once [A26]', async () => {
  const { registry } = await openWorld();
  const results = await Promise.allSettled([
    registry.create({ id: id('s') }),
    registry.create({ id: id('s') }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const exists = { code: 'AGENT_EXISTS' };
  expect(results[1]).toMatchObject({ reason: exists });
  await expect(registry.resume({ id: id('s') })).rejects.toMatchObject(exists);
  const live = registry.list()[0]!;
  live.followup(say('m1'));
  await live.whenIdle();
  const handle = (results[0] as PromiseFulfilledResult<AgentHandle>).value;
  await handle.dispose();
  const resumed = await Promise.allSettled([
    registry.resume({ id: id('s') }),
    registry.resume({ id: id('s') }),
  ]);
  expect(resumed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(resumed[1]).toMatchObject({ reason: exists });
});

it('knows the exact object: a stale one with a live namesake is another [A27]', async () => {
  const { registry } = await openWorld();
  const first = await registry.create({
    id: id('s'),
    setup: ({ session }) => void session.append('session/recovered', { damaged: 0 }),
  });
  await first.dispose();
  expect(registry.get(id('s'))).toBeUndefined();
  const second = await registry.resume({ id: id('s') });
  expect(registry.get(id('s'))).toBe(second.agent);
  expect(registry.get(id('s'))).not.toBe(first.agent);
  await first.dispose();
  expect(registry.get(id('s'))).toBe(second.agent);
});

it('closes a turn that was left open and does not repeat it [A28]', async () => {
  const driver = memoryDriver();
  const before = await openSessionStore({ driver });
  const session = await before.create({ id: id('s') });
  session.append('turn/start', { turn: 0 });
  session.append('user/message', {
    id: 'm1',
    role: 'user',
    content: [{ type: 'text', text: 'm1' }],
    source: { kind: 'user' },
  } as never);
  await before.flush(session);
  driver.crash();
  const sessions = await openSessionStore({ driver: memoryDriver({ medium: driver.medium }) });
  const { registry, model } = await openWorld({ sessions });
  const { agent } = await registry.resume({ id: id('s') });
  await agent.whenIdle();
  const log = (): readonly string[] => logOf(agent.session).filter((line) => !line.startsWith('session/'));
  expect(log()).toEqual(['turn 0', 'user m1', 'end 0 interrupted']);
  expect(model.requests).toHaveLength(0);
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect(log().slice(3)).toEqual(['turn 1', 'user m2', 'assistant (end of script)', 'end 1 completed']);
});

it('resumes a session that holds a seed and its own first event alone [A28]', async () => {
  const { registry } = await openWorld();
  const parent = await registry.create({ id: id('p') });
  parent.agent.followup(say('m1'));
  await parent.agent.whenIdle();
  const length = parent.agent.session.length;
  const child = await registry.create({
    id: id('c'),
    seed: { session: id('p'), length },
    setup: ({ session }) => void session.append('session/recovered', { damaged: 0 }),
  });
  await child.dispose();
  const { agent } = await registry.resume({ id: id('c') });
  expect(agent.outcome('m1' as never)).toBe('unknown');
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session).filter((line) => line === 'user m1')).toHaveLength(2);
});
