/** What a child loses whose writer's place another process has taken (M32). */
import type { MessageId, Session, SessionEvent } from '@deepseek-ai/dsh-session';
import type { Slot } from '../activation/slot.ts';
import type { Context } from '../context.ts';

/** Names the accepted messages that the next holder does not find. */
export function reportLost(context: Context, slot: Slot): void {
  const ids = lostIds(slot);
  if (ids.length === 0) return;
  context.report({
    code: 'messages-lost',
    level: 'error',
    message: `Another process has taken ${slot.childId}; these messages had not become durable: ${ids.join(', ')}`,
    sessionId: slot.childId,
  });
}

function lostIds({ handle }: Slot): readonly MessageId[] {
  if (handle === undefined) return [];
  const { session, inbox } = handle.agent;
  const ids = new Set(inbox.durable ? [] : inbox.list().map(({ message }) => message.id));
  for (const event of unwritten(session)) {
    if (event.type === 'user/message') ids.add(event.data.id);
    if (event.type === 'inbox/accepted') ids.add(event.data.message.id);
  }
  return [...ids];
}

function unwritten(session: Session): readonly SessionEvent[] {
  try {
    return session.events(session.durableLength);
  } catch {
    // A log that was never loaded has got nothing to write.
    return [];
  }
}
