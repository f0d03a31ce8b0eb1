/**
 * What every model that keeps the port does. For adapters of third parties.
 * Owns: the checks.  Does not own: the runner, and the server behind the model.
 * I1. Each case makes a model of its own.
 */
import { ModelError, type Model, type ModelEvent, type ModelRequest } from '../model.ts';
import { drainMicrotasks } from './microtasks.ts';

/** What the model behind the adapter is to do. */
export interface ModelBehaviours {
  /** Says `Hello` in one or more pieces, and ends in order. */
  text(): Model | Promise<Model>;
  /** Calls the tool `echo` twice, with `{"n":1}` and `{"n":2}`, and ends in order. */
  calls(): Model | Promise<Model>;
  /** Says `Hel`, then the connection breaks. */
  cut(): Model | Promise<Model>;
  /** Says `Hel`, then nothing more, for ever. */
  stalled(): Model | Promise<Model>;
  /** Refuses because it is asked too often, and wants to be left alone for two seconds. */
  limited(): Model | Promise<Model>;
  /** Refuses because the key is wrong. */
  unauthorized(): Model | Promise<Model>;
}

/** What the suite needs: a test runner, and the model in each of its states. */
export interface ModelConformanceOptions {
  /** As of vitest, jest or node:test. */
  readonly describe: (name: string, body: () => void) => void;
  /** As of vitest, jest or node:test. */
  readonly it: (name: string, body: () => Promise<void>) => void;
  /** Makes the model that is tested, before each test. */
  readonly make: ModelBehaviours;
}

/** Declares the cases with the runner's own `describe` and `it`. */
export function modelConformance({ describe, it, make }: ModelConformanceOptions): void {
  describe('model conformance', () => {
    answerCases(it, make);
    failureCases(it, make);
    abortCases(it, make);
  });
}

type It = ModelConformanceOptions['it'];

function answerCases(it: It, make: ModelBehaviours): void {
  it('streams a text whose last event is the one finish', async () => {
    const { events } = await reading(await make.text()).ended;
    same(textOf(events), 'Hello', 'the text');
    same(events.filter(({ type }) => type === 'finish').length, 1, 'how many finish events came');
    const last = events.at(-1);
    same(last?.type === 'finish' && last.reason, 'stop', 'the reason of the last event');
  });
  it('streams whole calls with ids of their own and arguments as text', async () => {
    const { events } = await reading(await make.calls()).ended;
    const calls = events.filter((event) => event.type === 'tool-call');
    same(
      JSON.stringify(calls.map(({ name, input }) => [name, JSON.parse(input) as unknown])),
      callsText,
      'the calls',
    );
    same(new Set(calls.map(({ callId }) => callId)).size, 2, 'how many ids the calls have');
    check(!calls.some(({ callId }) => callId === ''), 'an id of a call is empty');
    const last = events.at(-1);
    same(last?.type === 'finish' && last.reason, 'tool-calls', 'the reason of the last event');
  });
}

const callsText = '[["echo",{"n":1}],["echo",{"n":2}]]';

function failureCases(it: It, make: ModelBehaviours): void {
  it('never lets a cut stream look whole', async () => {
    const { events, error } = await reading(await make.cut()).ended;
    same(textOf(events), 'Hel', 'the text before the cut');
    check(!events.some(({ type }) => type === 'finish'), 'a cut stream has a finish');
    if (error !== undefined) failed(error, 'CUT_STREAM', true);
  });
  it('tells a rate limit as one that may be tried again, with its delay', async () => {
    const { error } = await reading(await make.limited()).ended;
    failed(error, 'RATE_LIMITED', true);
    same((error as ModelError).retryAfterMs, 2000, 'the delay');
  });
  it('tells a wrong key as one that must not be tried again', async () => {
    failed((await reading(await make.unauthorized()).ended).error, 'UNAUTHORIZED', false);
  });
}

function abortCases(it: It, make: ModelBehaviours): void {
  it('ends a stream that stands still with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const stalled = reading(await make.stalled(), controller.signal);
    await stalled.begun;
    await drainMicrotasks();
    controller.abort(reason);
    same((await stalled.ended).error, reason, 'what the stream threw');
  });
  it('throws the reason of a signal that has aborted before', async () => {
    const reason = new Error('before');
    const { events, error } = await reading(await make.text(), AbortSignal.abort(reason)).ended;
    same(error, reason, 'what the stream threw');
    same(events.length, 0, 'how many events came');
  });
}

const request: ModelRequest = {
  route: 'conformance',
  tools: [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } }],
  messages: [
    { id: 'm1' as never, role: 'user', content: [{ type: 'text', text: 'hi' }], source: { kind: 'user' } },
  ],
};

function reading(model: Model, signal: AbortSignal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = (async () => {
    try {
      for await (const event of model.stream(request, { signal })) {
        events.push(event);
        begin();
      }
      return { events, error: undefined };
    } catch (error) {
      return { events, error };
    } finally {
      begin();
    }
  })();
  return { begun, ended };
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

function failed(error: unknown, code: string, retryable: boolean): void {
  if (!ModelError.is(error)) throw new Error(`expected a ModelError, got ${String(error)}`);
  same(error.code, code, 'the code');
  same(error.retryable, retryable, 'whether it may be tried again');
}

function same(found: unknown, wanted: unknown, what: string): void {
  check(Object.is(found, wanted), `${what}: expected ${String(wanted)}, got ${String(found)}`);
}

function check(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem);
}
