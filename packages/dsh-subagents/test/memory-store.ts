/** A store in memory, with children as the runtime leaves them. */
import {
  memoryDriver,
  openSessionStore,
  parseSessionId,
  type MessageId,
  type Session,
  type SessionId,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import { childDescriptor, subagentVocabulary, type ChildDescriptor } from '../src/resume/descriptor.ts';

export const id = (text: string): SessionId => parseSessionId(text);

export const descriptor: ChildDescriptor = {
  mode: 'continuable',
  provider: 'spawn',
  label: 'pears',
  model: 'main',
  inbox: 'process',
  system: 'default',
  maxDepth: 3,
};

export function memoryStore(): Promise<SessionStore> {
  return openSessionStore({ driver: memoryDriver(), vocabulary: subagentVocabulary });
}

export interface ChildOptions {
  readonly label?: string;
  readonly mode?: ChildDescriptor['mode'];
  /** No descriptor is written where this is false. */
  readonly described?: boolean;
}

/** A stored child that no agent drives. */
export async function storeChild(
  store: SessionStore,
  childId: string,
  parent: string | undefined,
  { label = childId, mode = 'continuable', described = true }: ChildOptions = {},
): Promise<Session> {
  const session = await store.create({
    id: id(childId),
    ...(parent === undefined ? {} : { parentSession: id(parent), origin: 'subagent' }),
  });
  if (!described) session.append('session/recovered', { damaged: 0 });
  else if (parent !== undefined) childDescriptor.write(session, { ...descriptor, label, mode });
  await store.flush(session);
  return session;
}

/** One whole turn. */
export function addTurn(session: Session, text: string): void {
  const turn = session.turns;
  session.append('turn/start', { turn });
  session.append('user/message', {
    id: `u${session.length}` as MessageId,
    role: 'user',
    content: [{ type: 'text', text: 'Go.' }],
    source: { kind: 'user' },
  });
  session.append('assistant/message', {
    id: `a${session.length}` as MessageId,
    role: 'assistant',
    content: [{ type: 'text', text }],
    finish: 'stop',
  });
  session.append('turn/end', { turn, reason: { kind: 'completed' } });
}

export async function collect<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}
