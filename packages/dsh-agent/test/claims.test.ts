/** Which messages a turn and a step take: A3, A4, A5, A7, A22, and the orders of events that break it. */
import { expect, it } from 'vitest';
import { drainMicrotasks } from '../src/testing/index.ts';
import { claims, logOf, openWorld, relay, say, tool } from './agent-world.ts';

it('claims every waiting step entry with the oldest turn entry, in acceptance order [A4][A7]', async () => {
  const { registry, model } = await openWorld();
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.inject(relay('i1'));
  agent.followup(say('t1'));
  agent.steer(relay('s1'));
  agent.followup(say('t2'));
  agent.inject(relay('i2'));
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 i1', '0.0 t1', '0.0 s1', '0.0 i2', '1.0 t2']);
  expect(model.requests).toHaveLength(2);
});

it('lets step entries pass an older turn entry when a step entry is the oldest that wakes [A4]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.steer(relay('s1'));
  agent.followup(say('t1'));
  agent.steer(relay('s2'));
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 s1', '0.0 s2', '1.0 t1']);
});

it('wakes nobody by an injection alone [A4]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  agent.inject(relay('i1'));
  await drainMicrotasks();
  expect(agent.status).toBe('idle');
  expect(agent.inbox.list()).toHaveLength(1);
});

it('claims between steps after all results of the batch, all that waits in one step [A4][A6][A7]', async () => {
  const { registry, tools, model } = await openWorld({
    script: [{ calls: [{ tool: 'a' }, { tool: 'b' }] }, 'done'],
  });
  const { agent } = await registry.create();
  tools.register(
    tool('a', () => {
      agent.steer(relay('s1'));
      agent.followup(say('t2'));
      return 'A';
    }),
  );
  tools.register(
    tool('b', () => {
      agent.steer(relay('s2'));
      return 'B';
    }),
  );
  agent.followup(say('t1'));
  await agent.whenIdle();
  expect(logOf(agent.session)).toEqual([
    'turn 0',
    'user t1',
    'assistant <tool-call><tool-call>',
    'start a',
    'start b',
    'result a ok: A',
    'result b ok: B',
    'user s1',
    'user s2',
    'assistant done',
    'end 0 completed',
    'turn 1',
    'user t2',
    'assistant (end of script)',
    'end 1 completed',
  ]);
  expect(model.requests).toHaveLength(3);
});

it('extends a turn by what comes after the last token, once [A5]', async () => {
  const { registry, model } = await openWorld({ script: [{ text: 'one', hold: 'h' }, 'two'] });
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.steer(relay('also pears'));
  model.release('h');
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t1', '0.1 also pears']);
  expect(logOf(agent.session).filter((line) => line === 'user also pears')).toHaveLength(1);
});

it('gives what is accepted while the end is being logged to the next turn [A5]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.session.subscribe(({ type }) => {
    if (type === 'turn/end' && agent.session.turns === 1) agent.steer(relay('late'));
  });
  agent.followup(say('t1'));
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t1', '1.0 late']);
});

it('a steer that waits at a token limit is claimed by the next turn [O32 A5]', async () => {
  const { registry, model } = await openWorld({
    script: [{ text: 'cut', finish: 'max-tokens', hold: 'h' }, 'two'],
  });
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.steer(relay('s1'));
  model.release('h');
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t1', '1.0 s1']);
  expect(logOf(agent.session)).toContain('end 0 max-tokens');
});

it('steers do not hold a turn open while a prompt waits [O33 A5]', async () => {
  const holds = [1, 2, 3].map((n) => ({ text: `${n}`, hold: `h${n}` }));
  const { registry, model } = await openWorld({ script: holds });
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.followup(say('t1'));
  await drainMicrotasks();
  agent.steer(relay('s1'));
  agent.followup(say('prompt'));
  model.release('h1');
  await drainMicrotasks();
  agent.steer(relay('s2'));
  model.release('h2');
  model.release('h3');
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t1', '1.0 s1', '2.0 prompt', '2.0 s2']);
});

it('an aborted turn claims none of what came after the abort [O1 A22][A4][A7]', async () => {
  const { registry } = await openWorld({ script: [{ text: 'x', hold: 'never' }, 'two', 'three'] });
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.followup(say('t0'));
  await drainMicrotasks();
  expect(agent.cancel('user')).toEqual({ turn: 0, kept: [], discarded: [] });
  agent.steer(relay('s1'));
  agent.steer(relay('s2'));
  agent.followup(say('t3'));
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t0', '1.0 s1', '1.0 s2', '2.0 t3']);
});

