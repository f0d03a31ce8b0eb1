/** Tells a schedule in lines, for whoever has to understand a failure. */
import type { Happening, Operation } from './happening.ts';

export function narrate(happening: Happening): string {
  switch (happening.at) {
    case 'log':
      return `    log ${happening.session.id} ${happening.event.type}`;
    case 'call':
    case 'answer':
      return operationLine(happening.at, happening.operation);
    case 'enqueue':
    case 'discard':
      return `  ${happening.at} ${happening.agent.id} ${happening.message.id} ${happening.message.source.kind}${happening.wake ? '' : ' (quiet)'}${happening.at === 'discard' ? ` ${happening.reason}` : ''}`;
    case 'dequeue':
      return `  dequeue ${happening.agent.id} ${happening.message.id} in ${String(happening.turn)}.${String(happening.step)}`;
    case 'status':
      return `  ${happening.agent.id} is ${happening.status}`;
    case 'turn-end':
      return `  turn-end ${happening.agent.id} ${JSON.stringify(happening.reason)}`;
    case 'epoch-start':
    case 'parked':
      return `  ${happening.at} ${happening.epoch.childId} ${happening.epoch.runId}${happening.epoch.resumed ? ' (resumed)' : ''}`;
    case 'epoch-end':
      return `  epoch-end ${happening.epoch.childId} ${happening.epoch.runId} ${happening.epoch.outcome} ${messageOf(happening.epoch.failure)}`;
    case 'stop':
      return `  stop ${happening.stop.scope} ${happening.stop.ids.join(' ')}`;
    case 'diagnostic':
      return `  diagnostic ${happening.diagnostic.code} ${happening.diagnostic.message}`;
    case 'request':
      return `  request of ${happening.id}`;
    case 'crash':
    case 'lull':
      return happening.at;
    default:
      return `  ${happening.at} ${happening.agent.id}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? ` ${error.name}: ${error.message}` : '';
}

function operationLine(
  at: string,
  { number, kind, asker, targetId, state, error, messageId }: Operation,
): string {
  const about = [kind, asker?.id, targetId, messageId].filter((part) => part !== undefined).join(' ');
  const answer = at === 'call' ? '' : ` ${state}${messageOf(error)}`;
  return `${at} #${String(number)} ${about}${answer}`;
}
