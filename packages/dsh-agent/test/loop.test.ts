import { expect, it } from 'vitest';
import { logOf, openWorld, say, tool } from './agent-world.ts';

it('runs a turn with a tool call and tells it in order [A12][A9]', async () => {
  const world = await openWorld({
    script: [{ text: 'look', calls: [{ tool: 'echo', input: { a: 1 } }] }, 'done'],
  });
  world.tools.register(tool('echo', (input) => JSON.stringify(input)));
  const { agent } = await world.registry.create();
  agent.followup(say('m1'));
  expect(agent.status).toBe('running');
  await agent.whenIdle();
  expect(logOf(agent.session)).toEqual([
    'turn 0',
    'user m1',
    'assistant look<tool-call>',
    'start echo',
    'result echo ok: {"a":1}',
    'assistant done',
    'end 0 completed',
  ]);
  expect(world.told).toEqual([
    'created',
    'inbox/enqueue m1',
    'status running',
    'turn/start 0',
    'inbox/dequeue m1 0.0',
    'tool/start echo',
    'tool/end echo ok',
    'turn/end 0 completed',
    'status idle',
  ]);
  await world.registry[Symbol.asyncDispose]();
  expect(world.told.slice(-2)).toEqual(['status closing', 'disposed']);
  expect(world.diagnostics).toEqual([]);
});
