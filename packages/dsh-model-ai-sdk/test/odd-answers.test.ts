import { describe, expect, it } from 'vitest';
import { agentOver } from './agent-over.ts';
import { rawServer } from './http-server.ts';
import { answerText, eventText, wires, type Wire } from './wire.ts';

const weather = (id: string, ...pieces: readonly string[]) => ({ id, name: 'weather', pieces });

/** Two calls whose pieces come by turns. */
function interleaved(wire: Wire): readonly object[] {
  const [a = [], b = []] = [0, 1].map((at) =>
    wire.call(at, weather(`c${at}`, '{"city":', at === 0 ? '"Rome"}' : '"Oslo"}')),
  );
  return a.flatMap((item, index) => [item, b[index] ?? {}]);
}

interface Case {
  readonly what: string;
  /** The first answer; the second one says `Now.` */
  readonly text: (wire: Wire) => string;
  readonly ends: object;
  /** The messages that the log then holds behind the question. */
  readonly log: readonly object[];
}

const said = (finish: string, ...content: readonly object[]) => ({ role: 'assistant', finish, content });
const now = said('stop', { type: 'text', text: 'Now.' });
const result = (callId: string, outcome: string, text: unknown) => ({
  role: 'tool',
  callId,
  outcome,
  content: [{ text }],
});
const completed = { kind: 'completed' };

const cases: readonly Case[] = [
  {
    what: 'takes an answer without text for an empty one',
    text: (wire) => answerText(wire, 'stop'),
    ends: completed,
    log: [said('stop')],
  },
  {
    what: 'takes a reason that it does not know for the end of a whole answer',
    text: (wire) => answerText(wire, 'moon_phase', wire.text(0, 'Hm.')),
    ends: completed,
    log: [said('other', { type: 'text', text: 'Hm.' })],
  },
  {
    what: 'puts calls together whose pieces come by turns',
    text: (wire) => answerText(wire, 'tool-calls', interleaved(wire)),
    ends: completed,
    log: [
      said(
        'tool-calls',
        { callId: 'c0', input: { city: 'Rome' } },
        { callId: 'c1', input: { city: 'Oslo' } },
      ),
      result('c0', 'ok', 'Rome: 30 degrees'),
      result('c1', 'ok', 'Oslo: 30 degrees'),
      now,
    ],
  },
  {
    what: 'gives two calls with one id ids of their own',
    text: (wire) =>
      answerText(
        wire,
        'tool-calls',
        wire.call(0, weather('c', '{"city":"Rome"}')),
        wire.call(1, weather('c', '{"city":"Oslo"}')),
      ),
    ends: completed,
    log: [
      said('tool-calls', { input: { city: 'Rome' } }, { input: { city: 'Oslo' } }),
      result('c', 'ok', 'Rome: 30 degrees'),
      // Some providers number it themselves.
      result(expect.not.stringMatching(/^c?$/) as string, 'ok', 'Oslo: 30 degrees'),
      now,
    ],
  },
  {
    what: 'ends refused where a filter stopped the answer',
    text: (wire) => answerText(wire, 'refused', wire.text(0, 'I can')),
    ends: { kind: 'refused' },
    log: [said('refused', { type: 'text', text: 'I can' })],
  },
  {
    what: 'runs no call that the output limit cut off',
    text: (wire) => answerText(wire, 'max-tokens', wire.text(0, 'So:'), wire.call(1, weather('c', '{"ci'))),
    ends: { kind: 'max-tokens' },
    log: [
      said('max-tokens', { text: 'So:' }, { type: 'tool-call', callId: 'c', input: '{"ci', malformed: true }),
      result('c', 'not-started', expect.any(String)),
    ],
  },
];

describe.each(wires)('an odd answer over HTTP from $name', (wire) => {
  it.each(cases)('$what, and the talk goes on [A12 A14 A15]', async ({ text, ends, log }) => {
    const { url, bodies } = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(bodies.length === 1 ? text(wire) : answerText(wire, 'stop', wire.text(0, 'Now.')));
    });
    const { agent, outcome, delays } = await agentOver(wire.model(url));
    expect(await outcome()).toMatchObject({ reason: ends });
    expect(agent.session.history().slice(1)).toMatchObject(log);
    expect(await outcome()).toMatchObject({ reason: completed });
    expect(agent.session.history().at(-1)).toMatchObject(now);
    expect(delays).toEqual([]);
  });

  it('answers a call without a name, or asks again where the provider drops it [A14 A15]', async () => {
    const { url, bodies } = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const nameless = wire.call(0, { id: 'c', name: '', pieces: ['{}'] });
      response.end(
        bodies.length === 1
          ? answerText(wire, 'tool-calls', nameless)
          : answerText(wire, 'stop', wire.text(0, 'Now.')),
      );
    });
    const { agent, outcome, delays } = await agentOver(wire.model(url));
    expect(await outcome()).toMatchObject({ reason: completed });
    const roles = agent.session.history().map(({ role }) => role);
    if (delays.length === 0) expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
    else expect(roles).toEqual(['user', 'assistant']);
    expect(bodies).toHaveLength(2);
  });

  it.each([
    ['that is empty', () => '', 'CUT_STREAM'],
    ['that only begins', () => eventText(wire.begin), 'CUT_STREAM'],
    ['that ends in a text', () => eventText([...wire.begin, ...wire.text(0, 'half an')]), 'CUT_STREAM'],
    [
      'that ends in a call',
      () => eventText([...wire.begin, ...wire.call(0, weather('c', '{"ci'))]),
      'CUT_STREAM',
    ],
    ['that is a page', () => '<html><body>Sign in to the network</body></html>', 'CUT_STREAM'],
    ['with a piece that is no JSON', () => `${eventText(wire.begin)}data: {"choices":[\n\n`, 'BAD_RESPONSE'],
    [
      'with an error in it',
      () => eventText([...wire.begin, wire.error('busy', 'overloaded_error')]),
      'OVERLOADED',
    ],
    ['that asks for calls and has none', () => answerText(wire, 'tool-calls'), 'BAD_RESPONSE'],
  ])('tries a stream %s again, and gives up in the end [A15]', async (_what, text, code) => {
    const { url, bodies } = await rawServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(text());
    });
    const { agent, outcome } = await agentOver(wire.model(url));
    expect(await outcome()).toMatchObject({ reason: { kind: 'error', code } });
    expect(bodies).toHaveLength(5);
    expect(agent.session.history().flatMap(({ content }) => content.map(({ type }) => type))).not.toContain(
      'tool-call',
    );
  });
});
