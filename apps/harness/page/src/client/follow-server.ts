/**
 * Keeps the page in step with the server, for as long as the page is there.
 * I1. Each connection begins with the whole state, and the events after it: whatever was missed is in one of them.
 * I2. A page that nobody sees holds no connection: it only asks from time to time, for its title.
 * I3. A failed connection is tried again, after `retryDelay`; entry that was refused too, since another tab may get it.
 */
import type { LiveEvent, StateReply } from '../wire.ts';
import { retryDelay } from '../state/connection.ts';
import { get, refusal, type Reply } from './api.ts';
import { connectionEventOf } from './connection-event.ts';
import { eventParser } from './event-stream.ts';
import { isHidden, onceHidden, pause } from './page-shown.ts';
import type { Store } from './store.ts';

/** How often a hidden page asks, in milliseconds. */
const restMs = 30_000;

/** Runs until the signal ends it. */
export async function followServer(store: Store, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const greeted = await connectOnce(store, signal);
    if (greeted) attempt = 0;
    await pause(isHidden() ? restMs : retryDelay(attempt), signal);
  }
}

/** Resolves when the connection has ended, to whether it had begun. */
async function connectOnce(store: Store, signal: AbortSignal): Promise<boolean> {
  const state = await get<StateReply>('/api/state', signal);
  if (state.kind !== 'ok') {
    failed(store, state);
    return false;
  }
  store.dispatch({ type: 'state', reply: state.value });
  if (isHidden()) {
    store.dispatch({ type: 'connection', event: { type: 'rested', boot: state.value.boot } });
    return true;
  }
  const heard = { hello: false, bye: false };
  const away = new AbortController();
  const stopLooking = onceHidden(() => {
    away.abort();
    store.dispatch({ type: 'connection', event: { type: 'rested', boot: state.value.boot } });
  });
  const either = AbortSignal.any([signal, away.signal]);
  const end = await listen(`/api/events?after=${encodeURIComponent(state.value.cursor)}`, either, (event) => {
    if (event.type === 'hello') {
      heard.hello = true;
      store.dispatch({ type: 'connection', event: { type: 'connected', boot: event.boot } });
    } else if (event.type === 'bye') heard.bye = true;
    store.dispatch({ type: 'live', event });
    return event.type !== 'reset' && event.type !== 'bye';
  });
  stopLooking();
  if (end?.kind === 'refused') failed(store, end);
  else if (heard.bye) store.dispatch({ type: 'connection', event: { type: 'bye', now: Date.now() } });
  else if (end !== undefined) failed(store, end);
  return heard.hello;
}

function failed(store: Store, reply: Exclude<Reply<unknown>, { kind: 'ok' }>): void {
  const event = connectionEventOf(reply, Date.now());
  if (event !== undefined) store.dispatch({ type: 'connection', event });
}

/** Reads events until `take` says that it is enough. Resolves to what went wrong, or to nothing after that. */
async function listen(
  path: string,
  signal: AbortSignal,
  take: (event: LiveEvent) => boolean,
): Promise<Exclude<Reply<unknown>, { kind: 'ok' }> | undefined> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  try {
    const response = await fetch(path, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: either,
    });
    if (!response.ok || response.body === null) return await refusal(response);
    const parser = eventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      for (const data of parser.push(chunk.value)) {
        if (!take(JSON.parse(data) as LiveEvent)) return undefined;
      }
    }
    return { kind: 'unreachable', sentence: 'The connection has ended.' };
  } catch {
    return signal.aborted ? { kind: 'dropped' } : { kind: 'unreachable', sentence: 'The connection broke.' };
  } finally {
    done.abort();
  }
}
