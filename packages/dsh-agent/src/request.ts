/**
 * What a model is asked with, and the log's record of what stands before the messages (A13).
 * I1. Content goes into the log once for each hash of a history, afterwards the hash, and only when it changes.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { JsonValue, RequestHeader, Session, SessionEvent, ToolSchema } from '@deepseek-ai/dsh-session';
import type { EffectiveOptions } from './agent.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ModelRequest } from './model.ts';

/** What stands before the messages of a request. */
export type RequestHead = NonNullable<RequestHeader['content']>;

export interface RequestHeaders {
  /** Logs the head if it is another one than the last, and gives the request. */
  prepare(tools: readonly ToolSchema[]): ModelRequest;
}

export function createRequestHeaders(session: Session, options: EffectiveOptions): RequestHeaders {
  let shown: Set<string> | undefined;
  let last: string | undefined;
  let hashed: { readonly tools: readonly ToolSchema[]; readonly hash: string } | undefined;

  const look = (): Set<string> => {
    if (shown !== undefined) return shown;
    shown = new Set();
    for (const event of session.events()) {
      if (event.type !== 'request/header') continue;
      last = event.data.hash;
      shown.add(last);
    }
    return shown;
  };

  return {
    prepare(tools) {
      const { model, effort, system } = options;
      const head: RequestHead = system === undefined ? { tools } : { system, tools };
      if (hashed?.tools !== tools) hashed = { tools, hash: hashHead(head) };
      const { hash } = hashed;
      const known = look();
      if (hash !== last) {
        session.append('request/header', known.has(hash) ? { hash } : { hash, content: head });
        known.add(hash);
        last = hash;
      }
      return {
        route: model,
        ...(effort === undefined ? {} : { effort }),
        ...head,
        messages: session.history(),
      };
    },
  };
}

/** Equal heads have equal hashes; that others have is negligible (SHA-256). */
function hashHead(head: RequestHead): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(head as unknown as JsonValue))));
}

/** The head of the last request that `events` recorded: system prompt and tool schemas. */
export function lastRequestHead(events: readonly SessionEvent[]): RequestHead | undefined {
  let hash: string | undefined;
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event?.type !== 'request/header') continue;
    hash ??= event.data.hash;
    if (event.data.hash === hash && event.data.content !== undefined) return event.data.content;
  }
  return undefined;
}
