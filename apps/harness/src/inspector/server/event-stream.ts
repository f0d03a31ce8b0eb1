/**
 * One reader of live events, as server-sent events.
 * Owns: how far this reader is.  Does not own: the events (replay).
 * I1. Nothing is made for a reader before he takes it: one that does not read costs no memory, and is told to load
 *     anew when what he has missed was let go.
 * I2. A reader that takes nothing for a long time is dropped; the browser comes again by itself.
 * I3. The stream ends when the server does, or when the reader goes; either way everything of it is let go.
 */
import { systemClock, type Clock } from '@deepseek-ai/dsh-session';
import { deferred } from '@dsh-internal/async';
import type { Feed } from '../feed.ts';
import type { LiveEvent } from '../protocol.ts';
import type { Replay } from '../replay.ts';

export interface EventStreamOptions {
  readonly replay: Replay;
  readonly feed: Pick<Feed, 'onTold'>;
  readonly boot: string;
  /** What the reader has seen: a cursor, or nothing for from now on. */
  readonly from: string | undefined;
  /** The server ends. */
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
  /** Takes the connection away (I2). */
  readonly drop: () => void;
  readonly onEnd: () => void;
}

/** UTF-16 units of JSON that are handed over at once. */
const roomInChunk = 65_536;
const heartbeatMs = 15_000;

export function cursorOf(boot: string, n: number): string {
  return `${boot}.${n}`;
}

type Start = { readonly at: number } | { readonly reset: 'another-run' | 'too-old' };

function startOf({ from, boot, replay }: EventStreamOptions): Start {
  if (from === undefined || from === '') return { at: replay.last };
  const dot = from.lastIndexOf('.');
  if (from.slice(0, dot) !== boot) return { reset: 'another-run' };
  const n = Number(from.slice(dot + 1));
  const known = Number.isSafeInteger(n) && n >= 0 && n <= replay.last;
  return known && replay.after(n, 0) !== undefined ? { at: n } : { reset: 'too-old' };
}

export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { replay, boot, signal, clock = systemClock } = options;
  const encoder = new TextEncoder();
  const start = startOf(options);
  let at = 'at' in start ? start.at : replay.last;
  const own = (event: LiveEvent): string => `id: ${cursorOf(boot, at)}\ndata: ${JSON.stringify(event)}\n\n`;
  const waiting = createWaiting(options, clock);
  const next = (): string => {
    const told = replay.after(at, roomInChunk);
    if (told === undefined) {
      at = replay.last;
      return own({ type: 'reset', reason: 'too-slow' });
    }
    at = told.at(-1)?.n ?? at;
    return told.map(({ n, json }) => `id: ${cursorOf(boot, n)}\ndata: ${json}\n\n`).join('');
  };
  const opening = (): string => {
    const hello = own({ type: 'hello', boot, now: clock.now() });
    const reset = 'reset' in start ? own({ type: 'reset', reason: start.reset }) : '';
    return `retry: 1000\n${hello}${reset}`;
  };
  let opened = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        waiting.taken();
        let text = opened ? next() : opening();
        opened = true;
        while (text === '' && !signal.aborted) {
          const why = await waiting.next();
          if (why === 'over') return;
          text = why === 'beat' ? ': \n\n' : next();
        }
        if (signal.aborted) text += next() + own({ type: 'bye' });
        controller.enqueue(encoder.encode(text));
        if (!signal.aborted) return;
        waiting[Symbol.dispose]();
        controller.close();
      },
      cancel() {
        waiting[Symbol.dispose]();
      },
    },
    { highWaterMark: 0 },
  );
}

type Why = 'news' | 'beat' | 'over';

interface Waiting extends Disposable {
  /** Resolves when something was told or the server ends, when it is time for a sign of life, or after disposal. */
  next(): Promise<Why>;
  /** What was made for the reader is on its way. */
  taken(): void;
}

function createWaiting({ feed, signal, drop, onEnd }: EventStreamOptions, clock: Clock): Waiting {
  let wake: ((why: Why) => void) | undefined;
  let stuck = false;
  let over = false;
  const news = (): void => wake?.('news');
  const onBeat = (): void => {
    beat = clock.timer(heartbeatMs, onBeat);
    // Nothing was taken between two beats (I2).
    if (stuck) drop();
    stuck = wake === undefined;
    wake?.('beat');
  };
  let beat = clock.timer(heartbeatMs, onBeat);
  const told = feed.onTold(news);
  signal.addEventListener('abort', news);
  return {
    async next() {
      if (over) return 'over';
      const { promise, resolve } = deferred<Why>();
      wake = resolve;
      const why = await promise;
      wake = undefined;
      return why;
    },
    taken() {
      stuck = false;
    },
    [Symbol.dispose]() {
      if (over) return;
      over = true;
      beat.dispose();
      told.dispose();
      signal.removeEventListener('abort', news);
      wake?.('over');
      onEnd();
    },
  };
}
