/** Who holds a place among the model requests, and who only waits: A33, A15, A23. */
import { expect, it } from 'vitest';
import type { Agent } from '../src/agent.ts';
import type { AgentHooks } from '../src/hooks.ts';
import type { ScriptedTurn } from '../src/testing/index.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { logOf, openWorld, say, tool } from './agent-world.ts';

const never = new Promise<never>(() => {});

/** What an agent may wait for while another one, in a registry of one place, is asked. */
const waits: readonly (readonly [string, { first?: ScriptedTurn; hooks?: AgentHooks }])[] = [
  ['a tool', { first: { calls: [{ tool: 'wait' }] } }],
  ['another attempt', { first: { text: 'half', cut: true } }],
  ['the hook beforeStep', { hooks: { beforeStep: ({ entries }) => waitsFor(entries[0]?.message.id) } }],
  [
    'the hook beforeRequest',
    { hooks: { beforeRequest: ({ agent }) => waitsFor(agent.session.turns === 1 && firstOf(agent)) } },
  ],
];

const waitsFor = (who: unknown): Promise<undefined> | undefined => (who === 'm1' ? never : undefined);

function firstOf({ session }: Agent): unknown {
  const event = session.events().find(({ type }) => type === 'user/message');
  return (event?.data as { readonly id?: string } | undefined)?.id;
}

it.each(waits)('an agent that waits for %s holds none [A33]', async (_, { first, hooks }) => {
  const { registry, tools } = await openWorld({
    script: [...(first === undefined ? [] : [first]), 'two'],
    limits: { modelCalls: 1 },
    ...(hooks === undefined ? {} : { hooks }),
  });
  tools.register(tool('wait', () => never));
  const [one, other] = [await registry.create(), await registry.create()];
  one.agent.followup(say('m1'));
  await drainMicrotasks();
  other.agent.followup(say('m2'));
  await drainMicrotasks();
  expect(one.agent.status).toBe('running');
  expect(logOf(other.agent.session).slice(-2)).toEqual(['assistant two', 'end 0 completed']);
});

it('one that is stopped while it waits for its place asks nothing, and holds up nobody [A33 A23]', async () => {
  const { registry, model } = await openWorld({
    script: [{ text: 'one', hold: 'h' }, 'two'],
    limits: { modelCalls: 1 },
  });
  const handles = [await registry.create(), await registry.create(), await registry.create()];
  handles.forEach(({ agent }, index) => agent.followup(say(`m${index}`)));
  await drainMicrotasks();
  handles[1]?.stop('drain');
  model.release('h');
  await Promise.all(handles.map(({ agent }) => agent.whenIdle()));
  expect(handles.map(({ agent }) => logOf(agent.session).at(-1))).toEqual([
    'end 0 completed',
    'end 0 aborted',
    'end 0 completed',
  ]);
  expect(model.requests).toHaveLength(2);
});

it('one that is stopped between two attempts makes no other [A15 A23]', async () => {
  const { registry, clock, model } = await openWorld({ script: () => ({ error: { status: 503 } }) });
  const handle = await registry.create();
  handle.agent.followup(say('m1'));
  await drainMicrotasks();
  handle.stop('drain');
  await handle.agent.whenIdle();
  clock.advance(60_000);
  await drainMicrotasks();
  expect(model.requests).toHaveLength(1);
  expect([clock.pending, logOf(handle.agent.session).at(-1)]).toEqual([0, 'end 0 aborted']);
});

it('does not wait for as long as a provider likes: the turn ends with its error, and the next one asks again in time [A15]', async () => {
  const year = 365 * 86_400_000;
  const { registry, clock, model } = await openWorld({
    script: (_request, index) => (index === 0 ? { error: { status: 429, retryAfterMs: year } } : 'here'),
  });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect(logOf(agent.session).at(-1)).toContain('error');
  agent.followup(say('m2'));
  await drainMicrotasks();
  clock.advance(600_000);
  await agent.whenIdle();
  expect(model.requests).toHaveLength(2);
  expect(clock.pending).toBe(0);
});

it('waits longer for each attempt, by chance, and never less than it was asked to [A15]', async () => {
  const delays = async (chance: number, retryAfterMs?: number): Promise<readonly number[]> => {
    const error = { status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const { registry, clock } = await openWorld({ script: () => ({ error }), random: () => chance });
    const { agent } = await registry.create();
    const found: number[] = [];
    agent.on('agent/retry', ({ delayMs }) => found.push(delayMs));
    agent.followup(say('m1'));
    for (let waited = 0; waited < 12; waited += 1) {
      await drainMicrotasks();
      clock.advanceToNext();
    }
    await agent.whenIdle();
    return found;
  };
  expect(await delays(0)).toEqual([500, 1_000, 2_000, 4_000]);
  expect(await delays(0.99)).toEqual([995, 1_990, 3_980, 7_960]);
  for (const chance of [0, 0.99])
    for (const delay of await delays(chance, 20_000)) expect(delay).toBeGreaterThanOrEqual(20_000);
});