it('a steer lifts the mark, and the claim sees all entries [O2 A20][A4]', async () => {
  const { registry } = await openWorld({ script: [{ text: 'x', hold: 'never' }] });
  const { agent } = await registry.create();
  const seen = claims(agent);
  agent.followup(say('t0'));
  await drainMicrotasks();
  for (const accept of [
    () => agent.steer(relay('s1')),
    () => agent.followup(say('t1')),
    () => agent.followup(say('t2')),
  ])
    accept();
  expect(agent.cancel('parent', { keepInbox: true })).toEqual({
    turn: 0,
    kept: ['s1', 't1', 't2'],
    discarded: [],
  });
  await agent.whenIdle();
  expect([agent.status, agent.inbox.parked]).toEqual(['idle', true]);
  agent.steer(relay('s4'));
  await agent.whenIdle();
  expect(seen).toEqual(['0.0 t0', '1.0 s1', '1.0 s4', '2.0 t1', '3.0 t2']);
});

it('a cancel by who sees a claim discards nothing of it [O3 A3]', async () => {
  const { registry, told, model } = await openWorld();
  const { agent } = await registry.create();
  const looks: unknown[] = [];
  agent.session.subscribe((event) => {
    if (event.type !== 'user/message') return;
    looks.push([event.data.id, agent.inbox.list().length, agent.outcome(event.data.id)]);
    if (event.data.id === 'm1') looks.push(agent.cancel('user'));
  });
  agent.steer(say('m1'));
  agent.steer(say('m2'));
  await agent.whenIdle();
  expect(logOf(agent.session)).toEqual(['turn 0', 'user m1', 'user m2', 'end 0 aborted']);
  expect(looks).toEqual([
    ['m1', 0, { logged: 1 }],
    { turn: 0, kept: [], discarded: [] },
    ['m2', 0, { logged: 2 }],
  ]);
  expect(told.filter((line) => line.startsWith('inbox/'))).toEqual([
    'inbox/enqueue m1',
    'inbox/enqueue m2',
    'inbox/dequeue m1 0.0',
    'inbox/dequeue m2 0.0',
  ]);
  expect(model.requests).toHaveLength(0);
});

it('parks nothing by a turn that was cancelled before it claimed anything [A11 A20]', async () => {
  const { registry } = await openWorld();
  const { agent } = await registry.create();
  agent.on('agent/turn/start', () => void agent.cancel('parent'));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect([logOf(agent.session), agent.inbox.parked]).toEqual([['turn 0', 'end 0 aborted'], false]);
});

it('prepares no request in a turn that is cancelled by who sees its claim [A20 A22]', async () => {
  const asked: unknown[] = [];
  const { registry } = await openWorld({ hooks: { beforeRequest: (event) => void asked.push(event) } });
  const { agent } = await registry.create();
  agent.on('agent/inbox/dequeue', () => void agent.cancel('parent'));
  agent.followup(say('m1'));
  await agent.whenIdle();
  const types = agent.session.events().map(({ type }) => type);
  expect([types, asked]).toEqual([['turn/start', 'user/message', 'turn/end'], []]);
});

it('a claim that cannot be logged puts all back, parks, and was seen by nobody [O4 A3][A11]', async () => {
  const { registry, told } = await openWorld();
  const { agent } = await registry.create({
    setup: ({ session }) => {
      failing(session, 'm2');
    },
  });
  const events: string[] = [];
  agent.session.subscribe(({ type }) => events.push(type));
  for (const text of ['m1', 'm2']) agent.steer(say(text));
  agent.followup(say('t3'));
  await agent.whenIdle();
  expect(events).toEqual(['turn/start', 'turn/end']);
  expect(logOf(agent.session)).toEqual(['turn 0', 'end 0 error']);
  expect(agent.inbox.list().map(({ message }) => message.id)).toEqual(['m1', 'm2', 't3']);
  expect(agent.inbox.parked).toBe(true);
  expect(agent.outcome('m1' as never)).toBe('waiting');
  expect(told.filter((line) => line.startsWith('inbox/dequeue'))).toEqual([]);
});

it('parks when a later step of a turn cannot be claimed [A11]', async () => {
  const { registry, tools } = await openWorld({ script: [{ calls: [{ tool: 't' }] }, 'two', 'three'] });
  const { agent } = await registry.create();
  failing(agent.session, 's1');
  tools.register(tool('t', () => agent.steer(relay('s1'))));
  agent.followup(say('t1'));
  agent.followup(say('t2'));
  await agent.whenIdle();
  expect(agent.inbox.list().map(({ message }) => message.id)).toEqual(['t2', 's1']);
  expect([agent.inbox.parked, logOf(agent.session).at(-1)]).toEqual([true, 'end 0 error']);
});

/** From now on the log takes no batch with that message. */
function failing(session: { appendAll: unknown }, id: string): void {
  const whole = (session.appendAll as (entries: readonly { data: { id?: string } }[]) => unknown).bind(
    session,
  );
  session.appendAll = (entries: readonly { data: { id?: string } }[]) => {
    if (entries.some(({ data }) => data.id === id)) throw new Error('disk full');
    return whole(entries);
  };
}
