/** When an acceptance is durable (A31). */
import type { MessageId, Session, WaitOptions } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { AgentCore } from './core.ts';
import { agentError } from './errors.ts';
import { checkObject } from './options.ts';

export async function whenAccepted(core: AgentCore, id: MessageId, options: WaitOptions = {}): Promise<void> {
  const { agent, session, inbox, services } = core;
  checkObject('not waited', 'options', options);
  const { signal } = options;
  signal?.throwIfAborted();
  if (!inbox.view.durable) {
    throw agentError(
      'INBOX_NOT_DURABLE',
      `message ${id} is in the inbox of agent ${agent.id} for this process alone`,
    );
  }
  if (agent.outcome(id) === 'unknown') {
    throw agentError('UNKNOWN_MESSAGE', `agent ${agent.id} knows of no message ${id}`);
  }
  if (!waitsToBeWritten(session, id)) return;
  try {
    await untilAborted(services.sessions.flush(session), signal);
  } catch (error) {
    signal?.throwIfAborted();
    // The flush was for more than this one message.
    if (waitsToBeWritten(session, id)) throw error;
  }
}

function waitsToBeWritten(session: Session, id: MessageId): boolean {
  return session
    .events(session.durableLength)
    .some((event) => event.type === 'inbox/accepted' && event.data.message.id === id);
}
