/** [pure] Whose request it is: a model request carries no agent id, but its messages hold the task. */
import type { Message, MessageId, SessionId } from '@deepseek-ai/dsh-session';
import type {} from '@deepseek-ai/dsh-subagents';

export interface DelegatedTask {
  readonly label: string;
  readonly messageId: MessageId;
  readonly parentId: SessionId;
}

/**
 * The task that made the agent whose messages these are; nothing for a top-level agent. It is the last one: a
 * fork's history begins with its parent's, and with its parent's task.
 */
export function taskOf(messages: readonly Message[]): DelegatedTask | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== 'user' || message.source.kind !== 'delegated-task') continue;
    const { label, senderSessionId } = message.source;
    return { label, messageId: message.id, parentId: senderSessionId };
  }
  return undefined;
}
