/** [pure] Which agent of a tree a model request comes from. */
import type { ModelRequest } from '@deepseek-ai/dsh-agent';
import type { Message } from '@deepseek-ai/dsh-session';

/** What the top of a tree is called, which no task names. */
export const ROOT_LABEL = 'root';

/** The label in the last delegated task: what a fork has inherited stands before its own. */
export function labelOf({ messages }: Pick<ModelRequest, 'messages'>): string {
  const labels = messages.map(taskLabel).filter((label) => label !== undefined);
  return labels.at(-1) ?? ROOT_LABEL;
}

function taskLabel(message: Message): string | undefined {
  if (message.role !== 'user') return undefined;
  return message.source.kind === 'delegated-task' ? message.source.label : undefined;
}
