/** [pure] The tree of Sessions, as the page gets it. */

/** Milliseconds since 1970. */
export type Time = number;

/**
 * - `running`: a turn is under way, or it starts or closes.
 * - `waiting`: it is at rest, and something below it is live.
 * - `parked`: messages wait that only a person's prompt, or another message, sets going.
 * - `idle`: a live root at rest; it waits for a person.
 * - `settled`: it is stored only. {@link TreeNode.outcome} says how it ended, where that is known.
 * - `damaged`: it cannot be read, or not all of it; {@link TreeNode.problem} says why.
 */
export type NodeState = 'running' | 'waiting' | 'parked' | 'idle' | 'settled' | 'damaged';

export interface Tokens {
  readonly input: number;
  readonly output: number;
  /** Part of `input`. */
  readonly cachedInput: number;
  /** Part of `output`. */
  readonly reasoning: number;
}

/** What was spent. `cost` is absent where no price is known for some model of it. */
export interface Spent {
  readonly tokens: Tokens;
  readonly cost?: number;
}

/** One Session, as a place of the tree. */
export interface TreeNode {
  readonly id: string;
  /** The direct parent; absent for a root, and for a child whose parent is gone (`orphan`). */
  readonly parent?: string;
  /** The topmost Session that leads to it: its own id for a root. */
  readonly root: string;
  /** `root`: a person talks with it. `unknown`: not enough of it can be read. */
  readonly kind: 'root' | 'continuable' | 'one-shot' | 'unknown';
  /** For people. Of a root, its first words, cut; may be empty. Not unique. */
  readonly label: string;
  readonly orphan?: true;
  /** Which provider made the child, such as `spawn` or `fork`. */
  readonly provider?: string;
  /** The route of its model, where it is known. */
  readonly model?: string;
  readonly state: NodeState;
  /** Since when it is in that state; of what is only stored, the time of its last record. */
  readonly since: Time;
  readonly createdAt: Time;
  /** It is in memory of the server's process. */
  readonly live: boolean;
  /** Of the last Activation of a child: `completed`, `aborted`, `error`, ... An open set. */
  readonly outcome?: string;
  readonly problem?: { readonly code: string; readonly message: string };
  /** How many of its records are damaged. */
  readonly damaged: number;
  /** How many records its log has. When it grows, the transcript has more to load. */
  readonly length: number;
  /** How many turns have begun. */
  readonly turns: number;
  /** Its last turn has no end, and it is not live here: another process runs it, or one has crashed. */
  readonly openTurn?: true;
  /** Of itself. Absent while its log was not read yet. */
  readonly spent?: Spent;
  /** Of itself and everything below it, as far as it was read. */
  readonly total: Spent;
  /** How many Sessions are below it, and how many of those are live. */
  readonly below: { readonly count: number; readonly live: number };
  readonly inbox: { readonly count: number; readonly parked: boolean };
  /** What a person can do here now. The server decides again when it is asked. */
  readonly can: { readonly prompt: boolean; readonly interrupt: boolean; readonly stop: boolean };
}

export interface StateReply {
  /** Of this run of the server. Another one means that everything has to be loaded anew. */
  readonly boot: string;
  /** What has happened up to here is in this reply: `GET /api/events?after=` goes on from it. */
  readonly cursor: string;
  readonly now: Time;
  readonly server: {
    readonly version: string;
    /** The folder of the Sessions. */
    readonly store: string;
    /** The route of new roots and of woken ones; absent where the server has no model. */
    readonly model?: string;
    /** The unit of every `cost`, such as `USD`; absent where no prices were given. */
    readonly currency?: string;
    /** `POST /api/sessions` makes new roots. */
    readonly canCreate: boolean;
  };
  /** Logs that were not read yet, so that `spent`, `label` of roots and the flow may still grow. */
  readonly unread: number;
  /** Roots and orphans, the newest first, each before what is below it, children in the order of their creation. */
  readonly nodes: readonly TreeNode[];
  /** Nodes that were left out, because there are too many; the oldest ended trees go first. */
  readonly omitted: number;
}
