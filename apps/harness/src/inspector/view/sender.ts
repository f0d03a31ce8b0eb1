/** [pure] Who wrote a message that an agent has got. */
import type { MessageSource } from '@deepseek-ai/dsh-session';
import type {} from '@deepseek-ai/dsh-subagents';
import type { Sender } from '../protocol.ts';
import { looseOf, textOf } from './untrusted.ts';

/** The label of an agent, where it is known. */
export type LabelOf = (id: string) => string | undefined;

export function senderOf(source: MessageSource | undefined, labelOf: LabelOf): Sender {
  const loose = looseOf(source);
  switch (loose['kind']) {
    case 'user':
      return { kind: 'human' };
    case 'agent-message':
    case 'delegated-task': {
      const id = textOf(loose['senderSessionId']);
      return { kind: loose['kind'] === 'agent-message' ? 'agent' : 'task', id, ...labelled(id, labelOf) };
    }
    case 'subagent-settled': {
      const child = textOf(loose['childSessionId']);
      const [outcome, summary] = [textOf(loose['outcome']), textOf(loose['summary'])];
      return { kind: 'notice', child, ...labelled(child, labelOf), outcome, summary };
    }
    default:
      return { kind: 'other', source: textOf(loose['kind'], 'not named') };
  }
}

function labelled(id: string, labelOf: LabelOf): { label?: string } {
  const label = labelOf(id);
  return label === undefined ? {} : { label };
}
