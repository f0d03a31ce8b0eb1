import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '@deepseek-ai/dsh-agent';
import { modelFailure } from '../src/failures.ts';
import { partReader } from '../src/stream-parts.ts';
import type { StreamPart } from '../src/spec.ts';

const noTokens = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const finish = (unified: Extract<StreamPart, { type: 'finish' }>['finishReason']['unified'], raw?: string) =>
  ({ type: 'finish', finishReason: { unified, raw }, usage: noTokens }) as const;
const call = (toolCallId: string): StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 't',
  input: '{}',
});

function eventsOf(...parts: readonly StreamPart[]): readonly ModelEvent[] {
  const reader = partReader(
    () => undefined,
    (error) => modelFailure(error, 0),
  );
  return parts.flatMap((part) => reader.next(part));
}

describe('partReader', () => {
  it('gives deltas and the ends of blocks, so that two texts stay two', () => {
    expect(
      eventsOf(
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'a' },
        { type: 'text-end', id: '1' },
        { type: 'text-start', id: '2' },
        { type: 'text-delta', id: '2', delta: 'b' },
        { type: 'text-end', id: '2' },
        finish('stop'),
      ),
    ).toEqual([
      { type: 'text', delta: 'a' },
      { type: 'block-end' },
      { type: 'text', delta: 'b' },
      { type: 'block-end' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('puts the metadata of start, pieces and end together, by provider and member [A16]', () => {
    const events = eventsOf(
      { type: 'reasoning-start', id: 'r', providerMetadata: { p: { itemId: 'i' }, q: { x: 1 } } },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: { p: { signature: 's' } } },
      { type: 'reasoning-end', id: 'r', providerMetadata: { p: { done: true } } },
    );
    expect(events).toEqual([
      { type: 'reasoning', delta: 'hm' },
      {
        type: 'block-end',
        providerMetadata: { p: { itemId: 'i', signature: 's', done: true }, q: { x: 1 } },
      },
    ]);
  });

  it('keeps a block that is nothing but its metadata, and drops one that is nothing [A16]', () => {
    expect(
      eventsOf(
        { type: 'reasoning-start', id: 'r', providerMetadata: { p: { redactedData: 'x' } } },
        { type: 'reasoning-end', id: 'r' },
        { type: 'text-start', id: 't' },
        { type: 'text-end', id: 't' },
      ),
    ).toEqual([
      { type: 'reasoning', delta: '' },
      { type: 'block-end', providerMetadata: { p: { redactedData: 'x' } } },
    ]);
  });

  it('lets a call wait for the end of the block before it, whose metadata comes last [A16]', () => {
    expect(
      eventsOf(
        { type: 'reasoning-delta', id: 'r', delta: 'hm' },
        call('c1'),
        { type: 'reasoning-end', id: 'r', providerMetadata: { p: { signature: 's' } } },
        call('c2'),
      ).map((event) => (event.type === 'tool-call' ? event.callId : event.type)),
    ).toEqual(['reasoning', 'block-end', 'c1', 'c2']);
  });

  it('gives calls that wait for a block without an end before the finish', () => {
    expect(
      eventsOf({ type: 'text-delta', id: 't', delta: 'x' }, call('c1'), finish('tool-calls')).map(
        ({ type }) => type,
      ),
    ).toEqual(['text', 'block-end', 'tool-call', 'finish']);
  });

  it('closes a block when another one begins, and takes no harm from its late end', () => {
    expect(
      eventsOf(
        { type: 'reasoning-delta', id: 'a', delta: 'x' },
        { type: 'text-delta', id: 'a', delta: 'y' },
        { type: 'reasoning-end', id: 'a' },
        { type: 'text-delta', id: 'a', delta: 'z' },
      ),
    ).toEqual([
      { type: 'reasoning', delta: 'x' },
      { type: 'block-end' },
      { type: 'text', delta: 'y' },
      { type: 'text', delta: 'z' },
    ]);
  });

  it('joins a character that came in two pieces, and replaces half a one', () => {
    expect(
      eventsOf(
        { type: 'text-delta', id: 't', delta: '\ud83d' },
        { type: 'text-delta', id: 't', delta: '\ude00!' },
        { type: 'text-delta', id: 't', delta: '\ud83d' },
        { type: 'text-end', id: 't' },
      ),
    ).toEqual([{ type: 'text', delta: '😀!' }, { type: 'text', delta: '\ufffd' }, { type: 'block-end' }]);
  });

  it('hands on arguments as the text that they are, with the metadata of the call [A14 A16]', () => {
    const part: StreamPart = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 't',
      input: '{"a":',
      providerMetadata: { p: { thoughtSignature: 's' } },
    };
    expect(eventsOf(part)).toEqual([
      {
        type: 'tool-call',
        callId: 'c',
        name: 't',
        input: '{"a":',
        providerMetadata: { p: { thoughtSignature: 's' } },
      },
    ]);
  });

  it('leaves calls alone that the provider ran, and parts that have no place in the port', () => {
    expect(
      eventsOf(
        { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{}', providerExecuted: true },
        { type: 'tool-input-start', id: 'c', toolName: 't' },
        { type: 'tool-input-delta', id: 'c', delta: '{' },
        { type: 'response-metadata', id: 'x' },
        { type: 'raw', rawValue: 1 },
        { type: 'ping' },
      ),
    ).toEqual([]);
  });

  it('keeps metadata as JSON keeps it, and none where there is none', () => {
    const odd = { p: { gone: undefined, kept: null, zero: -0 } } as never;
    expect(
      eventsOf(
        { type: 'text-delta', id: 't', delta: 'x' },
        { type: 'text-end', id: 't', providerMetadata: odd },
      )[1],
    ).toEqual({ type: 'block-end', providerMetadata: { p: { kept: null, zero: 0 } } });
    expect(eventsOf({ ...finish('stop'), providerMetadata: {} })).toEqual([
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('tells warnings', () => {
    const warnings: string[] = [];
    const reader = partReader(
      (message) => warnings.push(message),
      (error) => modelFailure(error, 0),
    );
    reader.next({ type: 'stream-start', warnings: [{ type: 'other', message: 'no seed' }] });
    expect(warnings).toEqual(['{"type":"other","message":"no seed"}']);
  });

  it.each([
    [finish('stop', 'end_turn'), 'stop'],
    [finish('length'), 'max-tokens'],
    [finish('content-filter'), 'refused'],
    [finish('other', 'pause_turn'), 'other'],
  ])('reads %j as %s', (part, reason) => {
    expect(eventsOf(part)).toEqual([{ type: 'finish', reason }]);
  });

  it.each([
    [finish('other'), 'CUT_STREAM'],
    [finish('interrupted'), 'CUT_STREAM'],
    [finish('error'), 'BAD_RESPONSE'],
    [finish('tool-calls'), 'BAD_RESPONSE'],
    [{ type: 'error', error: { statusCode: 503 } } as const, 'OVERLOADED'],
  ])('takes %j for a failure that may be tried again, never for a whole answer [A15]', (part, code) => {
    expect(() => eventsOf(part)).toThrow(expect.objectContaining({ code, retryable: true }) as Error);
  });

  it('lets an answer end for its calls where it has a call, also one that the provider ran, or a text [A15]', () => {
    const text: StreamPart = { type: 'text-delta', id: 't', delta: 'x' };
    for (const part of [call('c'), { ...call('c'), providerExecuted: true }, text])
      expect(eventsOf(part, finish('tool-calls')).at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
    expect(() => eventsOf({ ...text, delta: '' }, finish('tool-calls'))).toThrow('none could be read');
  });

  it('counts all input tokens, the cached ones, and those for reasoning', () => {
    const usage = {
      inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: 0 },
      outputTokens: { total: 5, text: 2, reasoning: 3 },
    };
    expect(eventsOf({ ...finish('stop'), usage })).toEqual([
      {
        type: 'finish',
        reason: 'stop',
        usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 6, reasoningTokens: 3 },
      },
    ]);
    const parts = {
      inputTokens: { ...noTokens.inputTokens, noCache: 4, cacheWrite: 3 },
      outputTokens: { ...noTokens.outputTokens, text: 2 },
    };
    expect(eventsOf({ ...finish('stop'), usage: parts })).toEqual([
      { type: 'finish', reason: 'stop', usage: { inputTokens: 7, outputTokens: 2 } },
    ]);
  });
});
