import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { drainMicrotasks } from '@deepseek-ai/dsh-agent/testing';
import { agentOver } from './agent-over.ts';
import { rawServer, sendEvents } from './http-server.ts';
import { requestOf, user } from './reading.ts';
import { answerText, wires, type Wire } from './wire.ts';

const ask = { content: 'hi', source: { kind: 'user' } } as const;

function refuse(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function answer(response: ServerResponse, wire: Wire): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(answerText(wire, 'stop', wire.text(0, 'Now.')));
}

/** The words in which each provider says that a request is too long. */
type TooLong = readonly [status: number, message: string, code: string | undefined];
const tooLong: Readonly<Record<string, readonly TooLong[]>> = {
  'openai-compatible': [
    [400, "This model's maximum context length is 8192 tokens.", 'context_length_exceeded'],
    [400, 'the request exceeds the available context size, try increasing it', 'exceed_context_size_error'],
    [400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", undefined],
    [
      400,
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      undefined,
    ],
  ],
  anthropic: [
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'invalid_request_error'],
    [
      400,
      'input length and `max_tokens` exceed context limit: 190249 + 20000 > 200000',
      'invalid_request_error',
    ],
    [413, 'Request exceeds the maximum size', 'request_too_large'],
  ],
  deepseek: [
    [
      400,
      "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
      undefined,
    ],
  ],
};

describe.each(wires)('an agent over HTTP with $name', (wire) => {
  it('waits as long as the server asked and not less, then tries again [A15]', async () => {
    const { url, bodies } = await rawServer((response) => {
      if (bodies.length > 1) answer(response, wire);
      else refuse(response, 429, wire.error('slow down', 'rate_limit_error'), { 'retry-after': '60' });
    });
    const { agent, clock, delays, retrying } = await agentOver(wire.model(url));
    agent.followup(ask);
    await retrying();
    await drainMicrotasks();
    clock.advance(59_999);
    await drainMicrotasks();
    expect([bodies.length, agent.status]).toEqual([1, 'running']);
    clock.advance(1);
    await agent.whenIdle();
    expect(delays).toEqual([60_000]);
    expect(agent.session.history().at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Now.' }] });
  });

  it.each([
    [429, 'RATE_LIMITED', [7000, 7000, 7000, 7000]],
    [503, 'OVERLOADED', [7000, 7000, 7000, 7000]],
  ])(
    'gives up after the attempts of its limit, whatever delay a %s names [A15]',
    async (status, code, waits) => {
      const { url, bodies } = await rawServer((response) => {
        refuse(response, status, wire.error('slow down'), { 'retry-after': '7' });
      });
      const { outcome, delays } = await agentOver(wire.model(url));
      expect(await outcome()).toMatchObject({ reason: { kind: 'error', code } });
      expect(delays).toEqual(waits);
      expect(bodies).toHaveLength(5);
    },
  );

  it('ends at once when it is cancelled while it waits [A15]', async () => {
    const { url, bodies } = await rawServer((response) => {
      refuse(response, 429, wire.error('slow down'), { 'retry-after': '60' });
    });
    const { agent, clock, retrying } = await agentOver(wire.model(url));
    agent.followup(ask);
    await retrying();
    await drainMicrotasks();
    agent.cancel({ code: 'USER' });
    await agent.whenIdle();
    expect(agent.session.events().at(-1)?.data).toMatchObject({
      reason: { kind: 'aborted', cause: { code: 'USER' } },
    });
    expect([bodies.length, clock.pending]).toEqual([1, 0]);
  });

  it('tries a 500 again, with a wait of its own [A15]', async () => {
    const { url, bodies } = await rawServer((response) => {
      if (bodies.length > 2) answer(response, wire);
      else refuse(response, 500, wire.error('oops', 'api_error'));
    });
    const { outcome, delays } = await agentOver(wire.model(url));
    expect(await outcome()).toMatchObject({ reason: { kind: 'completed' } });
    expect(delays).toHaveLength(2);
    expect(delays[1]).toBeGreaterThan(delays[0] ?? Infinity);
  });

  it.each(tooLong[wire.name] ?? [])(
    'tells a request that is too long by its code, and asks once: %s, %s [A15]',
    async (status, message, code) => {
      const { url, bodies } = await rawServer((response) => {
        refuse(response, status, wire.error(message, code));
      });
      const { outcome } = await agentOver(wire.model(url));
      expect(await outcome()).toMatchObject({ reason: { kind: 'error', code: 'CONTEXT_OVERFLOW', message } });
      expect(bodies).toHaveLength(1);
    },
  );

  it('gives the connection back when a slow stream is cancelled', async () => {
    const { url, closed } = await rawServer((response) => {
      sendEvents(response, ...wire.begin, ...wire.text(0, 'and then'));
    });
    const controller = new AbortController();
    const reason = new Error('stop');
    const work = (async () => {
      const { signal } = controller;
      for await (const { type } of wire.model(url).stream(requestOf(user('hi')), { signal }))
        if (type === 'text') controller.abort(reason);
    })();
    await expect(work).rejects.toBe(reason);
    await closed;
  });

  it('gives the connection back when an agent is cancelled that has heard nothing yet', async () => {
    const { url, closed, bodies } = await rawServer(() => {
      agent.cancel({ code: 'USER' });
    });
    const { agent } = await agentOver(wire.model(url));
    agent.followup(ask);
    await agent.whenIdle();
    await closed;
    expect(bodies).toHaveLength(1);
  });
});
