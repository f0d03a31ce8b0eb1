/** [pure] Who wrote to whom, from the log of who has read it. */
import type { SessionRecord } from '@deepseek-ai/dsh-session';
import type {} from '@deepseek-ai/dsh-subagents';
import type { FlowEdge } from '../protocol.ts';
import { firstWords } from './blocks.ts';
import { looseOf, textOf } from './untrusted.ts';

const longestText = 120;

/** Nothing where the record is no message from somebody to this Session. */
export function flowEdge(to: string, record: SessionRecord): FlowEdge | undefined {
  if (record.kind !== 'event' || record.event.type !== 'user/message') return undefined;
  const { seq, time, data } = record.event;
  const { content, id: messageId } = data;
  const source = looseOf(data.source);
  const edge = { key: `${to}:${seq}`, time, to, seq, messageId };
  switch (source['kind']) {
    case 'user':
      return { ...edge, kind: 'human', text: firstWords(content, longestText) };
    case 'delegated-task':
      return { ...edge, kind: 'task', from: senderOf(source), text: firstWords(content, longestText) };
    case 'agent-message': {
      // The first block names the sender.
      const own = content.length > 1 ? content.slice(1) : content;
      return { ...edge, kind: 'agent', from: senderOf(source), text: firstWords(own, longestText) };
    }
    case 'subagent-settled': {
      const from = textOf(source['childSessionId']);
      const [summary, outcome] = [textOf(source['summary']), textOf(source['outcome'])];
      return { ...edge, kind: 'notice', from, text: summary.slice(0, longestText), outcome };
    }
    default:
      return undefined;
  }
}

const senderOf = (source: ReturnType<typeof looseOf>): string => textOf(source['senderSessionId']);
