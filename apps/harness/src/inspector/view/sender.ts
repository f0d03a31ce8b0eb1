/** [pure] Who wrote a message that an agent has got. */
import type { MessageSource } from '@deepseek-ai/dsh-session';
import type {} from '@deepseek-ai/dsh-subagents';
import type { Sender } from '../protocol.ts';

/** The label of an agent, where it is known. */
export type LabelOf = (id: string) => string | undefined;

export function senderOf(source: MessageSource, labelOf: LabelOf): Sender {
  switch (source.kind) {
    case 'user':
      return { kind: 'human' };
    case 'agent-message':
      return { kind: 'agent', id: source.senderSessionId, ...labelled(source.senderSessionId, labelOf) };
    case 'delegated-task':
      return { kind: 'task', id: source.senderSessionId, ...labelled(source.senderSessionId, labelOf) };
    case 'subagent-settled': {
      const { childSessionId: child, outcome, summary } = source;
      return { kind: 'notice', child, ...labelled(child, labelOf), outcome, summary };
    }
    default:
      return { kind: 'other', source: String((source as { readonly kind?: unknown }).kind) };
  }
}

function labelled(id: string, labelOf: LabelOf): { label?: string } {
  const label = labelOf(id);
  return label === undefined ? {} : { label };
}
