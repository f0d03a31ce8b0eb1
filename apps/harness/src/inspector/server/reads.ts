/**
 * What the page asks for: transcripts, inboxes, the flow and exports.
 * I1. Nobody is resumed and nobody's place is taken.
 * I2. An answer is bounded: in records, and in what they hold.
 */
import type { Agent, AgentRegistry } from '@deepseek-ai/dsh-agent';
import { parseSessionId, type SessionStore } from '@deepseek-ai/dsh-session';
import type { KnownSessions } from '../known-sessions.ts';
import type { PartialAnswers } from '../partial-answers.ts';
import type { FlowReply, InboxReply, TranscriptEntry, TranscriptReply } from '../protocol.ts';
import { blocksOf } from '../view/blocks.ts';
import { senderOf, type LabelOf } from '../view/sender.ts';
import { transcriptEntry } from '../view/transcript-entry.ts';
import type { Tree } from '../view/tree.ts';

export interface ReadDeps {
  readonly sessions: Pick<SessionStore, 'head' | 'read' | 'export' | 'flush'>;
  readonly agents: Pick<AgentRegistry, 'get'>;
  readonly known: KnownSessions;
  readonly partials: PartialAnswers;
  readonly tree: () => Tree;
}

/** UTF-16 units of JSON after which a page of a transcript ends early. */
const largestPage = 4_194_304;
const mostInbox = 200;

const labelsOf =
  ({ tree }: Pick<ReadDeps, 'tree'>): LabelOf =>
  (id) => {
    const label = tree().nodes.get(id)?.label;
    return label === '' ? undefined : label;
  };

export async function readTranscript(
  deps: ReadDeps,
  text: string,
  query: { readonly from?: number | undefined; readonly limit: number },
  signal: AbortSignal,
): Promise<TranscriptReply> {
  const id = parseSessionId(text);
  const { header, length } = await deps.sessions.head(id, { signal });
  const from = Math.min(query.from ?? Math.max(0, length - query.limit), length);
  const end = Math.min(from + query.limit, length);
  const context = { own: header.seedLength ?? 0, labelOf: labelsOf(deps) };
  const entries: TranscriptEntry[] = [];
  let to = end;
  let size = 0;
  if (from < end) {
    for await (const record of deps.sessions.read(id, { from, to: end, signal })) {
      const entry = transcriptEntry(record, context);
      size += JSON.stringify(entry).length;
      if (size > largestPage && entries.length > 0 && entry.seq !== undefined) {
        to = entry.seq;
        break;
      }
      entries.push(entry);
    }
  }
  const partial = to === length ? deps.partials.get(id) : undefined;
  return { id, from, to, length, own: context.own, entries, ...(partial === undefined ? {} : { partial }) };
}

export async function readInbox(deps: ReadDeps, text: string, signal: AbortSignal): Promise<InboxReply> {
  const id = parseSessionId(text);
  const agent = deps.agents.get(id);
  if (agent !== undefined) return inboxOf(agent, labelsOf(deps));
  await deps.sessions.head(id, { signal });
  return { id, live: false, parked: false, count: 0, entries: [] };
}

function inboxOf({ id, inbox }: Agent, labelOf: LabelOf): InboxReply {
  const list = inbox.list();
  const entries = list.slice(0, mostInbox).map(({ message, boundary, wake }) => ({
    messageId: message.id,
    sender: senderOf(message.source, labelOf),
    blocks: blocksOf(message.content),
    boundary,
    wake,
  }));
  return { id, live: true, parked: inbox.parked, count: list.length, entries };
}

export function readFlow(
  { known, tree }: Pick<ReadDeps, 'known' | 'tree'>,
  { root, limit }: { readonly root: string; readonly limit: number },
): FlowReply {
  const members = [...tree().nodes.values()].filter((node) => node.root === root);
  const sessions = members.flatMap(({ id }) => known.get(id) ?? []);
  const edges = sessions.flatMap((one) => one.edges).toSorted((a, b) => a.time - b.time || a.seq - b.seq);
  const truncated = edges.length > limit || sessions.some(({ edgesCut }) => edgesCut);
  return { root, edges: edges.slice(-limit), truncated };
}

/** The stored lines, each with its end. What is live is written down first, as far as that can be done. */
export async function exportLines(
  { sessions, agents }: ReadDeps,
  text: string,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly lines: AsyncIterable<string> }> {
  const id = parseSessionId(text);
  const agent = agents.get(id);
  if (agent !== undefined) await sessions.flush(agent.session, { signal }).catch(() => false);
  // Also what cannot be read as a Session can be exported: only that it is there is asked for.
  const lines = sessions.export(id, { signal })[Symbol.asyncIterator]();
  const first = await lines.next();
  return {
    id,
    lines: (async function* () {
      for (let line = first; line.done !== true; line = await lines.next()) yield `${line.value}\n`;
    })(),
  };
}
