/** [pure] How things stand with the server, in states and in sentences. */
import type { Time } from '../wire.ts';
import { duration } from './format.ts';

export type Connection =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live'; readonly boot: string; readonly restarted?: true }
  /** Nobody sees the page, and it follows no longer. */
  | { readonly kind: 'resting'; readonly boot: string }
  /** It was there, and is not reached at this moment. `ended`: it has said that it ends. */
  | {
      readonly kind: 'away';
      readonly since: Time;
      readonly ended: boolean;
      readonly boot?: string | undefined;
    }
  /** It answers, and lets this page do nothing. */
  | { readonly kind: 'no-entry'; readonly code: string; readonly sentence: string };

export type ConnectionEvent =
  | { readonly type: 'connected'; readonly boot: string }
  | { readonly type: 'rested'; readonly boot: string }
  | { readonly type: 'lost'; readonly now: Time }
  | { readonly type: 'bye'; readonly now: Time }
  | { readonly type: 'refused'; readonly code: string; readonly sentence: string }
  | { readonly type: 'noticed' };

export function withConnection(old: Connection, event: ConnectionEvent): Connection {
  switch (event.type) {
    case 'connected': {
      const before = bootOf(old);
      const other = before !== undefined && before !== event.boot;
      return { kind: 'live', boot: event.boot, ...(other ? { restarted: true } : {}) };
    }
    case 'rested':
      // Another run of the server is told of when somebody looks.
      return { kind: 'resting', boot: bootOf(old) ?? event.boot };
    case 'lost':
      if (old.kind === 'away') return old;
      return { kind: 'away', since: event.now, ended: false, boot: bootOf(old) };
    case 'bye':
      return { kind: 'away', since: event.now, ended: true, boot: bootOf(old) };
    case 'refused':
      return { kind: 'no-entry', code: event.code, sentence: event.sentence };
    case 'noticed':
      return old.kind === 'live' ? { kind: 'live', boot: old.boot } : old;
  }
}

const bootOf = (old: Connection): string | undefined =>
  old.kind === 'live' || old.kind === 'away' || old.kind === 'resting' ? old.boot : undefined;

/** What is asked for now gets no answer, or a refusal. */
export const isUnreached = ({ kind }: Connection): boolean => kind === 'away' || kind === 'no-entry';

/** One or two words. */
export function connectionWord(connection: Connection): string {
  switch (connection.kind) {
    case 'loading':
      return 'Connecting';
    case 'live':
      return 'Live';
    case 'resting':
      return 'Paused';
    case 'away':
      return connection.ended ? 'Server ended' : 'Reconnecting';
    case 'no-entry':
      return 'No entry';
  }
}

/** What a person should know; absent while all is well. */
export function connectionSentence(connection: Connection, now: Time): string | undefined {
  switch (connection.kind) {
    case 'loading':
    case 'resting':
      return undefined;
    case 'live':
      return connection.restarted === true
        ? 'The server was started again. Everything here was loaded anew.'
        : undefined;
    case 'away': {
      const since = duration(Math.max(0, now - connection.since));
      return connection.ended
        ? `The server has ended, ${since} ago. What you see is how things stood then. This page goes on as soon as it is started again.`
        : `The server has not been reached for ${since}. What you see is how things stood then. This page keeps trying.`;
    }
    case 'no-entry':
      return connection.code === 'NO_ENTRY'
        ? 'This browser has no entry to the server. Open the link that the terminal shows for it; a link works for one run of the server.'
        : `The server refuses this page: ${connection.sentence}`;
  }
}

/** Milliseconds until the next try: at once, then longer, and never more than five seconds. */
export function retryDelay(attempt: number): number {
  return Math.min(5_000, 250 * 2 ** Math.max(0, attempt));
}
