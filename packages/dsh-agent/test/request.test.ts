/** What a model is asked with can be rebuilt from the log: A13, A16. */
import type { JsonValue, SessionEvent } from '@deepseek-ai/dsh-session';
import { expect, it } from 'vitest';
import { canonicalJson } from '../src/canonical-json.ts';
import { lastRequestHead } from '../src/request.ts';
import { id, openWorld, relay, say, tool } from './agent-world.ts';

const headers = (events: readonly SessionEvent[]) => events.filter(({ type }) => type === 'request/header');
const canonical = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue);

it('equals what is rebuilt from the log, with tools, reasoning and steers between [A13][A16]', async () => {
  const world = await openWorld({
    script: [
      {
        reasoning: { text: 'hm', providerMetadata: { signature: 's' } },
        calls: [{ tool: 't', providerMetadata: { thought: 'x' } }],
      },
      'done',
    ],
    defaults: { model: 'main', system: 'Be brief.' },
  });
  const { agent } = await world.registry.create({ id: id('s') });
  world.tools.register(tool('t', () => `steered by ${agent.steer(relay('s1'))}`));
  agent.followup(say('m1'));
  await agent.whenIdle();
  const events = agent.session.events();
  const asked = world.model.requests[1]!;
  const rebuilt = { ...lastRequestHead(events), messages: agent.session.history().slice(0, -1) };
  expect(canonical({ ...rebuilt, route: 'main' })).toBe(canonical(asked));
  expect(asked.messages[1]?.content).toMatchObject([
    { type: 'reasoning', text: 'hm', providerMetadata: { signature: 's' } },
    { type: 'tool-call', providerMetadata: { thought: 'x' } },
  ]);
  expect(asked.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

it('logs what stands before the messages once, afterwards its hash, and only when it changes [A13]', async () => {
  const world = await openWorld({ defaults: { model: 'main', system: 'Be brief.' } });
  const { agent } = await world.registry.create();
  const ask = async (text: string): Promise<void> => {
    agent.followup(say(text));
    await agent.whenIdle();
  };
  await ask('m1');
  await ask('m2');
  const extra = world.tools.register(tool('t', () => ''));
  await ask('m3');
  extra.dispose();
  await ask('m4');
  const found = headers(agent.session.events()).map(({ data }) => data as { hash: string; content?: object });
  expect(found.map(({ content }) => content)).toEqual([
    { system: 'Be brief.', tools: [] },
    { system: 'Be brief.', tools: [expect.objectContaining({ name: 't' })] },
    undefined,
  ]);
  expect(found[2]?.hash).toBe(found[0]?.hash);
  expect(lastRequestHead(agent.session.events())).toEqual({ system: 'Be brief.', tools: [] });
});

it('adds no header in a fork whose last one is the same, nor after a resume [A13]', async () => {
  const { registry } = await openWorld({ defaults: { model: 'main', system: 'Be brief.' } });
  const parent = await registry.create({ id: id('p') });
  parent.agent.followup(say('m1'));
  await parent.agent.whenIdle();
  const seed = { session: id('p'), length: parent.agent.session.length };
  const child = await registry.create({ id: id('c'), seed });
  child.agent.followup(say('m1'));
  await child.agent.whenIdle();
  expect(headers(child.agent.session.events())).toHaveLength(1);
  await child.dispose();
  const { agent } = await registry.resume({ id: id('c') });
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect(headers(agent.session.events())).toHaveLength(1);
});

it('writes a header that an earlier process has written as its hash alone [A13]', async () => {
  const { registry, tools } = await openWorld();
  const first = await registry.create({ id: id('s') });
  first.agent.followup(say('m1'));
  await first.agent.whenIdle();
  await first.dispose();
  const { agent } = await registry.resume({ id: id('s') });
  const extra = tools.register(tool('t', () => ''));
  agent.followup(say('m2'));
  await agent.whenIdle();
  extra.dispose();
  agent.followup(say('m3'));
  await agent.whenIdle();
  const found = headers(agent.session.events()).map(({ data }) => 'content' in data);
  expect(found).toEqual([true, true, false]);
});

it('finds the head in events that begin with it, and sends no effort that nobody set [A13]', async () => {
  const { registry, model } = await openWorld();
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(lastRequestHead(headers(agent.session.events()))).toEqual({ tools: [] });
  expect(Object.keys(model.requests[0]!).sort()).toEqual(['messages', 'route', 'tools']);
});

it('finds the system prompt in the loaded session [A25]', async () => {
  const { registry, model } = await openWorld({ defaults: { model: 'main', system: 'Be brief.' } });
  const parent = await registry.create({ id: id('p') });
  parent.agent.followup(say('m1'));
  await parent.agent.whenIdle();
  const { agent } = await registry.create({
    seed: { session: id('p'), length: parent.agent.session.length },
    system: (session) => `${lastRequestHead(session.events())?.system} Inherited.`,
  });
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect(model.requests.at(-1)?.system).toBe('Be brief. Inherited.');
});

it('gives the history itself, so that a step costs the same however long it is [A13]', async () => {
  const { registry, sessions } = await openWorld();
  const seen: unknown[] = [];
  const { agent } = await registry.create({
    hooks: {
      beforeRequest: ({ request, agent: asking }) =>
        void seen.push(request.messages === asking.session.history()),
    },
  });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect([seen, sessions.get(agent.id)]).toEqual([[true], agent.session]);
});

it('writes equal values as one text', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
    '{"a":true,"b":[1,{"c":"x","d":null}]}',
  );
});
