import type { MessageId } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import type { MessageInput } from '../src/agent.ts';
import { AgentError } from '../src/errors.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, openWorld, relay, say } from './agent-world.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (AgentError.is(error)) return error.code;
    throw error;
  }
  return 'none';
};

it('copies at acceptance: what the caller changes later does not count [A1]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  const content = [{ type: 'text' as const, text: 'before' }];
  agent.inject({ ...say('m1'), content });
  content[0]!.text = 'after';
  expect(agent.inbox.list()[0]?.message.content).toEqual([{ type: 'text', text: 'before' }]);
  expect(Object.isFrozen(agent.inbox.list()[0]?.message.content[0])).toBe(true);
});

it.each<readonly [string, unknown]>([
  ['no source', { content: 'a' }],
  ['an empty list', { content: [], source: { kind: 'user' } }],
  ['a block without type', { content: [{ text: 'a' }], source: { kind: 'user' } }],
  ['what JSON would not keep', { content: [{ type: 'text', text: undefined }], source: { kind: 'user' } }],
  ['an empty id', { content: 'a', source: { kind: 'user' }, id: '' }],
])('refuses %s and inserts nothing [A1]', async (_, input) => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  expect(codeOf(() => agent.followup(input as MessageInput))).toBe('INVALID_MESSAGE');
  expect([agent.inbox.list(), agent.status]).toEqual([[], 'idle']);
});

it('tells an acceptance in order, and claims in a later microtask what one span accepted [A9]', async () => {
  const { registry, told } = await openWorld();
  const { agent } = await registry.create();
  told.length = 0;
  const statuses: string[] = [];
  agent.on('agent/inbox/enqueue', ({ message }) =>
    statuses.push(`${message.id} ${agent.status} ${agent.inbox.list().length}`),
  );
  agent.steer(say('m1'));
  agent.steer(say('m2'));
  expect(told).toEqual(['inbox/enqueue m1', 'status running', 'inbox/enqueue m2']);
  expect(statuses).toEqual(['m1 running 1', 'm2 running 2']);
  await agent.whenIdle();
  expect(told.filter((line) => line.startsWith('turn/start'))).toHaveLength(1);
});

it('shows no idle between turns [A9][A10]', async () => {
  const { registry, told } = await openWorld();
  const { agent } = await registry.create();
  agent.on('agent/turn/end', ({ turn }) => {
    if (turn === 0) agent.followup(say('t2'));
  });
  agent.followup(say('t1'));
  await agent.whenIdle();
  expect(told.filter((line) => line.startsWith('status'))).toEqual(['status running', 'status idle']);
  expect(logOf(agent.session)).toContain('user t2');
});

it('includes in whenIdle what is accepted when idle is told [A10]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  agent.on('agent/status', ({ status }) => {
    if (status === 'idle' && agent.session.turns === 1) agent.followup(say('t2'));
  });
  agent.followup(say('t1'));
  await agent.whenIdle();
  expect(agent.outcome('t2' as MessageId)).toMatchObject({ logged: expect.any(Number) as number });
});

