/** What is told to those who are in the middle of something when an agent begins to leave. */
import { expect, it } from 'vitest';
import { memoryDriver } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';
import type { ContinuableCreateSpec } from '../../src/index.ts';
import { leftBehind } from '../rig/left-behind.ts';
import { chain, live } from '../rig/tree.ts';
import { id, openWorld, text, type World } from '../rig/world.ts';

/** A provider that answers when it is told to. */
function registerSlow(world: World): () => void {
  const answer = deferred<ContinuableCreateSpec>();
  world.runtime.registerProvider({
    name: 'slow',
    capabilities: { outputSchema: false, depthLimit: false, toolFilter: false, persona: false },
    start: () => Promise.reject(new Error('no one-shots')),
    prepareContinuable: () => answer.promise,
  });
  return () => {
    answer.resolve({});
  };
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );

it('tells who works for a child whose start is undone that this child is leaving, whatever the start failed of [M14 M24 M49]', async () => {
  const world = await openWorld();
  const root = await world.root();
  const caller = new AbortController();
  const told: Promise<unknown>[] = [];
  world.runtime.on('subagent/start', ({ childId }) => {
    if (childId !== 'kiwi') return;
    const kiwi = live(world, 'kiwi');
    told.push(
      codeOf(world.start(kiwi, 'plum')),
      codeOf(world.runtime.start('spawn', { label: 'one', prompt: 'Look.', parent: kiwi })),
      codeOf(world.runtime.sendMessage(kiwi, id('fig'), text('Are you there?'))),
    );
    caller.abort(new Error('the caller has left'));
  });
  const begun = world.start(root.agent, 'kiwi', { signal: caller.signal });
  await expect(begun).rejects.toThrow('the caller has left');
  expect(await Promise.all(told)).toEqual(Array(3).fill('ACTIVATION_CLOSING'));
  expect(world.agents.list()).toEqual([root.agent]);
});

it('stops all that a child has begun in the instant in which another process takes it [M29 M32 M24]', async () => {
  const { world } = await chain(['kiwi'], { scripts: { one: [{ text: 'x', hold: 'end' }] } });
  const kiwi = live(world, 'kiwi');
  const answer = registerSlow(world);
  const begun = codeOf(world.start(kiwi, 'plum', { provider: 'slow' }));
  const sent = codeOf(world.runtime.sendMessage(kiwi, id('plum'), text('Hear.')));
  const run = await world.runtime.start('spawn', { label: 'one', prompt: 'Look.', parent: kiwi });
  await world.rest();
  const statuses: unknown[] = [];
  kiwi.session.lost.addEventListener('abort', () => {
    statuses.push(world.agents.get(run.id)?.status);
  });
  world.medium.expire(id('kiwi'));
  await memoryDriver({ medium: world.medium }).take(id('kiwi'), 'open', {});
  world.model('kiwi').release('end');
  await world.rest();
  expect(statuses).toEqual(['closing']);
  expect(await run.result).toMatchObject({ stopReason: 'aborted' });
  answer();
  expect(await Promise.all([begun, sent])).toEqual(['ACTIVATION_CLOSING', 'ACTIVATION_CLOSING']);
  await world.rest();
  expect(world.log).toContain('end kiwi fenced');
});

it('ends what a top-level agent waits to deliver when that agent is stopped [M14]', async () => {
  const world = await openWorld();
  const root = await world.root();
  const answer = registerSlow(world);
  const begun = codeOf(world.start(root.agent, 'kiwi', { provider: 'slow' }));
  const sent = codeOf(world.runtime.sendMessage(root.agent, id('kiwi'), text('Hear.')));
  root.stop('user');
  expect(await sent).toBe('ACTIVATION_CLOSING');
  answer();
  expect(await begun).toBe('ACTIVATION_CLOSING');
});

it('undoes a start that is drained before its task, also where a person has written to the child already [M5 M33]', async () => {
  const world = await openWorld();
  const root = await world.root();
  world.agents.on('agent/created', ({ agent }) => {
    if (agent.id === 'kiwi') agent.steer({ content: 'Hello.', source: { kind: 'user' } });
  });
  world.runtime.on('subagent/start', () => {
    world.runtime.drainContinuableDescendants([root.agent]).catch(() => undefined);
  });
  expect(await codeOf(world.start(root.agent, 'kiwi'))).toBe('DRAINING');
  await world.rest();
  expect(await leftBehind(world, 'root', 'kiwi')).toEqual([]);
  expect(world.log).toEqual([
    'kiwi accepts user',
    'start kiwi',
    'kiwi discards disposed',
    'gone kiwi',
    'end kiwi aborted',
  ]);
});
