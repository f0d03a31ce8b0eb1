/**
 * One live agent: the object that everyone sees, and what its parts share.
 * Owns: the phase, the current turn, what was last told of the status. Does not own: its place in a registry.
 * I1. The phase changes only in `enter`.
 * I2. After `silence` nothing is told to anybody.
 */
import type {
  Diagnostic,
  MessageId,
  Registration,
  Session,
  SessionId,
  WaitOptions,
} from '@deepseek-ai/dsh-session';
import { createEmitter, type Emitter } from '@dsh-internal/async';
import type {
  Agent,
  AgentStatus,
  CancelCause,
  CancelReceipt,
  EffectiveOptions,
  InboxView,
  MessageInput,
  MessageOutcome,
  StopReceipt,
} from './agent.ts';
import type { AgentCore, CurrentTurn, RegistryServices } from './core.ts';
import type { AgentEventMap } from './events.ts';
import { whenAccepted } from './acceptance.ts';
import { createHistoryGate, type HistoryGate } from './history-gate.ts';
import { createHookChain, type HookChain } from './hook-chain.ts';
import type { AgentHooks } from './hooks.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { durableJournal, processJournal, type InboxJournal } from './inbox-journal.ts';
import { createIdleWatch, createLoop, type IdleWatch, type Loop } from './loop.ts';
import { firstPhase, isStopped, reducePhase, statusOf, type Phase, type PhaseEvent } from './phase.ts';
import { createRequestHeaders, type RequestHeaders } from './request.ts';
import { checkFunction, checkObject } from './options.ts';
import { readCause } from './thrown.ts';

/** What the maker of an agent does with it. */
export interface LiveAgent {
  readonly core: AgentCore;
  readonly agent: Agent;
  /** Lets the driver run. */
  start(): void;
  stop(cause: CancelCause): StopReceipt;
  /** Resolves when the driver has ended. */
  rested(): Promise<void>;
  /** Nothing is told any more: whatever of the agent goes on concerns nobody. */
  silence(): void;
}

export interface AgentParts {
  readonly services: RegistryServices;
  readonly session: Session;
  readonly options: EffectiveOptions;
  readonly hooks: readonly (AgentHooks | undefined)[];
  readonly inbox: 'process' | 'durable';
}

export function createAgent(parts: AgentParts): LiveAgent {
  return new Live(parts);
}

