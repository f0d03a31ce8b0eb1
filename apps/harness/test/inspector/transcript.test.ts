import type { JsonValue, SessionRecord } from '@deepseek-ai/dsh-session';
import { describe, expect, it } from 'vitest';
import { longestText } from '../../src/inspector/view/blocks.ts';
import { flowEdge } from '../../src/inspector/view/flow-edge.ts';
import { transcriptEntry } from '../../src/inspector/view/transcript-entry.ts';

/** As a log holds it. */
function record(type: string, data: unknown, seq = 7): SessionRecord {
  return { kind: 'event', event: { seq, time: 50, type, data } } as unknown as SessionRecord;
}

const context = { own: 5, labelOf: (id: string) => (id === 'kid' ? 'pears' : undefined) };
const say = (text: string) => [{ type: 'text', text }];
const message = (source: object, content: object[] = say('Hi.')) =>
  record('user/message', { id: 'm1', role: 'user', content, source });

const senders: readonly (readonly [string, object, object])[] = [
  ['a person', { kind: 'user' }, { kind: 'human' }],
  [
    'an agent',
    { kind: 'agent-message', senderSessionId: 'kid' },
    { kind: 'agent', id: 'kid', label: 'pears' },
  ],
  ['a parent', { kind: 'delegated-task', senderSessionId: 'top', label: 'x' }, { kind: 'task', id: 'top' }],
  [
    'the runtime',
    { kind: 'subagent-settled', childSessionId: 'kid', outcome: 'completed', summary: 'ended' },
    { kind: 'notice', child: 'kid', label: 'pears', outcome: 'completed', summary: 'ended' },
  ],
  ['somebody unknown', { kind: 'pigeon' }, { kind: 'other', source: 'pigeon' }],
];

