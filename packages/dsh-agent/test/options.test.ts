/** What a registry is made with: an option that is left out, one that is undefined, and one that is none. */
import { memoryDriver, openSessionStore } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { createAgentRegistry } from '../src/create-registry.ts';
import type { AgentLimits } from '../src/registry.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { createToolRegistry } from '../src/tool-registry.ts';
import { logOf, openWorld, relay, say, tool } from './agent-world.ts';

const names = {
  steps: undefined,
  toolCalls: undefined,
  inboxEntries: undefined,
  inboxBytes: undefined,
  modelCalls: undefined,
  graceMs: undefined,
  modelAttempts: undefined,
  modelDelayMs: undefined,
  modelIdleMs: undefined,
} satisfies Record<keyof AgentLimits, undefined>;

it('takes the default of a bound that is undefined [A8 A14 A18 A33]', async () => {
  const { registry, tools, clock } = await openWorld({
    script: [{ calls: [{ tool: 'a' }] }, { error: { status: 500 } }, 'well'],
    limits: names as object,
  });
  tools.register(tool('a', () => 'ok'));
  const { agent } = await registry.create();
  agent.followup(relay('m1'));
  await drainMicrotasks();
  clock.advanceToNext();
  await agent.whenIdle();
  expect(logOf(agent.session).slice(-2)).toEqual(['assistant well', 'end 0 completed']);
});

const bad: readonly (readonly [keyof AgentLimits, unknown, string])[] = [
  ['steps', 0, '0, and not a number from 1 up'],
  ['toolCalls', -1, '-1, and not a number from 1 up'],
  ['modelCalls', 0, '0, and not a number from 1 up'],
  ['modelCalls', Number.NaN, 'NaN, and not a number from 1 up'],
  ['modelAttempts', '3', '3, and not a number from 1 up'],
  ['inboxEntries', Number.NaN, 'NaN, and not a number from 0 up'],
  ['inboxBytes', null, 'null, and not a number from 0 up'],
  ['graceMs', -1, '-1, and not a number from 0 up'],
  ['modelDelayMs', {}, 'an object, and not a number from 0 up'],
  ['modelIdleMs', 0, '0, and not a number from 1 up'],
];

it.each(bad)('makes no registry with limits.%s = %s [A8 A18 A33]', async (name, value, why) => {
  await expect(openWorld({ limits: { [name]: value } })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: `registry not created: limits.${name} is ${why}`,
  });
});

it('makes no registry with an option that is none [A17 A25]', async () => {
  const sessions = await openSessionStore({ driver: memoryDriver() });
  const good = { sessions, tools: createToolRegistry(), models: () => undefined };
  const make = (more: object) => () => createAgentRegistry({ ...good, ...more });
  const refused = (message: string): unknown => expect.objectContaining({ code: 'INVALID_OPTION', message });
  expect(make({ models: {} })).toThrow(
    refused('registry not created: models is an object, and not a function'),
  );
  expect(make({ checkpoint: 'turns' })).toThrow(
    refused('registry not created: checkpoint is turns, and not turn or step'),
  );
});

it('makes no agent whose inbox is of no kind, and leaves nothing [A25 A31]', async () => {
  const { registry } = await openWorld();
  await expect(registry.create({ inbox: 'duarble' as 'durable' })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: 'agent not created: inbox is duarble, and not process or durable',
  });
  expect(registry.list()).toEqual([]);
  const { agent } = await registry.create({ inbox: 'durable' });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session)).toContain('user m1');
});
