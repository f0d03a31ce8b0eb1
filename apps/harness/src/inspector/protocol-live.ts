/** [pure] What is told while it happens. */
import type { FlowEdge } from './protocol-flow.ts';
import type { Time, TreeNode } from './protocol-tree.ts';

/**
 * What `/api/events` sends, each as one unnamed server-sent event whose `data` is the JSON of this. The first one of
 * every connection is `hello`. Events are gathered for some 100 ms.
 *
 * Where to go on is told by the `Last-Event-ID` header, else by `?after=`, else from now. Where that cannot be done
 * (another run of the server, or too much has happened since) comes a `reset`: load state, transcript and inbox anew.
 * The connection goes on after it, with everything since that moment.
 */
export type LiveEvent =
  | { readonly type: 'hello'; readonly boot: string; readonly now: Time }
  | { readonly type: 'reset'; readonly reason: 'another-run' | 'too-old' | 'too-slow' }
  /** These are new or have changed, each whole. Sessions whose `length` has grown have more transcript. */
  | { readonly type: 'nodes'; readonly nodes: readonly TreeNode[]; readonly unread: number }
  /** These were deleted. */
  | { readonly type: 'gone'; readonly ids: readonly string[] }
  /** The inboxes of these have changed. */
  | { readonly type: 'inbox'; readonly ids: readonly string[] }
  | { readonly type: 'flow'; readonly root: string; readonly edges: readonly FlowEdge[] }
  /** Pieces of answers that are being written. These are not kept for a replay: `at` shows where one is missing. */
  | { readonly type: 'stream'; readonly pieces: readonly StreamPiece[] }
  | {
      readonly type: 'diagnostic';
      readonly time: Time;
      readonly level: 'info' | 'warning' | 'error';
      readonly code: string;
      readonly message: string;
      readonly session?: string;
    }
  /** The server ends in order. The browser tries again by itself. */
  | { readonly type: 'bye' };

export interface StreamPiece {
  readonly session: string;
  readonly turn: number;
  readonly step: number;
  readonly attempt: number;
  readonly part: 'text' | 'reasoning';
  /** How many characters of this part came before. Another number than what was seen: load the transcript anew. */
  readonly at: number;
  readonly text: string;
}
