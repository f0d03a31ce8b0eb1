/** The check that every assembled test makes of every request: A13. */
import type { Message } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import type { ModelRequest } from '../../src/model.ts';
import { checkedModel, requestProblem, scriptedModel } from '../../src/testing/index.ts';
import { id, logOf, openWorld, say, tool } from '../agent-world.ts';

/** An agent that has had a turn, and the request that its log gives now. */
async function asked() {
  const { registry, tools } = await openWorld({
    script: [{ calls: [{ tool: 't' }] }, 'done'],
    defaults: { model: 'main', effort: 'high', system: 'Be brief.' },
  });
  tools.register(tool('t', () => 'ran'));
  const { agent } = await registry.create({ id: id('s') });
  agent.followup(say('m1'));
  await agent.whenIdle();
  const request = (): ModelRequest => ({
    ...{ route: 'main', effort: 'high', system: 'Be brief.' },
    tools: tools.schemas(agent),
    messages: agent.session.history(),
  });
  return {
    agent,
    request,
    problem: (other: object) => requestProblem({ ...request(), ...other }, registry.list()),
  };
}

it('finds nothing where all is as the log says, also after a replacement in the history [A13]', async () => {
  const { agent, problem } = await asked();
  expect(problem({})).toBeUndefined();
  const summary = [{ ...agent.session.history()[0], id: 'summary' } as unknown as Message];
  const upTo = agent.session.length;
  agent.session.append('history/replaced', { upTo, messages: summary });
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect(problem({})).toBeUndefined();
  expect(agent.session.history().map((message) => 'id' in message && message.id)).toEqual([
    'summary',
    'm2',
    expect.any(String),
  ]);
});

it.each([
  ['another system prompt', { system: 'Be long.' }],
  ['no system prompt', { system: undefined }],
  ['other tools', { tools: [] }],
  ['another route', { route: 'other' }],
  ['another effort', { effort: 'low' }],
])('finds %s [A13]', async (_, other) => {
  const { problem } = await asked();
  expect(problem(other)).toBe('what stands before the messages of s is not in its log');
});

it('finds messages that are not those of the log, and a request of nobody [A13]', async () => {
  const { agent, request, problem } = await asked();
  expect(problem({ messages: [...request().messages] })).toBe(
    'a request shows what is the history of no live agent',
  );
  const shown = request().messages;
  const wrong = (messages: readonly Message[]): string | undefined => {
    agent.session.history = () => messages;
    return problem({ messages });
  };
  expect(wrong(shown.slice(1))).toBe('message 0 that s shows is not what its log says');
  expect(wrong(shown.slice(0, -1))).toBe('message 3 that s shows is not what its log says');
  expect(wrong(shown.map((message) => structuredClone(message)))).toBeUndefined();
});

it('ends the turn of a request that is not in the log, before the model is asked [A13]', async () => {
  const model = scriptedModel([]);
  const { registry } = await openWorld({ models: () => checkedModel(model, () => []) });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(model.requests).toEqual([]);
  expect(logOf(agent.session).at(-1)).toBe('end 0 error');
});
