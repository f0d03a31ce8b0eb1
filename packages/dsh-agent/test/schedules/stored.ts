/** What the log of a Session holds, also where it is still on the medium. */
import {
  memoryDriver,
  openSessionStore,
  type MemoryMedium,
  type MessageId,
  type Session,
  type SessionEvent,
  type SessionId,
} from '@deepseek-ai/dsh-session';

/** The event types of a durable inbox, for a store without agents. */
export const inboxTypes = [
  'inbox/durable',
  'inbox/accepted',
  'inbox/discarded',
  'inbox/parked',
  'inbox/unparked',
];

/** Nothing, where it is not in memory as a whole. */
export function inMemory(session: Session): readonly SessionEvent[] | undefined {
  try {
    return session.events();
  } catch {
    return undefined;
  }
}

/** Read past the driver of the schedule: no step of it. Rejects where nothing is stored. */
export async function onMedium(medium: MemoryMedium, id: SessionId): Promise<readonly SessionEvent[]> {
  const store = await openSessionStore({ driver: memoryDriver({ medium }), vocabulary: inboxTypes });
  const events: SessionEvent[] = [];
  for await (const record of store.read(id)) {
    if (record.kind === 'event') events.push(record.event);
  }
  return events;
}

/** Stores a Session as an earlier program has left it: a turn for each of `ids`, the first one long. */
export async function storeLong(
  medium: MemoryMedium,
  id: SessionId,
  ids: readonly MessageId[],
): Promise<void> {
  const store = await openSessionStore({ driver: memoryDriver({ medium }) });
  const session = await store.create({ id });
  ids.forEach((messageId, turn) => {
    const text = `about ${messageId}${turn === 0 ? ' at length'.repeat(2_000) : ''}`;
    const message = { id: messageId, role: 'user', content: [{ type: 'text', text }] } as const;
    session.append('turn/start', { turn });
    session.append('user/message', { ...message, source: { kind: 'user' } });
    session.append('turn/end', { turn, reason: { kind: 'completed' } });
  });
  await store[Symbol.asyncDispose]();
}
