/** Nodes, replies and entries, of which a test says only what it is about. */
import type { StateReply, TranscriptEntry, TranscriptReply, TreeNode } from '../../page/src/wire.ts';

const tokens = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };

export const agent = (id: string, more: Partial<TreeNode> = {}): TreeNode => ({
  ...{ id, root: 'root', kind: more.parent === undefined ? 'root' : 'continuable', label: id, state: 'idle' },
  ...{ since: 0, createdAt: 0, live: false, damaged: 0, length: 0, turns: 0, total: { tokens } },
  ...{ below: { count: 0, live: 0 }, inbox: { count: 0, parked: false } },
  ...{ can: { prompt: true, interrupt: false, stop: false } },
  ...more,
});

export const stateOf = (nodes: readonly TreeNode[]): StateReply => ({
  ...{ boot: 'b1', cursor: 'c1', now: 0, unread: 0, omitted: 0, nodes },
  server: { version: '1', store: '/s', canCreate: true },
});

/** Records of a log, each with its number for a text. */
export const records = (from: number, to: number): readonly TranscriptEntry[] =>
  Array.from({ length: to - from }, (_, at) => ({
    ...{ kind: 'message', seq: from + at, messageId: `m${from + at}`, sender: { kind: 'human' } },
    blocks: [{ kind: 'text', text: String(from + at) }],
  }));

export const page = (
  from: number,
  to: number,
  length: number,
  more: Partial<TranscriptReply> = {},
): TranscriptReply => ({
  ...{ id: 'a', from, to, length, own: 0, entries: records(from, to) },
  ...more,
});
