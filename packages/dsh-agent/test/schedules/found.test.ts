/** What the schedules found once, each in its shortest form. */
import { expect, it } from 'vitest';
import { drainMicrotasks } from '@deepseek-ai/dsh-agent/testing';
import { id, logOf, openWorld, relay, say, tool } from '../agent-world.ts';
import { inboxLog, openLife, waiting } from '../durable-world.ts';

it('runs no body of a tool whose start is the reason to cancel [A21 A23]', async () => {
  const { registry, tools } = await openWorld({ script: [{ calls: [{ tool: 't' }] }] });
  const { agent } = await registry.create();
  let ran = false;
  tools.register(tool('t', () => String((ran = true))));
  agent.on('agent/tool/start', () => void agent.cancel('user'));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(ran).toBe(false);
  expect(logOf(agent.session).slice(-2)).toEqual([
    expect.stringContaining('result t not-started'),
    'end 0 aborted',
  ]);
});

it('uses up nothing for a turn that was stopped before its claim [A22 A23 A31]', async () => {
  const first = await openLife();
  const handle = await first.create();
  handle.agent.followup(say('m0'));
  await handle.agent.whenIdle();
  handle.agent.on('agent/turn/start', () => void handle.stop('drain'));
  handle.agent.followup(say('m1'));
  await handle.agent.whenIdle();
  await handle.dispose();
  expect(inboxLog(handle.agent.session).slice(-2)).toEqual(['claimed m0', 'accepted m1']);
  expect(waiting(await first.resume({ start: 'held' }))).toEqual(['m1']);
});

it('does not claim in an aborted turn what came after the abort, also while a hook had looked [A22 A19]', async () => {
  const { registry } = await openWorld({
    hooks: {
      beforeStep: ({ agent, entries }) => {
        queueMicrotask(() => {
          agent.cancel('parent', { keepInbox: true });
          agent.steer(relay('late'));
        });
        return { kind: 'claim', entries: entries.filter(({ message }) => message.id === 'm1') };
      },
    },
  });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect(logOf(agent.session).slice(0, 2)).toEqual(['turn 0', 'end 0 aborted']);
  agent.cancel('user');
});

it('tells of every acceptance and discard before it tells that the agent is gone [A3 A23 A24]', async () => {
  const { registry, told } = await openWorld();
  const handle = await registry.create({ id: id('s'), start: 'held' });
  for (const text of ['m1', 'm2', 'm3']) handle.agent.followup(say(text));
  registry.on('agent/inbox/discard', () => {
    handle.abandon();
  });
  handle.agent.cancel('user');
  expect(told.slice(-5).filter((line) => !line.startsWith('status'))).toEqual([
    'inbox/discard m1 cancelled',
    'inbox/discard m2 cancelled',
    'inbox/discard m3 cancelled',
    'disposed',
  ]);
});

it('tells of an acceptance that a reader of the log has answered with its end [A9 A23 A31]', async () => {
  const { create, told } = await openLife();
  const handle = await create({ start: 'held' });
  handle.agent.session.subscribe(({ type }) => {
    if (type === 'inbox/accepted') handle.abandon();
  });
  handle.agent.inject(relay('i1'));
  expect(told.slice(-2)).toEqual(['inbox/enqueue i1', 'disposed']);
});

it('lets nobody discard what the log of a disposed agent has kept [A24 A31]', async () => {
  const first = await openLife();
  const handle = await first.create({ start: 'held' });
  handle.agent.followup(say('m1'));
  await handle.dispose();
  expect(handle.agent.inbox.clear()).toEqual([]);
  expect(handle.agent.cancel('user')).toEqual({ kept: [], discarded: [] });
  expect(handle.agent.outcome('m1' as never)).toBe('waiting');
  expect(waiting(await first.resume({ start: 'held' }))).toEqual(['m1']);
});
