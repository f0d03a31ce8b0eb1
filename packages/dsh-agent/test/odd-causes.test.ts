/** A cause that the log would not take: the turn ends in the log all the same, and the agent goes on. */
import { expect, it } from 'vitest';
import type { CancelCause } from '../src/agent.ts';
import { modelError } from '../src/model.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { logOf, openWorld, say, type World } from './agent-world.ts';

const circle: { code: string; self?: unknown } = { code: 'ROUND' };
circle.self = circle;
const closed = Proxy.revocable({}, {});
closed.revoke();

const causes: readonly (readonly [string, unknown, unknown])[] = [
  ['a text', 'user', 'user'],
  ['a code', { code: 'MINE' }, { code: 'MINE' }],
  ['an error of this package', modelError('OVERLOADED', 'x', { retryable: true }), { code: 'OVERLOADED' }],
  ['a member that is undefined', { code: 'MINE', detail: undefined }, { code: 'MINE' }],
  ['a bigint beside the code', { code: 'MINE', detail: 1n }, { code: 'MINE' }],
  ['a cycle', circle, { code: 'ROUND' }],
  ['nothing', undefined, { code: 'UNKNOWN_CAUSE' }],
  ['null', null, { code: 'UNKNOWN_CAUSE' }],
  ['a number', Number.NaN, { code: 'UNKNOWN_CAUSE' }],
  ['an error without a code', new Error('why'), { code: 'UNKNOWN_CAUSE' }],
  ['what cannot be looked at', closed.proxy, { code: 'UNKNOWN_CAUSE' }],
];

async function runningWorld(inbox: 'process' | 'durable'): Promise<World> {
  const world = await openWorld({ script: [{ text: 'half', hold: 'never' }, 'whole'] });
  const { agent } = await world.registry.create({ inbox });
  agent.followup(say('m1'));
  await drainMicrotasks();
  return world;
}

it.each(causes)(
  'logs what a cause says, and takes the next message: %s [A12 A20]',
  async (_name, cause, kept) => {
    const world = await runningWorld('durable');
    const [agent] = world.registry.list();
    expect(agent?.cancel(cause as CancelCause, { keepInbox: true }).turn).toBe(0);
    await agent?.whenIdle();
    expect(agent?.session.events().find(({ type }) => type === 'turn/end')?.data).toEqual({
      turn: 0,
      reason: { kind: 'aborted', cause: kept },
    });
    agent?.followup(say('m2'));
    await agent?.whenIdle();
    expect(agent === undefined ? [] : logOf(agent.session).slice(-4)).toEqual([
      'turn 1',
      'user m2',
      'assistant whole',
      'end 1 completed',
    ]);
    expect(world.diagnostics).toEqual([]);
  },
);

it.each(causes)('stops and disposes whatever the cause: %s [A12 A23]', async (_name, cause, kept) => {
  const world = await openWorld({ script: [{ text: 'half', hold: 'never' }] });
  const handle = await world.registry.create();
  handle.agent.followup(say('m1'));
  await drainMicrotasks();
  expect(handle.stop(cause as CancelCause).turn).toBe(0);
  expect(handle.agent.status).toBe('closing');
  await handle.dispose();
  expect(handle.agent.session.events().at(-1)?.data).toEqual({
    turn: 0,
    reason: { kind: 'aborted', cause: kept },
  });
});
