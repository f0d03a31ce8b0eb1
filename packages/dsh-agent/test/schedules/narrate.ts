/** Tells a schedule in lines, for whoever has to understand a failure. */
import type { Happening } from './happening.ts';

export function narrate(happening: Happening): string {
  const who = 'agent' in happening ? ` ${happening.agent.id}` : '';
  switch (happening.at) {
    case 'log':
      return `    log${who} ${happening.event.type}${'id' in happening.event.data ? ` ${happening.event.data.id}` : ''}`;
    case 'call':
    case 'answer': {
      const { kind, agent, messageId, state, error } = happening.operation;
      const about = [happening.at, kind, agent?.id, messageId, happening.at === 'call' ? '' : state];
      return `${about.filter(Boolean).join(' ')}${error instanceof Error ? ` ${error.name}: ${error.message}` : ''}`;
    }
    case 'enqueue':
      return `  enqueue${who} ${happening.message.id} ${happening.message.source.kind} ${happening.boundary}${happening.wake ? '' : ' (quiet)'}`;
    case 'dequeue':
      return `  dequeue${who} ${happening.message.id} in ${String(happening.turn)}.${String(happening.step)}`;
    case 'made':
      return `  made${who}${happening.loaded ? '' : ' over a log that is not read yet'}`;
    case 'discard':
      return `  discard${who} ${happening.message.id} ${happening.reason}`;
    case 'status':
      return `  ${who} is ${happening.status}`;
    case 'turn-end':
      return `  turn-end${who} ${JSON.stringify(happening.reason)}`;
    case 'cancel':
      return `cancel${who}${happening.keep ? ' keep' : ''}${happening.user ? ' by a person' : ''}`;
    case 'diagnostic':
      return `  diagnostic ${happening.diagnostic.code} ${happening.diagnostic.message}`;
    default:
      return `  ${happening.at}${who}`;
  }
}
