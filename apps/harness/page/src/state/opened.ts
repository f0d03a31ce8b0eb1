/** [pure] The agent that is shown: what of it is loaded, what is wanted, and whether the end is followed. */
import type { InboxReply, TranscriptReply, TreeNode } from '../wire.ts';
import type { Route } from './route.ts';
import {
  aroundQuery,
  atEnd,
  grown,
  newerQuery,
  olderQuery,
  pageSize,
  transcriptOf,
  windowSize,
  withPage,
  type Transcript,
} from './transcript.ts';

export interface Opened {
  readonly id: string;
  /** The record that was asked for by a link. */
  readonly seq?: number | undefined;
  readonly transcript?: Transcript | undefined;
  /** The end is shown, and stays shown when there is more. */
  readonly follow: boolean;
  readonly want?: 'older' | 'newer' | 'anew' | undefined;
  /** Why there is no transcript, or no more of it. */
  readonly problem?: string | undefined;
  readonly inbox?: InboxReply | undefined;
  readonly inboxStale: boolean;
}

export interface Query {
  readonly from?: number;
  readonly limit: number;
}

/** What is shown after a step to another route. */
export function afterRoute(old: Opened | undefined, { agent, seq }: Route): Opened | undefined {
  if (agent === undefined) return undefined;
  if (old?.id !== agent) return { id: agent, seq, follow: seq === undefined, inboxStale: true };
  if (seq === undefined) return { ...old, seq };
  const { transcript } = old;
  const here = transcript !== undefined && seq >= transcript.from && seq < transcript.to;
  return { ...old, seq, follow: false, want: undefined, transcript: here ? transcript : undefined };
}

/** The next request for the transcript; `undefined` while there is nothing to ask for. */
export function transcriptQuery({ transcript, seq, follow, want, problem }: Opened): Query | undefined {
  if (problem !== undefined) return undefined;
  if (transcript === undefined) return seq === undefined ? { limit: pageSize } : aroundQuery(seq);
  if (want === 'anew') return anew(transcript, follow);
  if (want === 'older') return olderQuery(transcript);
  if (want === 'newer') return newerQuery(transcript);
  if (!follow || atEnd(transcript)) return undefined;
  return transcript.length - transcript.to > pageSize ? { limit: pageSize } : newerQuery(transcript);
}

function anew({ from, to }: Transcript, follow: boolean): Query {
  return follow
    ? { limit: Math.min(Math.max(to - from, pageSize), windowSize) }
    : { from, limit: Math.max(1, to - from) };
}

export function withTranscript(old: Opened, reply: TranscriptReply): Opened {
  if (reply.id !== old.id) return old;
  const { transcript, want } = old;
  const next =
    transcript === undefined || want === 'anew' ? transcriptOf(reply) : withPage(transcript, reply);
  return { ...old, transcript: next, want: undefined };
}

/** What the tree tells about this agent. */
export function withNode(old: Opened, node: TreeNode): Opened {
  const { transcript } = old;
  if (transcript === undefined) return old;
  const next = grown(transcript, node.length, node.state === 'running');
  return next === transcript ? old : { ...old, transcript: next };
}

/** A connection was made again: what is shown stays until it is loaded anew. */
export function afterReconnect(old: Opened): Opened {
  const want = old.transcript === undefined ? undefined : 'anew';
  return { ...old, want, problem: undefined, inboxStale: true };
}
