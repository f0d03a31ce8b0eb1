import { describe, expect, it } from 'vitest';
import {
  type AgentRegistry,
  createAgentRegistry,
  createToolRegistry,
  fromJsonSchema,
  type Agent,
  type AssistantMessage,
  type Message,
  type MessageId,
} from '@deepseek-ai/dsh-agent';
import { checkedModel, virtualClock } from '@deepseek-ai/dsh-agent/testing';
import { memoryDriver, openSessionStore, type MemoryDriver } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';
import { rawServer } from './http-server.ts';
import { failureOf, reading, requestOf, user } from './reading.ts';
import { strictProvider } from './strict-provider.ts';
import { wires, type Wire } from './wire.ts';

const ask = (content: string) => ({ content, source: { kind: 'user' } }) as const;

/** A process over a medium: a store and agents of its own. `inCall` runs in the first of the two calls. */
async function program(
  wire: Wire,
  url: string,
  medium: MemoryDriver['medium'],
  inCall: (agent: Agent) => void | Promise<void>,
) {
  const driver = memoryDriver({ medium });
  const sessions = await openSessionStore({ driver });
  const tools = createToolRegistry();
  tools.register({
    name: 'weather',
    description: 'The weather of a city.',
    inputSchema: fromJsonSchema({ type: 'object', properties: { city: { type: 'string' } } }),
    async execute(_input, { agent, callId }) {
      if (callId.endsWith('-a')) await inCall(agent);
      return `30 degrees (${callId})`;
    },
  });
  const agents: AgentRegistry = createAgentRegistry({
    sessions,
    tools,
    models: () => checkedModel(wire.model(url), () => agents.list()),
    defaults: { model: 'main' },
    clock: virtualClock(),
    random: () => 0,
  });
  const end = async (): Promise<void> => {
    await agents[Symbol.asyncDispose]();
    await sessions[Symbol.asyncDispose]();
  };
  return { agents, sessions, driver, end };
}

const lastReason = (agent: Agent) => agent.session.events().findLast(({ type }) => type === 'turn/end')?.data;

describe.each(wires)('thinking over HTTP with $name', (wire) => {
  it('replays reasoning verbatim and keeps a steer behind all results, through steer, restart, resume and fork [A6 A16]', async () => {
    const provider = strictProvider(wire);
    const { url } = await rawServer(provider.answer);
    const { medium } = memoryDriver();
    const steer = (agent: Agent): void => {
      agent.steer(ask('in Celsius'));
    };
    const first = await program(wire, url, medium, steer);
    const { agent } = await first.agents.create();
    agent.followup(ask('weather?'));
    await agent.whenIdle();
    expect(lastReason(agent)).toMatchObject({ reason: { kind: 'completed' } });
    await first.end();

    const second = await program(wire, url, medium, steer);
    const resumed = await second.agents.resume({ id: agent.id });
    resumed.agent.followup(ask('and Oslo?'));
    await resumed.agent.whenIdle();
    const { length } = resumed.agent.session;
    const forked = await second.agents.create({ seed: { session: agent.id, length } });
    forked.agent.steer(ask('and Paris?'));
    await forked.agent.whenIdle();
    await second.end();

    expect(provider.refused).toEqual([]);
    const thought = (step: number): string => {
      const { thinking = '', signature = '' } = provider.said[step] ?? {};
      return `thinking ${thinking}${wire.name === 'anthropic' ? ` ${signature}` : ''}`;
    };
    const batch = (step: number) => [
      thought(step),
      ...['call', 'result'].flatMap((kind) => ['a', 'b'].map((letter) => `${kind} c${step}-${letter}`)),
      'user',
    ];
    const turn = ['user', ...batch(0), ...batch(1)];
    expect(provider.requests).toHaveLength(5);
    expect(provider.requests[2]).toEqual(turn);
    for (const tokens of provider.requests.slice(3)) expect(tokens.slice(0, turn.length)).toEqual(turn);
  });

  it('replays it also where the process died between the calls and their results [A6 A16]', async () => {
    const provider = strictProvider(wire);
    const { url } = await rawServer(provider.answer);
    const { medium } = memoryDriver();
    const death = deferred();
    const first = await program(wire, url, medium, async (agent) => {
      agent.steer(ask('in Celsius'));
      await first.sessions.flush(agent.session);
      first.driver.crash();
      death.resolve();
      await deferred().promise;
    });
    const { agent } = await first.agents.create();
    agent.followup(ask('weather?'));
    await death.promise;

    const second = await program(wire, url, medium, () => undefined);
    const resumed = await second.agents.resume({ id: agent.id });
    resumed.agent.steer(ask('in Celsius, please'));
    await resumed.agent.whenIdle();
    const { length } = resumed.agent.session;
    const forked = await second.agents.create({ seed: { session: agent.id, length } });
    forked.agent.followup(ask('and Paris?'));
    await forked.agent.whenIdle();
    await second.end();
    expect(provider.refused).toEqual([]);
    expect(provider.said).toHaveLength(2);
    // The first calls have results, although no process ever logged one.
    expect(provider.requests[1]?.slice(-3)).toEqual(['result c0-a', 'result c0-b', 'user']);
    expect(lastReason(resumed.agent)).toMatchObject({ reason: { kind: 'completed' } });
  });

  it('is refused by the stub of these tests where the reasoning is missing, or a message stands before a result [A16]', async () => {
    const provider = strictProvider(wire);
    const { url } = await rawServer(provider.answer);
    await reading(wire.model(url), requestOf(user('hi'))).ended;
    const calls = ['c0-a', 'c0-b'].map((callId) => ({
      type: 'tool-call' as const,
      callId,
      name: 'weather',
      input: {},
    }));
    const results = calls.map(({ callId, name }): Message => ({
      role: 'tool',
      callId,
      name,
      content: [],
      outcome: 'ok',
    }));
    const answer = (...content: AssistantMessage['content']): Message => ({
      id: 'a' as MessageId,
      role: 'assistant',
      content,
      finish: 'tool-calls',
    });
    const { thinking = '', signature = '' } = provider.said[0] ?? {};
    const thought = {
      type: 'reasoning' as const,
      text: thinking,
      providerMetadata: { anthropic: { signature } },
    };
    const asked = (...messages: readonly Message[]) =>
      failureOf(wire.model(url), requestOf(user('hi'), ...messages));
    expect(await asked(answer(...calls), ...results)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await asked(answer(thought, ...calls), user('no'), ...results)).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await asked(answer(thought, ...calls), ...results, user('yes'))).toBeUndefined();
  });
});
