/** [pure] What one Session holds, as the page gets it: its transcript and its inbox. */
import type { Time, Tokens } from './protocol-tree.ts';

/** Who wrote a message that an agent has got. */
export type Sender =
  | { readonly kind: 'human' }
  /** Another agent: its parent, or one of its children. */
  | { readonly kind: 'agent'; readonly id: string; readonly label?: string }
  /** The parent, with the first message of a child. */
  | { readonly kind: 'task'; readonly id: string; readonly label?: string }
  /** The runtime's own word: the Activation of `child` has ended. */
  | {
      readonly kind: 'notice';
      readonly child: string;
      readonly label?: string;
      readonly outcome: string;
      readonly summary: string;
    }
  /** A source that this server does not know. */
  | { readonly kind: 'other'; readonly source: string };

/** A text that was cut has `cut`: how many characters are left out. The export has all of it. */
export interface Piece {
  readonly text: string;
  readonly cut?: number;
}

export type Block =
  | ({ readonly kind: 'text' } & Piece)
  | ({ readonly kind: 'reasoning' } & Piece)
  /** `input` is the JSON of the arguments, or what the model wrote where that is no JSON (`malformed`). */
  | {
      readonly kind: 'tool-call';
      readonly callId: string;
      readonly name: string;
      readonly input: Piece;
      readonly malformed?: true;
    }
  /** Without `data` where it is too large to be shown. `data` is base64. */
  | { readonly kind: 'image'; readonly mediaType: string; readonly bytes: number; readonly data?: string }
  /** A kind of block that this server does not know, as JSON. */
  | { readonly kind: 'other'; readonly type: string; readonly json: Piece };

interface OfRecord {
  /** Its place in the log. Unique but for damaged ranges, which may have none. */
  readonly seq?: number;
  readonly time?: Time;
  /** It was taken over from the parent's log when this child was forked. */
  readonly inherited?: true;
}

/** One record of a log. */
export type TranscriptEntry =
  | (OfRecord & {
      readonly kind: 'message';
      readonly messageId: string;
      readonly sender: Sender;
      readonly blocks: readonly Block[];
    })
  | (OfRecord & {
      readonly kind: 'assistant';
      readonly messageId: string;
      readonly blocks: readonly Block[];
      /** `stop`, `tool-calls`, `max-tokens`, `refused`, `other`. */
      readonly finish: string;
      readonly interrupted?: true;
      readonly model?: string;
      readonly tokens?: Tokens;
    })
  | (OfRecord & {
      readonly kind: 'tool-result';
      readonly callId: string;
      readonly name: string;
      /** `ok`, `error`, `not-started`, `unknown`. */
      readonly outcome: string;
      readonly blocks: readonly Block[];
      readonly structured?: Piece;
    })
  | (OfRecord & { readonly kind: 'turn-start'; readonly turn: number })
  | (OfRecord & {
      readonly kind: 'turn-end';
      readonly turn: number;
      /** `completed`, `aborted`, `error`, `interrupted`, ... */
      readonly reason: string;
      /** The cause or the message, where there is one. */
      readonly detail?: string;
    })
  /** How an Activation of this child ended. */
  | (OfRecord & {
      readonly kind: 'ended';
      readonly outcome: string;
      readonly durationMs?: number;
      readonly tokens?: Tokens;
    })
  /** Everything else that the program writes for itself: request headers, tool starts, descriptors. */
  | (OfRecord & { readonly kind: 'record'; readonly type: string; readonly json: Piece })
  /** Of a type that this program does not know: a newer one wrote it. */
  | (OfRecord & {
      readonly kind: 'unknown';
      readonly type: string;
      readonly essential?: true;
      readonly json: Piece;
    })
  | (OfRecord & { readonly kind: 'damaged'; readonly reason: string; readonly bytes: number });

/** Without `from` in the query: the newest `limit` records. `limit`: 1 to 500, default 100. */
export interface TranscriptReply {
  readonly id: string;
  /** The records from `from` up to, but not with, `to`. */
  readonly from: number;
  readonly to: number;
  /** How many records the log has now. `to < length`: there are newer ones. */
  readonly length: number;
  /** Where its own records begin; before that they are inherited. */
  readonly own: number;
  readonly entries: readonly TranscriptEntry[];
  /** The answer that is being written at this moment. */
  readonly partial?: PartialAnswer;
}

/** An answer that is being written. It ends with an `assistant` record, or vanishes. */
export interface PartialAnswer {
  readonly turn: number;
  readonly step: number;
  /** Counts up when the model is asked again for the same step: what was there before is void. */
  readonly attempt: number;
  readonly text: string;
  readonly reasoning: string;
}

export interface InboxEntry {
  readonly messageId: string;
  readonly sender: Sender;
  readonly blocks: readonly Block[];
  /** `turn`: it opens a turn of its own. `step`: it joins at the next step. */
  readonly boundary: 'turn' | 'step';
  readonly wake: boolean;
}

export interface InboxReply {
  readonly id: string;
  /** `false`: it is not in memory here, and `entries` is empty. */
  readonly live: boolean;
  readonly parked: boolean;
  readonly count: number;
  /** In the order in which they were accepted; at most 200. */
  readonly entries: readonly InboxEntry[];
}
