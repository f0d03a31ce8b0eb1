/**
 * What a person does to agents: writes, interrupts, stops.
 * I1. Each deed names its agent when it begins, and nothing that is shown later changes where it goes.
 * I2. A prompt that got no answer is sent again under the same message id, when the person says so.
 */
import { canSend, messageIdOf, noDraft, promptProblem } from '../state/drafts.ts';
import { newAgent } from '../state/route.ts';
import { interruptSentence, stopSentence } from '../state/receipts.ts';
import type { CreateReply, InterruptReply, PromptReply, StopReply } from '../wire.ts';
import { post, type Reply } from './api.ts';
import { sessionPath } from './session-path.ts';
import type { Store } from './store.ts';

export interface Deeds {
  readonly write: (to: string, text: string) => void;
  /** Resolves to the id of the agent that has accepted it. */
  readonly send: (to: string) => Promise<string | undefined>;
  readonly interrupt: (id: string) => Promise<void>;
  readonly stop: (id: string, name: string) => Promise<void>;
}

export function createDeeds(store: Store, signal: AbortSignal): Deeds {
  return {
    write(to, text) {
      store.dispatch({ type: 'draft', to, event: { type: 'typed', text } });
    },
    send: (to) => send(store, to, signal),
    async interrupt(id) {
      await deed(
        store,
        id,
        'Interrupting …',
        () => post<InterruptReply>(sessionPath(id, 'interrupt'), {}, signal),
        interruptSentence,
      );
    },
    async stop(id, name) {
      await deed(
        store,
        id,
        'Stopping …',
        () => post<StopReply>(sessionPath(id, 'stop'), {}, signal),
        () => stopSentence(name),
      );
    },
  };
}

async function send(store: Store, to: string, signal: AbortSignal): Promise<string | undefined> {
  const draft = store.get().drafts.get(to) ?? noDraft;
  if (!canSend(draft)) return undefined;
  const messageId = draft.messageId ?? messageIdOf(crypto.getRandomValues(new Uint8Array(12)));
  const { text } = draft;
  const tell = (event: 'accepted' | 'refused' | 'unsure', sentence: string): void => {
    store.dispatch({ type: 'draft', to, event: { type: event, messageId, sentence } });
  };
  store.dispatch({ type: 'draft', to, event: { type: 'sent', messageId } });
  const problem = promptProblem(text);
  if (problem !== undefined) {
    tell('refused', problem);
    return undefined;
  }
  const path = to === newAgent ? '/api/sessions' : sessionPath(to, 'prompt');
  const reply = await post<PromptReply | CreateReply>(path, { text, messageId }, signal);
  if (reply.kind === 'ok') {
    tell('accepted', '');
    return 'id' in reply.value ? reply.value.id : to;
  }
  if (reply.kind === 'refused') tell('refused', `${reply.sentence} Nothing was sent.`);
  if (reply.kind === 'unreachable')
    tell(
      'unsure',
      `${reply.sentence} It is not known whether it arrived. Send it again: it is accepted once.`,
    );
  return undefined;
}

async function deed<T>(
  store: Store,
  id: string,
  busy: string,
  run: () => Promise<Reply<T>>,
  sentence: (value: T) => string,
): Promise<void> {
  store.dispatch({ type: 'receipt', id, receipt: { tone: 'busy', sentence: busy } });
  const reply = await run();
  if (reply.kind === 'dropped') return;
  const receipt =
    reply.kind === 'ok'
      ? ({ tone: 'good', sentence: sentence(reply.value) } as const)
      : ({ tone: 'bad', sentence: reply.sentence } as const);
  store.dispatch({ type: 'receipt', id, receipt });
}