class Live implements LiveAgent {
  readonly core: Core;
  /** Without the writer's place nothing of the turn could be logged. */
  readonly #onLost = (): void => {
    cancel(this.core, { code: 'FENCED' }, true);
  };

  constructor(parts: AgentParts) {
    this.core = new Core(parts);
    parts.session.lost.addEventListener('abort', this.#onLost, { once: true });
  }

  get agent(): Agent {
    return this.core.agent;
  }

  start(): void {
    this.core.enter('start');
    this.core.poke();
    this.core.tellStatus();
  }

  stop(cause: CancelCause): StopReceipt {
    return stop(this.core, readCause(cause));
  }

  rested(): Promise<void> {
    return this.core.loop.rested();
  }

  silence(): void {
    this.core.muted = true;
    this.core.session.lost.removeEventListener('abort', this.#onLost);
    this.core.emitter.clear();
  }
}

class Core implements AgentCore {
  readonly services: RegistryServices;
  readonly agent: Agent;
  readonly session: Session;
  readonly options: EffectiveOptions;
  readonly hooks: HookChain;
  readonly inbox: Inbox;
  readonly headers: RequestHeaders;
  readonly history: HistoryGate;
  readonly loop: Loop;
  readonly idle: IdleWatch;
  readonly emitter: Emitter<AgentEventMap>;
  turn: CurrentTurn | undefined;
  muted = false;
  #phase = firstPhase;
  #told: AgentStatus = 'idle';

  constructor({ services, session, options, hooks, inbox: kind }: AgentParts) {
    this.services = services;
    this.session = session;
    this.options = options;
    this.agent = new Face(this);
    this.emitter = createEmitter((cause, type) => {
      this.report('listener-failed', 'error', `a listener of ${type} failed`, cause);
    });
    this.inbox = createInbox(journalOf(kind, this), this);
    this.hooks = createHookChain(hooks, this);
    this.headers = createRequestHeaders(session, options);
    this.history = createHistoryGate(this);
    this.loop = createLoop(this);
    this.idle = createIdleWatch(this);
  }

  get phase(): Phase {
    return this.#phase;
  }

  enter(event: PhaseEvent): void {
    this.#phase = reducePhase(this.#phase, event);
  }

  poke(): void {
    this.loop.poke();
  }

  emit<K extends keyof AgentEventMap>(type: K, event: Omit<AgentEventMap[K], 'agent'>): void {
    if (this.muted) return;
    const whole = { agent: this.agent, ...event } as unknown as AgentEventMap[K];
    this.emitter.emit(type, whole);
    this.services.publish(type, whole);
  }

  tellStatus(): void {
    const { status } = this.agent;
    if (status !== this.#told) {
      this.#told = status;
      this.emit('agent/status', { status });
    }
    this.idle.look();
  }

  report(code: string, level: Diagnostic['level'], message: string, cause?: unknown): void {
    const about = { code, level, message, sessionId: this.session.id };
    this.services.report(cause === undefined ? about : { ...about, cause });
  }
}

function journalOf(kind: AgentParts['inbox'], core: Core): InboxJournal {
  if (kind === 'process') return processJournal;
  return durableJournal(core.session, (message, cause) => {
    core.report('inbox-not-logged', 'error', message, cause);
  });
}

/** What everyone sees of it. */
class Face implements Agent {
  readonly id: SessionId;
  readonly session: Session;
  readonly options: EffectiveOptions;
  readonly #core: Core;

  constructor(core: Core) {
    this.id = core.session.id;
    this.session = core.session;
    this.options = core.options;
    this.#core = core;
  }

  get inbox(): InboxView {
    return this.#core.inbox.view;
  }
  get status(): AgentStatus {
    const { phase, inbox } = this.#core;
    return statusOf(phase, inbox.state.hasWork);
  }

  followup(input: MessageInput): MessageId {
    return this.#core.inbox.accept(input, 'turn', true);
  }

  steer(input: MessageInput): MessageId {
    return this.#core.inbox.accept(input, 'step', true);
  }

  inject(input: MessageInput): MessageId {
    return this.#core.inbox.accept(input, 'step', false);
  }

  cancel(cause: CancelCause, options: { readonly keepInbox?: boolean } = {}): CancelReceipt {
    checkObject('nothing cancelled', 'options', options);
    const { keepInbox = false } = options;
    return cancel(this.#core, readCause(cause), keepInbox);
  }

  unpark(): void {
    this.#core.inbox.unpark();
    this.#core.poke();
    this.#core.tellStatus();
  }

  whenIdle(options: WaitOptions = {}): Promise<void> {
    return this.#core.idle.wait(options);
  }

  outcome(id: MessageId): MessageOutcome {
    const { state } = this.#core.inbox;
    // What was discarded here under an id that the log holds was that message once more.
    if (state.outcome(id) !== 'waiting') this.#core.history.look();
    return state.outcome(id);
  }

  accepted(id: MessageId, options?: WaitOptions): Promise<void> {
    return whenAccepted(this.#core, id, options);
  }

  on<K extends keyof AgentEventMap>(type: K, listener: (event: AgentEventMap[K]) => void): Registration {
    checkFunction('nobody registered', 'the listener', listener);
    return this.#core.emitter.on(type, listener);
  }
}

/** A20. What is accepted by somebody who hears of the abort came after it: it is neither parked nor discarded. */
function cancel(core: AgentCore, cause: CancelCause, keep: boolean): CancelReceipt {
  const { inbox, turn } = core;
  if (core.phase.life === 'disposed') return { kept: [], discarded: [] };
  inbox.announce();
  const waiting = inbox.state.list();
  const aborts = abortable(turn);
  if (keep && (turn !== undefined || inbox.state.hasWork)) inbox.park(cause);
  turn?.abort(cause);
  core.history.leave();
  const discarded = keep ? [] : inbox.discard(waiting, 'cancelled');
  core.tellStatus();
  return {
    ...(aborts ? { turn: turn?.ordinal ?? 0 } : {}),
    kept: keep ? waiting.map(({ message }) => message.id) : [],
    discarded,
  };
}

/** A23. */
function stop(core: AgentCore, cause: CancelCause): StopReceipt {
  const { inbox, turn } = core;
  const aborts = !isStopped(core.phase) && abortable(turn);
  core.enter('stop');
  const pending = inbox.state.list().map(({ message }) => message.id);
  turn?.abort(cause);
  core.history.leave();
  core.tellStatus();
  return aborts ? { turn: turn?.ordinal ?? 0, pending } : { pending };
}

function abortable(turn: CurrentTurn | undefined): boolean {
  return turn !== undefined && turn.cause === undefined;
}
