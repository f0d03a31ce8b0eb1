import type { ToolRegistry } from '@deepseek-ai/dsh-agent';
import type { Clock, OnDiagnostic, SessionId } from '@deepseek-ai/dsh-session';
import type { AgentsPort, SessionsPort } from './port.ts';

/** Bounds for each tree. What is refused is refused with `LIMIT_REACHED` or `DEPTH_EXCEEDED`, before anything was done (M46). */
export interface SubagentLimits {
  /** The deepest level below a top-level agent. Default 3 (M46). */
  readonly maxDepth?: number;
  /** Children of one tree, of either kind, that are in memory at once. Default: no bound (M46). */
  readonly maxLive?: number;
  /** Children that are ever started in one tree, of either kind; its root's log counts them. Default: no bound (M46). */
  readonly maxTotal?: number;
  /**
   * Tokens that all children of one tree may spend together; its root's log counts them (M46). A request for which
   * no room is left is not sent, and its child ends with `budget`. Default: no bound.
   */
  readonly budgetTokens?: number;
  /** Steps away from the last human message. Default 1,000 (M47). */
  readonly maxHops?: number;
}

/** What a cold resume would use of the program's models. */
export interface StoredModel {
  /** The child that is resumed. */
  readonly childId: SessionId;
  /** The route in its descriptor. */
  readonly model: string;
}

/** How long the runtime waits for others at its ends. All in milliseconds. */
export interface SubagentTimeouts {
  /** One deadline for a whole disposal or drain, in milliseconds. Default 30,000, at most 2,147,483,647 (M31). */
  readonly disposalMs?: number;
  /** For one flush, in milliseconds. Default 10,000, at most 2,147,483,647 (M27). */
  readonly flushMs?: number;
}

/** The options of {@link createSubagents}. */
export interface SubagentsOptions {
  /** The program's agents. Children are created and resumed in it. */
  readonly agents: AgentsPort;
  /** The store of the same agents. */
  readonly sessions: SessionsPort;
  /** Lets the runtime find the standard message tool (M37) and hand a parent's own tools to its forks (M38). */
  readonly tools?: ToolRegistry;
  /** Whether what a child has accepted is in its log before it is claimed. Default `process`: it is not (A31). */
  readonly inbox?: 'process' | 'durable';
  /** Default: a depth of 3 and 1,000 hops, nothing else. */
  readonly limits?: SubagentLimits;
  /** Of notices: the most characters of a child's final text. Default 16,000 (M34). */
  readonly notice?: { readonly maxCharacters?: number };
  /** Default: 30 s for an ending, 10 s for the flush before it. */
  readonly timeouts?: SubagentTimeouts;
  /**
   * Asked at each cold resume with the route in the child's descriptor. What it gives is used in that place, for this
   * Activation alone, and is logged in the child's own log as `subagent/model-overridden`. Default: the descriptor's (M21).
   */
  readonly overrideModel?: (stored: StoredModel) => string | undefined;
  /** How long a settled child stays in memory, in milliseconds. Default 0, at most 2,147,483,647 (M25). */
  readonly keepWarmMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Numbers from 0 up to 1, for ids. Default: the machine's. */
  readonly random?: () => number;
  /** Makes the ids of children, Activations and messages. Default: UUIDs that sort by time. */
  readonly newId?: () => string;
  /** Hears what nobody waits for, such as a failed flush. What it throws is dropped. */
  readonly onDiagnostic?: OnDiagnostic;
}