describe('an entry of a transcript', () => {
  it.each(senders)('tells a message of %s from the others [H12]', (_who, source, sender) => {
    expect(transcriptEntry(message(source), context)).toEqual({
      kind: 'message',
      seq: 7,
      time: 50,
      messageId: 'm1',
      sender,
      blocks: [{ kind: 'text', text: 'Hi.' }],
    });
  });

  it('shows an answer with its reasoning, its text, its calls and its tokens [H12]', () => {
    const content = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'So.' },
      { type: 'tool-call', callId: 'c1', name: 'look', input: { at: [1] } },
      { type: 'tool-call', callId: 'c2', name: 'look', input: '{"at', malformed: true },
    ];
    const usage = { inputTokens: 10, outputTokens: 4, cachedInputTokens: 3 };
    const data = { id: 'm2', role: 'assistant', content, finish: 'tool-calls', model: 'a/b', usage };
    expect(transcriptEntry(record('assistant/message', data), context)).toEqual({
      kind: 'assistant',
      seq: 7,
      time: 50,
      messageId: 'm2',
      finish: 'tool-calls',
      model: 'a/b',
      tokens: { input: 10, output: 4, cachedInput: 3, reasoning: 0 },
      blocks: [
        { kind: 'reasoning', text: 'Hm.' },
        { kind: 'text', text: 'So.' },
        { kind: 'tool-call', callId: 'c1', name: 'look', input: { text: '{"at":[1]}' } },
        { kind: 'tool-call', callId: 'c2', name: 'look', input: { text: '{"at' }, malformed: true },
      ],
    });
  });

  it.each([
    [
      'the result of a tool',
      record('tool/result', {
        role: 'tool',
        callId: 'c',
        name: 'look',
        outcome: 'error',
        content: say('No.'),
      }),
      {
        kind: 'tool-result',
        callId: 'c',
        name: 'look',
        outcome: 'error',
        blocks: [{ kind: 'text', text: 'No.' }],
      },
    ],
    ['the start of a turn', record('turn/start', { turn: 2 }), { kind: 'turn-start', turn: 2 }],
    [
      'the end of a turn',
      record('turn/end', { turn: 2, reason: { kind: 'aborted', cause: 'user' } }),
      { kind: 'turn-end', turn: 2, reason: 'aborted', detail: 'user' },
    ],
    [
      'a failed turn',
      record('turn/end', { turn: 2, reason: { kind: 'error', code: 'TIMEOUT', message: 'too long' } }),
      { kind: 'turn-end', reason: 'error', detail: 'TIMEOUT: too long' },
    ],
    [
      'the end of an Activation',
      record('subagent/ended', { runId: 'r', outcome: 'completed', duration: 12 }),
      { kind: 'ended', outcome: 'completed', durationMs: 12 },
    ],
    [
      'what the program writes for itself',
      record('tool/start', { callId: 'c', name: 'look' }),
      { kind: 'record', type: 'tool/start', json: { text: '{"callId":"c","name":"look"}' } },
    ],
    [
      'an inherited record',
      record('turn/start', { turn: 1 }, 4),
      { kind: 'turn-start', seq: 4, inherited: true },
    ],
  ])('shows %s [H12]', (_what, given, entry) => {
    expect(transcriptEntry(given, context)).toMatchObject(entry);
  });

  it('shows what a newer program wrote, and what nobody can read [H12]', () => {
    const data: JsonValue = { a: '<b>' };
    const unknown = { seq: 9, time: 60, type: 'later/thing', data, essential: true } as const;
    expect(transcriptEntry({ kind: 'unknown', event: unknown }, context)).toEqual({
      kind: 'unknown',
      seq: 9,
      time: 60,
      type: 'later/thing',
      essential: true,
      json: { text: '{"a":"<b>"}' },
    });
    const damaged = { kind: 'damaged', reason: 'no JSON', bytes: 40 } as const;
    expect(transcriptEntry(damaged, context)).toEqual(damaged);
    expect(transcriptEntry({ ...damaged, seq: 3 }, context)).toEqual({ ...damaged, seq: 3, inherited: true });
  });

  it('bounds a long text between two characters, and says how much is left out [H12]', () => {
    const long = `${'x'.repeat(longestText - 1)}😀tail`;
    const entry = transcriptEntry(message({ kind: 'user' }, say(long)), context);
    expect(entry).toMatchObject({ blocks: [{ text: 'x'.repeat(longestText - 1), cut: 6 }] });
  });

  it('leaves the data of a very large image out, and keeps unknown blocks [H12]', () => {
    const content = [
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'image', mediaType: 'image/png', data: 'A'.repeat(2_000_000) },
      { type: 'hologram', x: 1 },
    ];
    expect(transcriptEntry(message({ kind: 'user' }, content), context)).toMatchObject({
      blocks: [
        { kind: 'image', bytes: 3, data: 'AAAA' },
        { kind: 'image', mediaType: 'image/png', bytes: 1_500_000 },
        { kind: 'other', type: 'hologram', json: { text: '{"type":"hologram","x":1}' } },
      ],
    });
  });
});

describe('the flow', () => {
  it.each([
    ['a person', { kind: 'user' }, { kind: 'human', text: 'Hi.' }],
    ['a parent', { kind: 'delegated-task', senderSessionId: 'top' }, { kind: 'task', from: 'top' }],
    ['an agent', { kind: 'agent-message', senderSessionId: 'kid' }, { kind: 'agent', from: 'kid' }],
    [
      'the runtime',
      { kind: 'subagent-settled', childSessionId: 'kid', outcome: 'error', summary: 'kid ended' },
      { kind: 'notice', from: 'kid', text: 'kid ended', outcome: 'error' },
    ],
  ])('has a message of %s [H12]', (_who, source, edge) => {
    const all = { key: 'me:7', to: 'me', seq: 7, time: 50, messageId: 'm1', ...edge };
    expect(flowEdge('me', message(source))).toMatchObject(all);
  });

  it('shows what an agent said, and not the frame around it [H12]', () => {
    const content = [...say('A message from agent kid:'), ...say('Ripe  in\nSeptember.')];
    const edge = flowEdge('me', message({ kind: 'agent-message', senderSessionId: 'kid' }, content));
    expect(edge?.text).toBe('Ripe in September.');
  });

  it('has nothing of what is no message [H12]', () => {
    expect(flowEdge('me', record('turn/start', { turn: 1 }))).toBeUndefined();
    expect(flowEdge('me', message({ kind: 'pigeon' }))).toBeUndefined();
  });
});