it('rejects whenIdle by its signal alone [A10]', async () => {
  const { registry } = await openWorld({ script: [{ text: 'x', hold: 'never' }] });
  const { agent } = await registry.create();
  agent.followup(say('t1'));
  const controller = new AbortController();
  const waiting = agent.whenIdle({ signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(agent.status).toBe('running');
});

it('a listener of the acceptance may cancel at once [O37 A9][A20]', async () => {
  const { registry, told } = await openWorld();
  const { agent } = await registry.create();
  agent.on('agent/inbox/enqueue', () => agent.cancel('user'));
  agent.followup(say('m1'));
  expect(agent.status).toBe('running');
  await agent.whenIdle();
  expect(told.filter((line) => line !== 'created')).toEqual([
    'inbox/discard m1 cancelled',
    'status running',
    'inbox/enqueue m1',
    'status idle',
  ]);
  expect(agent.session.turns).toBe(0);
});

it('lists, removes and clears, each removal with its event and its outcome [A8]', async () => {
  const { registry, told } = await openWorld();
  const { agent } = await registry.create({ start: 'held' });
  for (const text of ['m1', 'm2', 'm3']) agent.followup(say(text));
  expect(agent.inbox.remove('m2' as MessageId)).toBe(true);
  expect(agent.inbox.remove('m2' as MessageId)).toBe(false);
  expect(agent.inbox.clear()).toEqual(['m1', 'm3']);
  expect(agent.outcome('m2' as MessageId)).toEqual({ discarded: 'removed' });
  expect(told.filter((line) => line.startsWith('inbox/discard'))).toEqual([
    'inbox/discard m2 removed',
    'inbox/discard m1 cleared',
    'inbox/discard m3 cleared',
  ]);
  expect(agent.status).toBe('idle');
});

it('is bounded in entries and bytes, but not for a person and for notices [A8]', async () => {
  const { registry } = await openWorld({ limits: { inboxEntries: 2, inboxBytes: 400 } });
  const { agent } = await registry.create({ start: 'held' });
  agent.inject(relay('m1'));
  expect(codeOf(() => agent.inject({ ...relay('m2'), content: 'x'.repeat(400) }))).toBe('INBOX_FULL');
  agent.inject(relay('m2'));
  expect(codeOf(() => agent.inject(relay('m3')))).toBe('INBOX_FULL');
  agent.inject(say('human'));
  agent.inject({ ...relay('notice'), source: { kind: 'x', form: 'notice' } as never });
  expect(agent.inbox.list().map(({ message }) => message.id)).toEqual(['m1', 'm2', 'human', 'notice']);
  expect(agent.outcome('m3' as MessageId)).toBe('unknown');
});

it('accepts one id once, before and after a resume [O40 A1]', async () => {
  const { registry } = await openWorld();
  const first = await registry.create({ id: id('s') });
  first.agent.followup(say('m1'));
  expect(first.agent.followup(say('m1'))).toBe('m1');
  expect(first.agent.inbox.list()).toHaveLength(1);
  await first.agent.whenIdle();
  first.agent.followup(say('m1'));
  await first.dispose();
  const { agent } = await registry.resume({ id: id('s') });
  expect(agent.followup(say('m1'))).toBe('m1');
  expect([agent.inbox.list(), agent.status]).toEqual([[], 'idle']);
  await drainMicrotasks();
  expect(agent.session.turns).toBe(1);
  expect(agent.outcome('m1' as MessageId)).toEqual({ logged: 1 });
});

it('does not accept a discarded id again [A1]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create({ start: 'held' });
  agent.followup(say('m1'));
  agent.inbox.clear();
  expect(agent.followup(say('m1'))).toBe('m1');
  expect(agent.inbox.list()).toEqual([]);
});

it('takes anew after a resume what a process-local inbox has discarded: no log tells of it [A1 A31]', async () => {
  const { registry } = await openWorld();
  const first = await registry.create({ id: id('s') });
  first.agent.followup(say('m1'));
  await first.agent.whenIdle();
  first.agent.inject(say('m2'));
  first.agent.inbox.clear();
  await first.dispose();
  const { agent } = await registry.resume({ id: id('s') });
  expect(agent.outcome('m2' as MessageId)).toBe('unknown');
  expect(agent.session.events().filter(({ type }) => type.startsWith('inbox/'))).toEqual([]);
  expect(agent.followup(say('m2'))).toBe('m2');
  await agent.whenIdle();
  expect(logOf(agent.session)).toContain('user m2');
});

it('reports a listener that throws and goes on [A1]', async () => {
  const { registry, diagnostics } = await openWorld();
  const { agent } = await registry.create();
  agent.on('agent/inbox/enqueue', () => {
    throw new Error('listener');
  });
  registry.on('agent/turn/start', () => {
    throw new Error('other');
  });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session)).toContain('user m1');
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['listener-failed', 'a listener of agent/inbox/enqueue failed'],
    ['listener-failed', 'a listener of agent/turn/start failed'],
  ]);
});

it('tells of rest when the last work of an agent that is held has left [A8 A9]', async () => {
  const { registry, told } = await openWorld();
  const { agent } = await registry.create({ start: 'held' });
  agent.followup(say('m1'));
  agent.inbox.remove('m1' as MessageId);
  expect(told.filter((line) => line.startsWith('status'))).toEqual(['status running', 'status idle']);
});
