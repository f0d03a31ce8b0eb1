import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Outcome } from './outcome.ts';

/** How far a message is from the last human one, and what it belongs to (M47). */
export interface SourceTrace {
  /** Steps from the last message of a person, which has none. Refused beyond `maxHops`. */
  readonly hops?: number;
  /** What the host ties messages together by; passed on as it is. */
  readonly trace?: string;
}
/** The first message of a child: its task. */
export interface DelegatedTaskSource extends SourceTrace {
  /** Tells the sources apart. */
  readonly kind: 'delegated-task';
  /** How it is shown: an order. */
  readonly form: 'task';
  /** The agent that delegated. */
  readonly senderSessionId: SessionId;
  /** The child's short name for people. */
  readonly label: string;
}
/** What one agent wrote to another. Derived by the runtime from the authorized sender (M16). */
export interface AgentMessageSource extends SourceTrace {
  /** Tells the sources apart. */
  readonly kind: 'agent-message';
  /** How it is shown: the words of another agent. */
  readonly form: 'relay';
  /** The agent that wrote, checked by the runtime. */
  readonly senderSessionId: SessionId;
}
/** The runtime's own word that an Activation has ended (M34). */
export interface SubagentSettledSource extends SourceTrace {
  /** Tells the sources apart. */
  readonly kind: 'subagent-settled';
  /** How it is shown: the runtime's own words. */
  readonly form: 'notice';
  /** One line for people. */
  readonly summary: string;
  /** The child that ended. */
  readonly childSessionId: SessionId;
  /** The Activation that ended. */
  readonly runId: string;
  /** How it ended. */
  readonly outcome: Outcome;
}

declare module '@deepseek-ai/dsh-session' {
  interface MessageSourceMap {
    readonly 'delegated-task': DelegatedTaskSource;
    readonly 'agent-message': AgentMessageSource;
    readonly 'subagent-settled': SubagentSettledSource;
  }
}
