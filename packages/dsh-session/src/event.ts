import type { JsonValue } from './json.ts';
import type { AssistantMessage, Message, ToolResultMessage, TurnEndReason, UserMessage } from './message.ts';

/** A tool as a model sees it. */
export interface ToolSchema {
  /** How a model calls it. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonValue;
}

/** The kinds of events of this package and their data (S7). */
export interface CoreEventMap {
  /** `turn` counts the turns of the history, the inherited ones included, from 0. */
  readonly 'turn/start': { readonly turn: number };
  /** A turn has ended, once, for that reason. */
  readonly 'turn/end': { readonly turn: number; readonly reason: TurnEndReason };
  /** Said to the model. */
  readonly 'user/message': UserMessage;
  /** The model's answer, whole, or what had arrived of it. */
  readonly 'assistant/message': AssistantMessage;
  /** Written before the body of the tool runs. */
  readonly 'tool/start': { readonly callId: string; readonly name: string };
  /** Data that the tool wants kept, say the id of a child that it started. */
  readonly 'tool/progress': { readonly callId: string; readonly data: JsonValue };
  /** The answer to a call of the open turn. */
  readonly 'tool/result': ToolResultMessage;
  /** What stands before the messages of a request: whole the first time, its hash alone when it comes back. */
  readonly 'request/header': RequestHeader;
  /** `history()` shows `messages` in place of what the events below `upTo` gave (S29). */
  readonly 'history/replaced': { readonly upTo: number; readonly messages: readonly Message[] };
  /** A repair has set so many damaged places aside (S16). */
  readonly 'session/recovered': { readonly damaged: number; readonly note?: string };
  /** Stands in the place of an event that could not be read and was set aside by a repair (S16). */
  readonly 'session/lost': { readonly reason: string };
  /** The writer's place was taken from a dead or silent holder (S20). */
  readonly 'session/taken-over': {
    readonly from: { readonly pid?: number; readonly host?: string; readonly since?: number };
  };
}

/**
 * The kinds of events and their data. Extend it by declaration merging with names of the form
 * `<package>/<name>`; `turn`, `user`, `assistant`, `tool`, `request`, `history` and `session` are the core's (S7).
 */
// The place where programs add their own: it has to be an interface.
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface SessionEventMap extends CoreEventMap {}

/** `hash` names the content; `content` is there when this Session's history has not shown that hash before. */
export interface RequestHeader {
  /** Of the content as canonical JSON. */
  readonly hash: string;
  /** System prompt and tools; absent where this history has shown that hash before. */
  readonly content?: { readonly system?: string; readonly tools: readonly ToolSchema[] };
}

/** The types that this program's compiler knows. */
export type SessionEventType = keyof SessionEventMap;

/** One record of a log, deep-frozen. `switch (event.type)` narrows `data`. */
export type SessionEvent<T extends SessionEventType = SessionEventType> = {
  readonly [K in T]: {
    /** 0, 1, 2, ... without a gap, in memory and in every store. */
    readonly seq: number;
    /** Unix epoch, milliseconds; may go backwards. */
    readonly time: number;
    readonly type: K;
    readonly data: SessionEventMap[K];
    /** A reader that does not know the type must not resume the Session. */
    readonly essential?: true;
  };
}[T];

/** An event whose type this program does not know: kept, exported byte for byte, passed over by `history()` (S8). */
export interface UnknownEvent {
  /** Its place in the log. */
  readonly seq: number;
  /** Unix epoch, milliseconds. */
  readonly time: number;
  /** As it was written. */
  readonly type: string;
  /** As it was written. */
  readonly data: JsonValue;
  /** `open` refuses a log with such an event: `UNKNOWN_ESSENTIAL_EVENT`. */
  readonly essential?: true;
}

/** One entry of `appendAll`. */
export type NewEvent = {
  readonly [K in SessionEventType]: {
    readonly type: K;
    readonly data: SessionEventMap[K];
    readonly essential?: boolean;
  };
}[SessionEventType];

/** What `read` yields: an event, an event of an unknown type, or the place of a damaged record (S16). */
export type SessionRecord =
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | { readonly kind: 'unknown'; readonly event: UnknownEvent }
  | { readonly kind: 'damaged'; readonly seq?: number; readonly reason: string; readonly bytes: number };
