/** An agent whose log is still on the medium when it is given its first messages: A1, A11, A20, A23, A28. */
import { memoryDriver, openSessionStore, type MemoryDriver, type MessageId } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { id, logOf, openWorld, relay, say, type WorldOptions } from './agent-world.ts';

const m = (text: string): MessageId => text as MessageId;

/** A medium with the log of `s`, which is too long to be read when it is opened: one turn for each id. */
async function stored(...texts: readonly string[]): Promise<MemoryDriver['medium']> {
  const driver = memoryDriver();
  const { registry } = await openWorld({ sessions: await openSessionStore({ driver }) });
  const handle = await registry.create({ id: id('s') });
  texts.forEach((text, index) => {
    handle.agent.followup(index > 0 ? say(text) : { ...say(text), content: 'long '.repeat(20_000) });
  });
  await handle.agent.whenIdle();
  await handle.dispose();
  return driver.medium;
}

/** A program that resumed `s`, and reads nothing of its log before `open`. */
async function resumed(medium: MemoryDriver['medium'], options: WorldOptions = {}) {
  let open!: () => void;
  let there = false;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const driver = memoryDriver({ medium });
  const read = driver.read.bind(driver);
  driver.read = async function* (...args) {
    if (there) await gate;
    yield* read(...args);
  };
  const sessions = await openSessionStore({ driver });
  const world = await openWorld({ ...options, sessions });
  const handle = await world.registry.resume({ id: id('s') });
  there = true;
  return { ...world, handle, agent: handle.agent, open };
}

it('makes no turn of an id that its log holds, and says what became of it [A1 A9 A28]', async () => {
  const { agent, open, told, model } = await resumed(await stored('m1', 'm2'));
  const before = agent.session.length;
  expect(agent.followup(say('m1'))).toBe('m1');
  expect([agent.outcome(m('m1')), agent.status]).toEqual(['waiting', 'running']);
  await drainMicrotasks();
  expect(agent.session.length).toBe(before);
  open();
  await agent.whenIdle();
  expect(agent.outcome(m('m1'))).toEqual({ logged: 1 });
  expect([agent.session.length, agent.session.turns, model.requests]).toEqual([before, 2, []]);
  expect(told.slice(1)).toEqual([
    'inbox/enqueue m1',
    'status running',
    'inbox/discard m1 removed',
    'status idle',
  ]);
});

it('handles what is new beside it, in one turn [A1 A4 A28]', async () => {
  const { agent, open, told } = await resumed(await stored('m1'));
  agent.steer(say('m1'));
  agent.steer(say('m2'));
  open();
  await agent.whenIdle();
  expect(told.filter((line) => /queue|discard/.test(line))).toEqual([
    'inbox/enqueue m1',
    'inbox/enqueue m2',
    'inbox/discard m1 removed',
    'inbox/dequeue m2 1.0',
  ]);
  expect(agent.session.history().map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
});

it('is left by a cancel, without a turn, and read for what comes afterwards [A20 A22]', async () => {
  const { agent, open, told } = await resumed(await stored('m0'));
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect(agent.cancel('user')).toEqual({ kept: [], discarded: ['m1'] });
  await agent.whenIdle();
  agent.followup(say('m2'));
  await drainMicrotasks();
  expect(agent.cancel('user', { keepInbox: true })).toEqual({ kept: ['m2'], discarded: [] });
  agent.followup(relay('m3'));
  await agent.whenIdle();
  expect([agent.session.turns, agent.inbox.parked]).toEqual([1, true]);
  agent.unpark();
  open();
  await agent.whenIdle();
  expect(told.filter((line) => line.startsWith('inbox/dequeue'))).toEqual([
    'inbox/dequeue m2 1.0',
    'inbox/dequeue m3 2.0',
  ]);
});

it('that has arrived since says what became of an id that was discarded meanwhile [A1 A28]', async () => {
  const { agent, open } = await resumed(await stored('m1'));
  agent.followup(say('m1'));
  agent.cancel('user');
  expect(agent.outcome(m('m1'))).toEqual({ discarded: 'cancelled' });
  open();
  await agent.session.ready();
  expect(agent.outcome(m('m1'))).toEqual({ logged: 1 });
});

it('does not hold up the end of its agent [A23]', async () => {
  const { handle, agent, told } = await resumed(await stored('m0'));
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect(handle.stop('drain')).toEqual({ pending: ['m1'] });
  await agent.whenIdle();
  await handle.dispose();
  expect(told.slice(-2)).toEqual(['inbox/discard m1 disposed', 'disposed']);
});

it('a damaged one ends the turn, parks and loses nothing; repaired, it goes on [O25 A11]', async () => {
  const medium = await stored('m1', 'm2');
  medium.damage(id('s'), 'flipped-byte', 6);
  const { registry, sessions, agent, handle, open } = await resumed(medium);
  const reasons: unknown[] = [];
  agent.on('agent/turn/end', ({ reason }) => reasons.push(reason));
  open();
  agent.followup(say('m3'));
  await agent.whenIdle();
  expect([agent.inbox.list().length, agent.inbox.parked, agent.status]).toEqual([1, true, 'idle']);
  expect(reasons).toMatchObject([{ kind: 'error', code: 'DAMAGED_LOG' }]);
  await handle.dispose();
  await sessions.repair(id('s'));
  const again = await registry.resume({ id: id('s') });
  again.agent.followup(say('m3'));
  await again.agent.whenIdle();
  expect(logOf(again.agent.session)).toContain('user m3');
});

it('comes before what happened here: a thousand of its messages drive out no newer id [A1]', async () => {
  const { agent, open } = await resumed(await stored(...Array.from({ length: 1_000 }, (_, n) => `m${n}`)));
  agent.inject(say('here'));
  agent.inbox.remove(m('here'));
  open();
  agent.followup(say('new'));
  await agent.whenIdle();
  expect(agent.outcome(m('here'))).toEqual({ discarded: 'removed' });
  expect(agent.outcome(m('m0'))).toBe('unknown');
});

it('discards an id that is too old to be remembered when it comes to its turn, and holds up nothing [A1 A3 A11]', async () => {
  const { agent, open, told } = await resumed(
    await stored(...Array.from({ length: 1_001 }, (_, n) => `m${n}`)),
  );
  open();
  agent.followup(say('new'));
  await agent.whenIdle();
  expect(agent.outcome(m('m0'))).toBe('unknown');
  agent.steer(say('m0'));
  agent.steer(say('m2000'));
  await agent.whenIdle();
  expect(agent.inbox.parked).toBe(false);
  expect(told.filter((line) => /queue|discard/.test(line)).slice(2)).toEqual([
    'inbox/enqueue m0',
    'inbox/enqueue m2000',
    'inbox/discard m0 removed',
    'inbox/dequeue m2000 1002.0',
  ]);
});

it('claims nothing in a turn that is cancelled by who hears of such a discard [A20 A22]', async () => {
  const { agent, open } = await resumed(await stored(...Array.from({ length: 1_001 }, (_, n) => `m${n}`)));
  open();
  agent.followup(say('new'));
  await agent.whenIdle();
  agent.on('agent/inbox/discard', () => agent.cancel('parent', { keepInbox: true }));
  for (const text of ['m0', 'm2000']) agent.steer(say(text));
  await agent.whenIdle();
  expect(agent.inbox.list().map(({ message }) => message.id)).toEqual(['m2000']);
  expect(logOf(agent.session).at(-1)).toBe('end 1002 aborted');
});
