import { describe, expect, it } from 'vitest';
import type { Message, MessageId, ModelEvent, ModelRequest } from '@deepseek-ai/dsh-agent';
import { ModelError } from '@deepseek-ai/dsh-agent';
import { deferred } from '@dsh-internal/async';
import { collect } from './collect.ts';
import {
  drainMicrotasks,
  scriptedModel,
  virtualClock,
  type ScriptedModel,
} from '@deepseek-ai/dsh-agent/testing';

const user = (text: string): Message => ({
  id: `m-${text}` as MessageId,
  role: 'user',
  content: [{ type: 'text', text }],
  source: { kind: 'user' },
});
const requestOf = (...messages: readonly Message[]): ModelRequest => ({ route: 'test', tools: [], messages });

/** Reads a stream; what it got stays readable when the stream throws. */
function reading(
  model: ScriptedModel,
  request = requestOf(user('hi')),
  signal = new AbortController().signal,
) {
  const events: ModelEvent[] = [];
  const ended = (async () => {
    for await (const event of model.stream(request, { signal })) events.push(event);
    return events;
  })();
  ended.catch(() => undefined);
  return { events, ended };
}
const textOf = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
const read = async (model: ScriptedModel, request?: ModelRequest) => reading(model, request).ended;

describe('scriptedModel', () => {
  it('answers each request with the next entry, then with the end of the script [H11]', async () => {
    const model = scriptedModel(['one', { text: 'two' }]);
    expect(textOf(await read(model))).toBe('one');
    expect(model.remaining).toEqual([{ text: 'two' }]);
    expect(textOf(await read(model))).toBe('two');
    expect(textOf(await read(model))).toBe('(end of script)');
    model.push('three');
    expect(textOf(await read(model))).toBe('three');
  });

  it('takes the entry in the call of stream, so that concurrent readers cannot swap answers', async () => {
    const model = scriptedModel(['one', 'two']);
    const { signal } = new AbortController();
    const first = model.stream(requestOf(), { signal });
    const second = await read(model);
    expect(textOf(second)).toBe('two');
    expect(textOf(await collect(first))).toBe('one');
  });

  it('passes an entry over until the newest user message contains its text [H11]', async () => {
    const model = scriptedModel([{ when: { contains: 'ripe' }, text: 'noted' }, 'plain']);
    expect(textOf(await read(model, requestOf(user('ripe'), user('other'))))).toBe('plain');
    expect(textOf(await read(model, requestOf(user('none'))))).toBe('(end of script)');
    expect(textOf(await read(model, requestOf(user('pears are ripe'))))).toBe('noted');
  });

  it('passes an entry over until a function says that it fits the request [H11]', async () => {
    const model = scriptedModel([{ when: ({ messages }) => messages.length > 1, text: 'noted' }, 'plain']);
    expect(textOf(await read(model, requestOf(user('one'))))).toBe('plain');
    expect(textOf(await read(model, requestOf(user('one'), user('two'))))).toBe('noted');
  });

  it('looks for the text of an entry in text alone, and finds none where no user has spoken [H11]', async () => {
    const model = scriptedModel([{ when: { contains: 'image' }, text: 'noted' }, 'plain', 'plain']);
    const image = { type: 'image', mediaType: 'image/png', data: '' } as const;
    expect(textOf(await read(model, requestOf({ ...user('x'), content: [image] })))).toBe('plain');
    expect(textOf(await read(model, requestOf()))).toBe('plain');
  });

  it('streams text in a few pieces that together are the text, never parting a character', async () => {
    const events = await read(scriptedModel(['a😀b😀c'], { pieces: 5 }));
    expect(events.map((event) => event.type)).toEqual(['text', 'text', 'text', 'text', 'text', 'finish']);
    expect(textOf(events)).toBe('a😀b😀c');
    expect(JSON.stringify(events)).not.toContain('\\ud83d');
  });

  it('gives reasoning with its metadata, text, calls and the finish, in this order', async () => {
    const events = await read(
      scriptedModel(
        [
          {
            reasoning: { text: 'hm', providerMetadata: { x: { signature: 's' } } },
            text: 'ok',
            calls: [
              { tool: 'add', input: { a: 1 } },
              { tool: 'bad', rawInput: '{"a":', callId: 'own' },
            ],
            usage: { inputTokens: 3, outputTokens: 4 },
          },
        ],
        { pieces: 1 },
      ),
    );
    expect(events).toEqual([
      { type: 'reasoning', delta: 'hm' },
      { type: 'block-end', providerMetadata: { x: { signature: 's' } } },
      { type: 'text', delta: 'ok' },
      { type: 'tool-call', callId: 'call_1_1', name: 'add', input: '{"a":1}' },
      { type: 'tool-call', callId: 'own', name: 'bad', input: '{"a":' },
      { type: 'finish', reason: 'tool-calls', usage: { inputTokens: 3, outputTokens: 4 } },
    ]);
  });

  it('gives a block of reasoning that is nothing but metadata, and metadata of calls and of the finish', async () => {
    const providerMetadata = { x: { signature: 's' } };
    const answer = {
      reasoning: { text: '', providerMetadata },
      calls: [{ tool: 'add', providerMetadata }],
      providerMetadata,
    };
    expect(await read(scriptedModel([answer]))).toEqual([
      { type: 'reasoning', delta: '' },
      { type: 'block-end', providerMetadata },
      { type: 'tool-call', callId: 'call_1_1', name: 'add', input: '{}', providerMetadata },
      { type: 'finish', reason: 'tool-calls', providerMetadata },
    ]);
  });

  it('numbers its calls by the answers in the request, so that a second process repeats no id', async () => {
    const answered = requestOf(user('hi'), {
      id: 'a' as MessageId,
      role: 'assistant',
      content: [],
      finish: 'stop',
    });
    const events = await read(scriptedModel([{ calls: [{ tool: 'add' }] }]), answered);
    expect(events[0]).toMatchObject({ callId: 'call_2_1', input: '{}' });
  });

  it.each([
    [
      { status: 429, retryAfterMs: 700 },
      { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 700 },
    ],
    [{ status: 503 }, { code: 'OVERLOADED', retryable: true }],
    [{ status: 408 }, { code: 'TIMEOUT', retryable: true }],
    [{ status: 401 }, { code: 'UNAUTHORIZED', retryable: false }],
    [{ status: 400 }, { code: 'BAD_REQUEST', retryable: false }],
    [
      { code: 'CONTEXT_OVERFLOW', retryable: false },
      { code: 'CONTEXT_OVERFLOW', retryable: false },
    ],
  ])('throws a model error for %j [A15]', async (error, expected) => {
    const failure: unknown = await read(scriptedModel([{ error }])).catch((thrown: unknown) => thrown);
    expect(ModelError.is(failure)).toBe(true);
    expect(failure).toMatchObject(expected);
  });

  it('breaks a stream without a finish, silently or by an error [A15]', async () => {
    const cut = await read(scriptedModel([{ text: 'half', cut: true }], { pieces: 1 }));
    expect(cut).toEqual([{ type: 'text', delta: 'half' }]);
    const thrown = reading(scriptedModel([{ text: 'half', cut: 'throw' }]));
    await expect(thrown.ended).rejects.toMatchObject({ code: 'CUT_STREAM', retryable: true });
    expect(textOf(thrown.events)).toBe('half');
  });

  it('holds after the last piece until it is released, and what was released stays so', async () => {
    const model = scriptedModel([
      { text: 'half', hold: 'gate' },
      { text: 'more', hold: 'gate' },
    ]);
    const held = reading(model);
    await drainMicrotasks();
    expect(textOf(held.events)).toBe('half');
    expect(held.events.some(({ type }) => type === 'finish')).toBe(false);
    model.release('gate');
    expect((await held.ended).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(textOf(await read(model))).toBe('more');
  });

  it('holds before the first piece where that is asked for, also by a promise', async () => {
    const gate = deferred();
    const held = reading(scriptedModel([{ text: 'x', hold: { until: gate.promise, at: 'start' } }]));
    await drainMicrotasks();
    expect(held.events).toEqual([]);
    gate.resolve();
    expect(textOf(await held.ended)).toBe('x');
  });

  it('waits by the clock, and leaves no timer when it is aborted', async () => {
    const clock = virtualClock();
    const model = scriptedModel(
      [
        { text: 'late', delayMs: 20 },
        { text: 'never', delayMs: 20 },
      ],
      { clock },
    );
    const late = reading(model);
    await drainMicrotasks();
    clock.advance(19);
    await drainMicrotasks();
    expect(late.events).toEqual([]);
    clock.advance(1);
    expect(textOf(await late.ended)).toBe('late');

    const controller = new AbortController();
    const aborted = reading(model, undefined, controller.signal);
    await drainMicrotasks();
    expect(clock.pending).toBe(1);
    controller.abort(new Error('stop'));
    await expect(aborted.ended).rejects.toThrow('stop');
    expect(clock.pending).toBe(0);
  });

  it('ends a hold and a stream under way with the reason of the signal', async () => {
    const controller = new AbortController();
    const held = reading(scriptedModel([{ text: 'x', hold: 'gate' }]), undefined, controller.signal);
    await drainMicrotasks();
    controller.abort(new Error('stop'));
    await expect(held.ended).rejects.toThrow('stop');

    const other = new AbortController();
    const events: string[] = [];
    const work = (async () => {
      for await (const { type } of scriptedModel(['abc']).stream(requestOf(), { signal: other.signal })) {
        events.push(type);
        other.abort(new Error('enough'));
      }
    })();
    await expect(work).rejects.toThrow('enough');
    expect(events).toEqual(['text']);
  });

  it('asks a function at each request, and takes undefined for the end', async () => {
    const model = scriptedModel((request, index) => (index < 1 ? `${request.route} ${index}` : undefined));
    expect(textOf(await read(model))).toBe('test 0');
    expect(textOf(await read(model))).toBe('(end of script)');
    expect(() => {
      model.push('x');
    }).toThrow(TypeError);
    const broken = scriptedModel(() => {
      throw new Error('no answer');
    });
    await expect(read(broken)).rejects.toThrow('no answer');
  });

  it('lets `prepare` have the last word on an entry', async () => {
    const model = scriptedModel(['to $parent'], {
      prepare: (turn) => ({ ...turn, text: turn.text?.replace('$parent', 'root') ?? '' }),
    });
    expect(textOf(await read(model))).toBe('to root');
  });

  it('keeps the requests as they were', async () => {
    const messages = [user('hi')];
    const model = scriptedModel([{ error: { status: 500 } }], { id: 'mine' });
    await read(model, { route: 'r', tools: [], messages }).catch(() => undefined);
    messages.push(user('later'));
    expect(model.requests).toEqual([{ route: 'r', tools: [], messages: [user('hi')] }]);
    expect(model.id).toBe('mine');
  });
});
