/**
 * [pure] The own events before the first own turn, as far as a head shows them (S26).
 * I1. A live Session shows what the head of the stored one shows, over every driver: nobody finds there what is gone
 *     after the next opening.
 */
import { encodeEvent } from './codec.ts';
import type { LogEvent } from './event-log.ts';

/** Of JSON as UTF-8: drivers read no more for a head. */
const mostBytes = 64 * 1024;
/** What a driver may write around each event, such as a checksum. */
const frameBytes = 32;

export interface Opening {
  readonly events: readonly LogEvent[];
  /** Whether the event belongs to it: from the first that does not on, none does. */
  add(event: LogEvent, json?: string): boolean;
}

/** `ended`: nothing comes behind what is given. */
export function createOpening(given: readonly LogEvent[] = [], ended = false): Opening {
  const events = [...given];
  let left = ended ? 0 : mostBytes - bytesOf(given);
  let open = !ended;
  return {
    events,
    add(event, json = encodeEvent(event).json) {
      if (!open) return false;
      left -= frameBytes + utf8Length(json);
      open = left >= 0 && event.type !== 'turn/start';
      if (open) events.push(event);
      return open;
    },
  };
}

/** Whether a head shows `event` behind `opening`. */
export function hasRoomFor(opening: readonly LogEvent[], event: LogEvent): boolean {
  return bytesOf([...opening, event]) <= mostBytes;
}

function bytesOf(events: readonly LogEvent[]): number {
  return events.reduce((sum, event) => sum + frameBytes + utf8Length(encodeEvent(event).json), 0);
}

/** Of well-formed text. Each half of a surrogate pair is two bytes. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) length += 1;
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) length += 1;
  }
  return length;
}
