import type { Message, MessageId, Model, ModelEvent, ModelRequest } from '@deepseek-ai/dsh-agent';

/** A request with these messages and nothing else. */
export function requestOf(...messages: readonly Message[]): ModelRequest {
  return { route: 'test', tools: [], messages };
}

export function user(text: string): Message {
  return { id: 'u' as MessageId, role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } };
}

/** Reads a stream; what had come stays readable when it throws. */
export function reading(
  model: Model,
  request = requestOf(user('hi')),
  options: Parameters<Model['stream']>[1] = { signal: new AbortController().signal },
) {
  const events: ModelEvent[] = [];
  const ended = (async () => {
    for await (const event of model.stream(request, options)) events.push(event);
    return events;
  })();
  ended.catch(() => undefined);
  return { events, ended };
}

export async function read(model: Model, request?: ModelRequest): Promise<readonly ModelEvent[]> {
  return reading(model, request).ended;
}

/** What a stream throws. */
export async function failureOf(model: Model, request?: ModelRequest): Promise<unknown> {
  return reading(model, request).ended.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}
