/**
 * What is known of every Session of the store, live or not.
 * Owns: the facts of each, and the newest messages that it got.  Does not own: how they are read (log-reader), or shown.
 * I1. A log is folded once, in its order: what was folded is never folded again, unless the log has become shorter.
 * I2. Memory is bounded by the number of Sessions, not by the length of their logs.
 */
import type { SessionHeader, SessionId, SessionListEntry, SessionRecord } from '@deepseek-ai/dsh-session';
import type { FlowEdge, TreeNode } from './protocol.ts';
import { foldRecord, noFacts, type Facts } from './view/facts.ts';
import { flowEdge } from './view/flow-edge.ts';

/** How many messages of one Session the flow remembers. */
export const mostEdges = 200;

export interface Known {
  readonly id: SessionId;
  parent?: SessionId | undefined;
  child: boolean;
  createdAt: number;
  /** Where its own records begin. */
  own: number;
  length: number;
  /** Up to here its log was folded. */
  readTo: number;
  /** It was read once, or tried to. */
  read: boolean;
  facts: Facts;
  edges: FlowEdge[];
  /** Older messages were forgotten. */
  edgesCut: boolean;
  problem?: TreeNode['problem'] | undefined;
}

export interface KnownSessions {
  get(id: string): Known | undefined;
  all(): IterableIterator<Known>;
  /** How many were not read yet. */
  readonly unread: number;
  learnHeader(header: SessionHeader): Known;
  learnEntry(entry: SessionListEntry): Known;
  learnProblem(id: SessionId, problem: NonNullable<TreeNode['problem']>): void;
  /** The log has `length` records now. A shorter one than before is read anew (I1). */
  learnLength(known: Known, length: number): void;
  /** The messages among these records. They are those from `readTo` on, and end before `to`. */
  fold(known: Known, records: Iterable<SessionRecord>, to: number): readonly FlowEdge[];
  forget(id: string): void;
}

export function createKnownSessions(): KnownSessions {
  const sessions = new Map<string, Known>();
  const of = (id: SessionId): Known => {
    const known = sessions.get(id) ?? fresh(id);
    sessions.set(id, known);
    return known;
  };
  const learnHeader = (header: SessionHeader): Known => {
    const known = of(header.id);
    known.parent = header.parentSession;
    known.child = header.parentSession !== undefined;
    known.createdAt = header.createdAt;
    known.own = header.seedLength ?? 0;
    known.readTo = Math.max(known.readTo, known.own);
    known.length = Math.max(known.length, known.readTo);
    return known;
  };
  const learnProblem: KnownSessions['learnProblem'] = (id, problem) => {
    Object.assign(of(id), { problem, read: true });
  };
  return {
    get: (id) => sessions.get(id),
    all: () => sessions.values(),
    get unread() {
      return [...sessions.values()].filter(({ read }) => !read).length;
    },
    learnHeader,
    learnEntry(entry) {
      if (entry.kind === 'session') return learnHeader(entry.header);
      const { id, code, message } = entry;
      learnProblem(id, { code, message });
      return of(id);
    },
    learnProblem,
    learnLength(known, length) {
      if (length < known.readTo) {
        Object.assign(known, { readTo: known.own, facts: noFacts, edges: [], edgesCut: false });
      }
      known.length = Math.max(length, known.own);
    },
    fold(known, records, to) {
      const edges: FlowEdge[] = [];
      for (const record of records) {
        known.facts = foldRecord(known.facts, record);
        const edge = flowEdge(known.id, record);
        if (edge !== undefined) edges.push(edge);
      }
      known.readTo = to;
      known.read = true;
      known.length = Math.max(known.length, to);
      if (edges.length > 0) keepNewest(known, edges);
      return edges;
    },
    forget: (id) => sessions.delete(id),
  };
}

function fresh(id: SessionId): Known {
  return {
    id,
    child: false,
    createdAt: 0,
    own: 0,
    length: 0,
    readTo: 0,
    read: false,
    facts: noFacts,
    edges: [],
    edgesCut: false,
  };
}

function keepNewest(known: Known, edges: readonly FlowEdge[]): void {
  known.edges.push(...edges.slice(-mostEdges));
  const over = known.edges.length - mostEdges;
  if (over <= 0 && edges.length <= mostEdges) return;
  known.edges.splice(0, Math.max(0, over));
  known.edgesCut = true;
}
