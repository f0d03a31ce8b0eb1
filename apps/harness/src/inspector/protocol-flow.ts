/** [pure] Who wrote to whom, and what was found. */
import type { Time } from './protocol-tree.ts';

/** One message, from whom, to whom, and when it was read. */
export interface FlowEdge {
  /** Unique: the receiver and the place in its log. */
  readonly key: string;
  readonly time: Time;
  readonly kind: 'human' | 'task' | 'agent' | 'notice';
  /** Absent: a person. Of a notice, the child that it is about. */
  readonly from?: string;
  readonly to: string;
  readonly seq: number;
  readonly messageId: string;
  /** Its first characters. */
  readonly text: string;
  /** Of a notice. */
  readonly outcome?: string;
}

/** Query: `root` is the id of a root (needed), `limit` 1 to 5,000, default 1,000: the newest. */
export interface FlowReply {
  readonly root: string;
  /** In the order of their times. */
  readonly edges: readonly FlowEdge[];
  /** Older ones were left out. */
  readonly truncated: boolean;
}

export interface SearchHit {
  readonly session: string;
  /** Absent where the label or the id has matched. */
  readonly seq?: number;
  readonly time?: Time;
  /** As in {@link TranscriptEntry}; of a message the kind of its sender; or `label`. */
  readonly kind: string;
  /** Around the place of the match. */
  readonly excerpt: string;
  /** Where in `excerpt` the match is. */
  readonly at: number;
  readonly length: number;
}

/** Case is ignored. `q` has 1 to 200 characters. */
export interface SearchReply {
  readonly hits: readonly SearchHit[];
  /** There is more to look through: ask again with this `cursor`. */
  readonly next?: string;
}
