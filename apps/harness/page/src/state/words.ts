/** [pure] What things are called on the page. */
import type { InboxEntry, NodeState, Sender, TranscriptEntry, TreeNode } from '../wire.ts';
import { oneLine } from './visible-text.ts';

const stateWords: Record<NodeState, string> = {
  running: 'running',
  waiting: 'waiting',
  parked: 'parked',
  idle: 'idle',
  settled: 'settled',
  damaged: 'damaged',
};

export const stateMeanings: Record<NodeState, string> = {
  running: 'A turn is under way.',
  waiting: 'It is at rest, and something below it is live.',
  parked: 'Messages wait in its inbox until somebody writes to it.',
  idle: 'It is at rest, and waits for a person.',
  settled: 'It has ended, and is stored. It can be written to again where the server can wake it.',
  damaged: 'Its log cannot be read, or not all of it.',
};

/** The word of its state; of what has ended, how it ended. */
export function stateWord({ state, outcome }: Pick<TreeNode, 'state' | 'outcome'>): string {
  return state === 'settled' && outcome !== undefined && outcome !== 'completed'
    ? oneLine(outcome, 24)
    : stateWords[state];
}

/** What an agent is called: its label, else a part of its id. */
export function nameOf(node: Pick<TreeNode, 'id' | 'label'> | undefined, id: string): string {
  const label = node === undefined ? '' : oneLine(node.label, 80);
  return label === '' ? shortId(id) : label;
}

const shortId = (id: string): string => (id.length > 12 ? `${oneLine(id, 60).slice(0, 8)}…` : oneLine(id));

export const kindOfAgent = ({ kind, orphan }: Pick<TreeNode, 'kind' | 'orphan'>): string =>
  `${kind}${kind === 'root' || kind === 'unknown' ? '' : ' child'}${orphan === true ? ', its parent is gone' : ''}`;

/** `root`, `child of jam`, or that its parent is gone. */
export function kinship(node: TreeNode, parent: TreeNode | undefined): string {
  if (node.kind === 'root') return 'root';
  const one = node.kind === 'one-shot' ? 'one-shot child' : 'child';
  if (parent !== undefined) return `${one} of ${oneLine(nameOf(parent, parent.id), 40)}`;
  if (node.orphan === true) return `${one}, its parent is gone`;
  return node.parent === undefined ? one : `${one} of ${shortId(node.parent)}`;
}

export const unreached = 'The server is not reached at this moment.';

/** Why it cannot be written to; absent where it can. */
export function promptHindrance({ can, state, kind, orphan }: TreeNode): string | undefined {
  if (can.prompt) return undefined;
  return `It cannot be written to now: ${hindrance({ state, kind, orphan })}`;
}

function hindrance({
  state,
  kind,
  orphan,
}: Pick<TreeNode, 'state' | 'kind'> & { orphan: true | undefined }): string {
  if (state === 'damaged') return 'its log is damaged.';
  if (kind === 'one-shot') return 'it has run once, and is not continuable.';
  if (orphan === true) return 'its parent is gone.';
  if (kind === 'root') return 'it is stored only. A server that was started with a model can wake it.';
  return 'its root is not live here.';
}

export type EntryKind =
  'human' | 'agent' | 'task' | 'notice' | 'other' | Exclude<TranscriptEntry['kind'], 'message'>;

export const entryKind = (entry: TranscriptEntry): EntryKind =>
  entry.kind === 'message' ? entry.sender.kind : entry.kind;

export const kindWords: Record<EntryKind, string> = {
  human: 'Person',
  agent: 'Agent message',
  task: 'Task',
  notice: 'Notice of the runtime',
  other: 'Message of an unknown source',
  assistant: 'Answer',
  'tool-result': 'Tool result',
  'turn-start': 'Turn',
  'turn-end': 'Turn ended',
  ended: 'Activation ended',
  record: 'Record',
  unknown: 'Record of an unknown type',
  damaged: 'Damaged range',
};

/** Whom a message is from, for a list or a screen reader. */
export function senderName(sender: Sender): string {
  switch (sender.kind) {
    case 'human':
      return 'Person';
    case 'agent':
    case 'task':
      return nameOf({ id: sender.id, label: sender.label ?? '' }, sender.id);
    case 'notice':
      return nameOf({ id: sender.child, label: sender.label ?? '' }, sender.child);
    case 'other':
      return oneLine(sender.source, 60);
  }
}

export function boundaryWords({ boundary, wake }: Pick<InboxEntry, 'boundary' | 'wake'>): string {
  const when = boundary === 'turn' ? 'opens a turn of its own' : 'joins at the next step';
  return wake ? when : `${when}; wakes nobody`;
}

const ends = new Map([
  ['completed', 'completed'],
  ['aborted', 'was stopped'],
  ['error', 'failed'],
  ['interrupted', 'was interrupted'],
]);

/** Turns are counted from 0 in a log, and from 1 by people. */
export const turnWords = (turn: number): string => `Turn ${turn + 1}`;

const stoppers = new Map([
  ['user', 'by a person'],
  ['parent', 'by its parent'],
  ['drain', 'by a drain'],
  ['budget', 'at the limit of its budget'],
  ['settled', 'since it had ended'],
  ['disposed', 'since it was disposed of'],
]);

/** `Turn 3 was interrupted`, `Turn 3 failed: NO_MODEL: ...`, `Turn 3 was stopped by a person`. */
export function turnEndWords(turn: number, reason: string, detail?: string): string {
  const what = `${turnWords(turn)} ${ends.get(reason) ?? `ended: ${oneLine(reason, 60)}`}`;
  if (detail === undefined) return what;
  const stopper = reason === 'aborted' ? stoppers.get(detail) : undefined;
  return stopper === undefined ? `${what}: ${oneLine(detail, 200)}` : `${what} ${stopper}`;
}

/** What does not go without saying of how an answer has ended. */
export function answerMarks({
  interrupted,
  finish,
}: {
  interrupted?: true;
  finish: string;
}): readonly string[] {
  if (interrupted === true) return ['interrupted'];
  return finish === 'stop' || finish === 'tool-calls' ? [] : [oneLine(finish, 40)];
}
