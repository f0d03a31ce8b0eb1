/** [pure] What a scripted model may be told to answer, and which entry of a script is next. */
import type { FinishReason, JsonObject, JsonValue, Usage } from '@deepseek-ai/dsh-session';
import type { ModelRequest } from '../model.ts';

/** One tool call of an answer. */
export interface ScriptedCall {
  /** The name of the tool. */
  readonly tool: string;
  /** The arguments. Default `{}`. */
  readonly input?: JsonValue;
  /** The arguments as text, in place of `input`: for arguments that are no JSON. */
  readonly rawInput?: string;
  /** Default: made of the number of answers before this one, so that a Session never shows one id twice. */
  readonly callId?: string;
  /** What the provider would want back with the call. */
  readonly providerMetadata?: JsonObject;
}

/** A failed request. */
export interface ScriptedError {
  /** The HTTP status: 408, 429 and 5xx are retryable. */
  readonly status?: number;
  /** Default: by the status. */
  readonly code?: string;
  /** Default: by the status. */
  readonly retryable?: boolean;
  /** What the provider asks to be left alone for. */
  readonly retryAfterMs?: number;
  /** Default: made of the status. */
  readonly message?: string;
}

/** Where a stream stands still, until `release(name)` or until the promise resolves. */
export interface ScriptedHold {
  /** A name to be released, or a promise to be waited for. */
  readonly until: string | PromiseLike<unknown>;
  /** `start`: before the first event; `end`: after the last piece and before `finish`. Default `end`. */
  readonly at?: 'start' | 'end';
}

/** What one model request is answered with. The stream gives reasoning, then text, then calls, then `finish`. */
export interface ScriptedAnswer {
  /** The entry is taken only for a request that fits; until then it is passed over. */
  readonly when?: { readonly contains: string } | ((request: ModelRequest) => boolean);
  /** Arrives in pieces. */
  readonly text?: string;
  /** Comes before the text. */
  readonly reasoning?: string | { readonly text: string; readonly providerMetadata?: JsonObject };
  /** Come after the text. */
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool-calls` where there are calls, else `stop`. */
  readonly finish?: FinishReason;
  /** What the answer is said to have cost. */
  readonly usage?: Usage;
  /** In place of an answer. */
  readonly error?: ScriptedError;
  /** The stream breaks before `finish`: it just ends, or throws `CUT_STREAM`. */
  readonly cut?: boolean | 'throw';
  /** A name alone holds at the end. */
  readonly hold?: string | ScriptedHold;
  /** Waits on the clock before the first event. */
  readonly delayMs?: number;
  /** What the provider would want back with the answer. */
  readonly providerMetadata?: JsonObject;
}

/** A string is an answer of text alone. */
export type ScriptedTurn = string | ScriptedAnswer;

/** What a model says whose script has nothing left. */
export const END_OF_SCRIPT = '(end of script)';

export function answerOf(turn: ScriptedTurn): ScriptedAnswer {
  return typeof turn === 'string' ? { text: turn } : turn;
}

/** The place in `turns` of the first entry that fits `request`, or -1. */
export function nextTurn(turns: readonly ScriptedTurn[], request: ModelRequest): number {
  return turns.findIndex((turn) => {
    const { when } = answerOf(turn);
    if (when === undefined) return true;
    return typeof when === 'function' ? when(request) : newestUserText(request).includes(when.contains);
  });
}

function newestUserText(request: ModelRequest): string {
  const newest = request.messages.findLast(({ role }) => role === 'user');
  return (newest?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** The id of the call at `index` in the next answer. It is the same for a repeated request. */
export function callIdFor(request: ModelRequest, index: number): string {
  const answers = request.messages.filter(({ role }) => role === 'assistant').length;
  return `call_${answers + 1}_${index + 1}`;
}

/** `text` in at most `count` pieces of about the same length, never parted inside a character. */
export function piecesOf(text: string, count: number): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / Math.max(1, count)));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
