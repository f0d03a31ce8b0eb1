/** [pure] One record of a log, as an entry of the transcript. */
import type { JsonValue, SessionEvent, SessionRecord } from '@deepseek-ai/dsh-session';
import type {} from '@deepseek-ai/dsh-subagents';
import type { Tokens, TranscriptEntry } from '../protocol.ts';
import { blocksOf, jsonPiece } from './blocks.ts';
import { senderOf, type LabelOf } from './sender.ts';
import { countOf, looseOf, textOf } from './untrusted.ts';

export interface EntryContext {
  /** Where the Session's own records begin. */
  readonly own: number;
  readonly labelOf: LabelOf;
}

export function transcriptEntry(record: SessionRecord, context: EntryContext): TranscriptEntry {
  if (record.kind === 'damaged') {
    const { seq, reason, bytes } = record;
    return { kind: 'damaged', reason, bytes, ...(seq === undefined ? {} : placed({ seq }, context)) };
  }
  const { event } = record;
  const place = placed({ seq: event.seq, time: event.time }, context);
  if (record.kind === 'event') return { ...place, ...known(record.event, context) };
  const { type, essential, data } = record.event;
  const json = jsonPiece(data);
  return { ...place, kind: 'unknown', type, json, ...(essential === true ? { essential } : {}) };
}

function placed<P extends { readonly seq: number }>(place: P, { own }: EntryContext) {
  return { ...place, ...(place.seq < own ? { inherited: true as const } : {}) };
}

/** Without its place. */
type Bare = TranscriptEntry extends infer E ? (E extends unknown ? Omit<E, 'seq' | 'time'> : never) : never;

function known(event: SessionEvent, { labelOf }: EntryContext): Bare {
  switch (event.type) {
    case 'user/message': {
      const { id: messageId, source, content } = event.data;
      return { kind: 'message', messageId, sender: senderOf(source, labelOf), blocks: blocksOf(content) };
    }
    case 'assistant/message': {
      const { id: messageId, content, finish, interrupted, model, usage } = event.data;
      return {
        kind: 'assistant',
        messageId,
        blocks: blocksOf(content),
        finish: textOf(finish, 'other'),
        ...(interrupted === true ? { interrupted } : {}),
        ...(typeof model === 'string' ? { model } : {}),
        ...(usage === undefined ? {} : { tokens: tokensOf(usage) }),
      };
    }
    case 'tool/result': {
      const { callId, name, content, structured } = event.data;
      const outcome = textOf(event.data.outcome, 'not known') as typeof event.data.outcome;
      const blocks = blocksOf(content);
      const more = structured === undefined ? {} : { structured: jsonPiece(structured) };
      return { kind: 'tool-result', callId, name, outcome, blocks, ...more };
    }
    case 'turn/start':
      return { kind: 'turn-start', turn: event.data.turn };
    case 'turn/end': {
      const { turn, reason } = event.data;
      const kind = textOf(reason.kind, 'other') as typeof reason.kind;
      return { kind: 'turn-end', turn, reason: kind, ...detailOf(reason) };
    }
    case 'subagent/ended': {
      const { outcome, duration, usage } = looseOf(event.data);
      return {
        kind: 'ended',
        outcome: textOf(outcome, 'not known'),
        ...(duration === undefined ? {} : { durationMs: countOf(duration) }),
        ...(usage === undefined ? {} : { tokens: tokensOf(usage) }),
      };
    }
    default:
      return { kind: 'record', type: event.type, json: jsonPiece(event.data as unknown as JsonValue) };
  }
}

function detailOf(reason: unknown): { detail?: string } {
  const { kind, code, message, cause } = looseOf(reason);
  if (kind === 'error') return { detail: `${textOf(code)}: ${textOf(message)}` };
  if (kind !== 'aborted') return {};
  return { detail: textOf(cause, textOf(looseOf(cause)['code'], 'not known')) };
}

export function tokensOf(usage: unknown): Tokens {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = looseOf(usage);
  return {
    input: countOf(inputTokens),
    output: countOf(outputTokens),
    cachedInput: countOf(cachedInputTokens),
    reasoning: countOf(reasoningTokens),
  };
}
