import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';
import { describe, expect, it } from 'vitest';
import { agentOver } from './agent-over.ts';
import { rawServer } from './http-server.ts';
import { wires, type Wire } from './wire.ts';

const key = 'sk-proj-Zx81kQ93mmLpT7vW2nR5';
const page = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const json = (wire: Wire, message: string, code?: string): string =>
  JSON.stringify(wire.error(message, code));

type Refusal = readonly [
  what: string,
  status: number,
  type: string,
  body: (wire: Wire) => string,
  code: string,
];
const refusals: readonly Refusal[] = [
  ['a page with status 502', 502, 'text/html', () => page, 'OVERLOADED'],
  ['a page with status 403', 403, 'text/html', () => page, 'UNAUTHORIZED'],
  ['a text with status 400', 400, 'text/plain', () => 'no such model', 'BAD_REQUEST'],
  ['a 400 without a body', 400, 'application/json', () => '', 'BAD_REQUEST'],
  ['broken JSON with status 400', 400, 'application/json', () => '{"error":', 'BAD_REQUEST'],
  ['JSON of another form with status 400', 400, 'application/json', () => '["no"]', 'BAD_REQUEST'],
  ['a broken 500', 500, 'application/json', () => '{"err', 'OVERLOADED'],
  ['a wrong key', 401, 'application/json', (wire) => json(wire, 'Invalid API key'), 'UNAUTHORIZED'],
  ['no balance', 402, 'application/json', (wire) => json(wire, 'Insufficient Balance'), 'QUOTA_EXCEEDED'],
];

async function refusing(wire: Wire, status: number, type: string, body: string) {
  const { url, bodies } = await rawServer((response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  });
  return { bodies, ...(await agentOver(wire.model(url, key))) };
}

it('shows no secret that it was told of, in a refusal or inside of a stream, whatever its form [A15]', async () => {
  const secret = 'open sesame';
  let streams = false;
  const { url } = await rawServer((response) => {
    const error = { error: { message: `no door for ${secret}`, type: 'server_error' } };
    response.writeHead(streams ? 200 : 400, {
      'content-type': streams ? 'text/event-stream' : 'application/json',
    });
    response.end(streams ? `data: ${JSON.stringify(error)}\n\n` : JSON.stringify(error));
    streams = true;
  });
  const provider = createOpenAICompatible({ name: 'mock', baseURL: url, apiKey: secret });
  const { outcome, everything } = await agentOver(aiSdkModel(provider('m'), { secrets: ['', secret] }));
  expect(await outcome()).toMatchObject({ reason: { code: 'BAD_REQUEST', message: 'no door for [key]' } });
  expect(await outcome()).toMatchObject({ reason: { kind: 'error', code: 'OVERLOADED' } });
  expect(everything()).not.toContain(secret);
});

describe.each(wires)('an odd refusal over HTTP from $name', (wire) => {
  it.each(refusals)('tells %s by a code and some words, and shows no key [A15]', async (...refusal) => {
    const [, status, type, body, code] = refusal;
    const { bodies, outcome, everything } = await refusing(wire, status, type, body(wire));
    expect(await outcome()).toMatchObject({
      reason: { kind: 'error', code, message: expect.stringMatching(/./) as string },
    });
    expect(bodies).toHaveLength(code === 'OVERLOADED' ? 5 : 1);
    expect(everything()).not.toContain(key);
  });

  it.each([
    [401, `Incorrect API key provided: ${key}. You can find your API key elsewhere.`],
    [401, `Authentication Fails, Your api key: ${key.slice(3)} is invalid`],
    [403, `{"authorization":"Bearer ${key}"}`],
    [400, `the header "authorization: Bearer ${key}" is not allowed`],
    [500, `could not look up ${key}`],
  ])(
    'leaves the key out of what is told where a server repeats it with a %s: %s [A15]',
    async (status, message) => {
      for (const body of [json(wire, message), message]) {
        const { outcome, everything } = await refusing(wire, status, 'application/json', body);
        expect(await outcome()).toMatchObject({ reason: { kind: 'error' } });
        expect(everything()).not.toContain(key.slice(3));
      }
    },
  );
});
