/**
 * [pure] What can be said of a log without its events: its outline. The text of one that is kept beside the log is
 * called a summary (S27).
 * I1. An outline follows from the records alone: whoever reads the log again comes to the same one.
 * I2. The own records are chained. A kept outline fits a log only where the record before its end is the one
 *     that it ends with; whether it fits in all shows when the whole log is read.
 */
import type { LogEvent } from './event-log.ts';
import { isRecord } from '../json.ts';
import { advance, emptyShape, type PendingCall, type TurnShape } from './turn-shape.ts';

export interface Outline {
  /** How many events it covers, the inherited ones included. */
  readonly length: number;
  /** The seq at which the own events start. */
  readonly ownFrom: number;
  readonly shape: TurnShape;
  /** Where the last turn ended: the seq after its `turn/end`, and how many turns there were. */
  readonly rest: { readonly at: number; readonly turns: number };
  /** The seq of the first own `turn/start`. */
  readonly firstTurn: number | undefined;
  /** The essential types, and where each stands first. */
  readonly essential: ReadonlyMap<string, number>;
  /** Over the own records; `before` is without the last one. */
  readonly chain: { readonly before: number; readonly value: number };
  /** How much the own records are, in UTF-16 units of JSON. */
  readonly size: number;
}

type Inherited = Pick<Outline, 'length' | 'shape' | 'rest' | 'essential'>;

const nothing: Inherited = { length: 0, shape: emptyShape, rest: { at: 0, turns: 0 }, essential: new Map() };
const noChain = { before: 0, value: 0 };

/** Of a log without events, or of one that starts with the leading events of another. */
export function startOutline(ownFrom = 0, prefix: Inherited = nothing): Outline {
  const { length, shape, rest, essential } = prefix;
  return { length, ownFrom, shape, rest, firstTurn: undefined, essential, chain: noChain, size: 0 };
}

/** The outline with one more event, whose text is `json`. */
export function extend(outline: Outline, event: LogEvent, json: string): Outline {
  const { seq, type } = event;
  const shape = advance(outline.shape, event);
  const { ownFrom, firstTurn, rest, essential, chain, size } = outline;
  const own = seq >= ownFrom;
  // Member by member, in one order: this runs for each event of a log that is loaded.
  return {
    length: seq + 1,
    ownFrom,
    shape,
    rest: type === 'turn/end' ? { at: seq + 1, turns: shape.turns } : rest,
    firstTurn: own && type === 'turn/start' ? (firstTurn ?? seq) : firstTurn,
    essential: event.essential === true ? withType(essential, type, seq) : essential,
    chain: own ? { before: chain.value, value: link(chain.value, json) } : chain,
    size: own ? size + json.length : size,
  };
}

function withType(
  essential: ReadonlyMap<string, number>,
  type: string,
  seq: number,
): ReadonlyMap<string, number> {
  return essential.has(type) ? essential : new Map(essential).set(type, seq);
}

/** Whether the record before the end is the one that the outline was made with (I2). */
export function endsWith(outline: Outline, json: string): boolean {
  return link(outline.chain.before, json) === outline.chain.value;
}

/** Of long texts, only so many characters count: a driver has checksums of its own for single bytes. */
const counted = 512;

/** 53 bits of what came before and of `text`. It tells histories apart; it is no protection against malice. */
function link(before: number, text: string): number {
  let high = Math.imul(before ^ 0x9e3779b9, 0x85ebca6b) ^ text.length;
  let low = Math.imul((before / 0x1_0000_0000) ^ 0x41c6ce57, 0xc2b2ae35) ^ text.length;
  const step = Math.max(1, Math.floor(text.length / counted));
  for (let at = 0; at < text.length; at += step) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (high & 0x1f_ffff) * 0x1_0000_0000 + (low >>> 0);
}

const version = 1;

/** The text of a summary. It carries a checksum of its own, so that a torn or changed one is none. */
export function encodeOutline({ length, shape, rest, firstTurn, essential, chain, size }: Outline): string {
  const text = JSON.stringify({
    version,
    length,
    turns: shape.turns,
    ...(shape.open === undefined ? {} : { open: shape.open, calls: [...shape.calls.values()] }),
    rest,
    ...(firstTurn === undefined ? {} : { firstTurn }),
    essential: [...essential],
    chain,
    size,
  });
  return `{"check":${link(0, text)},${text.slice(1)}`;
}

/** Nothing where the text is no summary, or one of another version. */
export function decodeOutline(text: string, ownFrom: number): Outline | undefined {
  const found = /^\{"check":(\d{1,16}),/.exec(text);
  if (found === null || link(0, `{${text.slice(found[0].length)}`) !== Number(found[1])) return undefined;
  try {
    const kept = JSON.parse(text) as Kept;
    return isRecord(kept) && kept.version === version && kept.length >= ownFrom
      ? outlineOf(kept, ownFrom)
      : undefined;
  } catch {
    return undefined;
  }
}

interface Kept extends Pick<Outline, 'length' | 'rest' | 'chain' | 'size'> {
  readonly version: number;
  readonly turns: number;
  readonly open?: number;
  readonly calls?: readonly PendingCall[];
  readonly firstTurn?: number;
  readonly essential: readonly (readonly [string, number])[];
}

function outlineOf(
  { length, turns, open, calls = [], rest, firstTurn, essential, chain, size }: Kept,
  ownFrom: number,
): Outline {
  const shape = { turns, calls: new Map(calls.map((call) => [call.callId, call] as const)) };
  return {
    length,
    ownFrom,
    shape: open === undefined ? shape : { ...shape, open },
    rest,
    firstTurn,
    essential: new Map(essential),
    chain,
    size,
  };
}
