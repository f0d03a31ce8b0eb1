import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Outcome } from './outcome.ts';

/** How far a message is from the last human one, and what it belongs to (M47). */
export interface SourceTrace {
  readonly hops?: number;
  readonly trace?: string;
}
/** The first message of a child: its task. */
export interface DelegatedTaskSource extends SourceTrace {
  readonly kind: 'delegated-task';
  readonly form: 'task';
  readonly senderSessionId: SessionId;
  readonly label: string;
}
/** What one agent wrote to another. Derived by the runtime from the authorized sender (M16). */
export interface AgentMessageSource extends SourceTrace {
  readonly kind: 'agent-message';
  readonly form: 'relay';
  readonly senderSessionId: SessionId;
}
/** The runtime's own word that an Activation has ended (M34). */
export interface SubagentSettledSource extends SourceTrace {
  readonly kind: 'subagent-settled';
  readonly form: 'notice';
  readonly summary: string;
  readonly childSessionId: SessionId;
  readonly runId: string;
  readonly outcome: Outcome;
}

declare module '@deepseek-ai/dsh-session' {
  interface MessageSourceMap {
    readonly 'delegated-task': DelegatedTaskSource;
    readonly 'agent-message': AgentMessageSource;
    readonly 'subagent-settled': SubagentSettledSource;
  }
}
