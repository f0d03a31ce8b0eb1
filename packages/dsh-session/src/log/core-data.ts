/**
 * [pure] What must hold of the data of the core's events, so that history and turn shape can rely on it.
 * Members that are not named here are kept and not looked at.
 */
import { contentProblem } from './content-check.ts';
import type { CoreEventMap } from '../event.ts';
import { isRecord } from '../json.ts';

type Check = (data: unknown) => string | undefined;

const count = (name: string, value: unknown): string | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : `${name} is no count`;
const text = (name: string, value: unknown): string | undefined =>
  typeof value === 'string' ? undefined : `${name} is no string`;

const role = (data: Record<string, unknown>, wanted: string): string | undefined =>
  data['role'] === wanted ? undefined : `role is not ${wanted}`;

const object =
  (check: (data: Record<string, unknown>) => string | undefined): Check =>
  (data) =>
    isRecord(data) ? check(data) : 'it is no object';

const userMessage = object(
  (data) => role(data, 'user') ?? text('id', data['id']) ?? contentProblem(data['content'], 'user'),
);
const assistantMessage = object(
  (data) => role(data, 'assistant') ?? text('id', data['id']) ?? contentProblem(data['content'], 'assistant'),
);
const toolResult = object(
  (data) =>
    role(data, 'tool') ??
    text('callId', data['callId']) ??
    text('name', data['name']) ??
    contentProblem(data['content'], 'tool'),
);

function message(data: unknown): string | undefined {
  switch (isRecord(data) ? data['role'] : undefined) {
    case 'user':
      return userMessage(data);
    case 'assistant':
      return assistantMessage(data);
    case 'tool':
      return toolResult(data);
    default:
      return 'a message has no role that is known';
  }
}

function messages(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'messages is no array';
  return value.map(message).find((problem) => problem !== undefined);
}

const checks: Readonly<Record<keyof CoreEventMap, Check>> = {
  'turn/start': object((data) => count('turn', data['turn'])),
  'turn/end': object(
    (data) => count('turn', data['turn']) ?? (isRecord(data['reason']) ? undefined : 'reason is no object'),
  ),
  'user/message': userMessage,
  'assistant/message': assistantMessage,
  'tool/start': object((data) => text('callId', data['callId']) ?? text('name', data['name'])),
  'tool/progress': object(
    (data) => text('callId', data['callId']) ?? ('data' in data ? undefined : 'data is missing'),
  ),
  'tool/result': toolResult,
  'request/header': object((data) => text('hash', data['hash'])),
  'history/replaced': object((data) => count('upTo', data['upTo']) ?? messages(data['messages'])),
  'session/recovered': object((data) => count('damaged', data['damaged'])),
  'session/taken-over': object((data) => (isRecord(data['from']) ? undefined : 'from is no object')),
  'session/lost': object(() => undefined),
};

/** What is wrong with the data of a core event, as a phrase; nothing for other types. */
export function coreDataProblem(type: string, data: unknown): string | undefined {
  return Object.hasOwn(checks, type) ? checks[type as keyof CoreEventMap](data) : undefined;
}
