/**
 * An agent of a loop that is not dsh-agent's: no tools, no retries, and one answer for all that waits.
 * 1. A message waits in `entries` from its acceptance until it is in the log or discarded; each is told.
 * 2. `idle` is told once nothing runs and nothing that wakes waits.
 */
import type { Agent, AgentEventMap, InboxEntry, MessageInput } from '@deepseek-ai/dsh-agent';
import { newMessageId, type MessageId, type Session } from '@deepseek-ai/dsh-session';
import type { PortHandle } from '@deepseek-ai/dsh-subagents';

export type Answer = (session: Session) => Promise<string>;
export type Emit = <K extends keyof AgentEventMap>(type: K, event: AgentEventMap[K]) => void;

export interface OwnAgentParts {
  readonly session: Session;
  readonly options: Agent['options'];
  readonly answer: Answer;
  readonly emit: Emit;
  /** Nothing runs before `start`. */
  readonly held: boolean;
  readonly end: (session: Session) => Promise<void>;
}

export function ownAgent({ session, options, answer, emit, held, end }: OwnAgentParts): PortHandle {
  const entries: InboxEntry[] = [];
  let status: Agent['status'] = 'idle';
  let [waits, parked, aborted] = [held, false, false];
  let running: Promise<void> | undefined;
  let gone: Promise<void> | undefined;

  const become = (next: Agent['status']): void => {
    status = next;
    emit('agent/status', { agent, status });
  };
  const accept = (input: MessageInput, boundary: InboxEntry['boundary'], wake: boolean): MessageId => {
    if (status === 'closing' && wake) throw Object.assign(new Error('stopped'), { code: 'AGENT_CLOSING' });
    const id = input.id ?? newMessageId();
    const content =
      typeof input.content === 'string' ? [{ type: 'text' as const, text: input.content }] : input.content;
    const message = { id, role: 'user' as const, content, source: input.source };
    entries.push({ message, boundary, wake });
    if (wake) parked = false;
    emit('agent/inbox/enqueue', { agent, message, boundary, wake });
    run();
    return id;
  };
  const discard = (reason: 'cancelled' | 'disposed'): readonly MessageId[] => {
    const dropped = entries.splice(0);
    for (const entry of dropped) emit('agent/inbox/discard', { agent, ...entry, reason });
    return dropped.map(({ message }) => message.id);
  };
  const ready = (): boolean => status !== 'closing' && !waits && !parked && entries.some(({ wake }) => wake);
  const run = (): void => {
    if (running !== undefined || !ready()) return;
    become('running');
    running = loop().finally(() => {
      running = undefined;
      if (status !== 'closing') become('idle');
    });
  };
  const loop = async (): Promise<void> => {
    // What one span accepts is shown together.
    await Promise.resolve();
    while (ready()) await turn();
  };
  // A call may have set it while the answer was waited for.
  const wasAborted = (): boolean => aborted;
  const turn = async (): Promise<void> => {
    const ordinal = session.turns;
    aborted = false;
    session.append('turn/start', { turn: ordinal });
    for (const { message } of entries.splice(0)) {
      const { seq } = session.append('user/message', message);
      emit('agent/inbox/dequeue', { agent, message, turn: ordinal, step: 0, seq });
    }
    const text = await answer(session);
    if (session.sealed) return;
    const content = [{ type: 'text' as const, text }];
    session.append('assistant/message', { id: newMessageId(), role: 'assistant', content, finish: 'stop' });
    const reason = wasAborted()
      ? ({ kind: 'aborted', cause: 'user' } as const)
      : ({ kind: 'completed' } as const);
    session.append('turn/end', { turn: ordinal, reason });
    emit('agent/turn/end', { agent, turn: ordinal, reason });
  };
  const agent: Agent = {
    ...{ id: session.id, session, options },
    get status() {
      return status;
    },
    inbox: {
      list: () => [...entries],
      get parked() {
        return parked;
      },
      durable: false,
      remove: () => false,
      clear: () => discard('cancelled'),
    },
    followup: (input) => accept(input, 'turn', true),
    steer: (input) => accept(input, 'step', true),
    inject: (input) => accept(input, 'step', false),
    cancel(_cause, { keepInbox = false } = {}) {
      aborted = running !== undefined;
      parked = keepInbox && entries.length > 0;
      return {
        kept: entries.map(({ message }) => message.id),
        discarded: keepInbox ? [] : discard('cancelled'),
      };
    },
    unpark() {
      parked = false;
      run();
    },
    async whenIdle() {
      for (let work = running; work !== undefined; work = running) await work;
    },
    outcome: (id) => (entries.some(({ message }) => message.id === id) ? 'waiting' : 'unknown'),
    accepted: () => Promise.reject(new Error('this inbox is the process’s own')),
    on: () => ({ dispose: () => undefined, [Symbol.dispose]: () => undefined }),
  };
  const stop: PortHandle['stop'] = () => {
    aborted = true;
    if (status !== 'closing') become('closing');
    return { pending: entries.map(({ message }) => message.id) };
  };
  const dispose = (): Promise<void> => {
    stop('disposed');
    gone ??= agent.whenIdle().then(async () => {
      discard('disposed');
      await end(session);
      emit('agent/disposed', { agent });
    });
    return gone;
  };
  return {
    agent,
    start() {
      waits = false;
      run();
    },
    stop,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}
