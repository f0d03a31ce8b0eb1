/**
 * One live agent: the object that everyone sees, and what its parts share.
 * Owns: the phase, the current turn, what was last told of the status. Does not own: its place in a registry.
 * I1. The phase changes only in `enter`.
 * I2. After `silence` nothing is told to anybody.
 */
import type { Session } from '@deepseek-ai/dsh-session';
import { createEmitter, type Emitter } from '@dsh-internal/async';
import type {
  Agent,
  AgentStatus,
  CancelCause,
  CancelReceipt,
  EffectiveOptions,
  StopReceipt,
} from './agent.ts';
import type { AgentCore, CurrentTurn, RegistryServices } from './core.ts';
import type { AgentEventMap } from './events.ts';
import { whenAccepted } from './acceptance.ts';
import { createHistoryGate } from './history-gate.ts';
import { createHookChain } from './hook-chain.ts';
import type { AgentHooks } from './hooks.ts';
import { createInbox } from './inbox.ts';
import { durableJournal, processJournal, type InboxJournal } from './inbox-journal.ts';
import { createIdleWatch, createLoop, type IdleWatch, type Loop } from './loop.ts';
import { firstPhase, isStopped, reducePhase, statusOf } from './phase.ts';
import { createRequestHeaders } from './request.ts';
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

interface Insides {
  readonly poke: () => void;
  readonly core: AgentCore;
  readonly loop: Loop;
  readonly idle: IdleWatch;
  readonly emitter: Emitter<AgentEventMap>;
  muted: boolean;
}

export function createAgent(parts: AgentParts): LiveAgent {
  const emitter = createEmitter<AgentEventMap>((cause, type) => {
    insides.core.report('listener-failed', 'error', `a listener of ${type} failed`, cause);
  });
  const agent: Agent = makeAgent(parts, () => insides);
  const core = makeCore(parts, agent, () => insides);
  const loop = createLoop(core);
  const poke = (): void => {
    loop.poke();
  };
  const insides: Insides = { core, emitter, loop, poke, idle: createIdleWatch(() => core), muted: false };
  // Without the writer's place nothing of the turn could be logged.
  const onLost = (): void => {
    cancel(core, { code: 'FENCED' }, true);
  };
  parts.session.lost.addEventListener('abort', onLost, { once: true });
  return {
    core,
    agent,
    start() {
      core.enter('start');
      poke();
      core.tellStatus();
    },
    stop: (cause) => stop(core, readCause(cause)),
    rested: () => insides.loop.rested(),
    silence() {
      insides.muted = true;
      parts.session.lost.removeEventListener('abort', onLost);
      emitter.clear();
    },
  };
}

function makeAgent({ session, options }: AgentParts, insides: () => Insides): Agent {
  return {
    id: session.id,
    session,
    options,
    get inbox() {
      return insides().core.inbox.view;
    },
    get status() {
      const { phase, inbox } = insides().core;
      return statusOf(phase, inbox.state.hasWork);
    },
    followup: (input) => insides().core.inbox.accept(input, 'turn', true),
    steer: (input) => insides().core.inbox.accept(input, 'step', true),
    inject: (input) => insides().core.inbox.accept(input, 'step', false),
    cancel: (cause, { keepInbox = false } = {}) => cancel(insides().core, readCause(cause), keepInbox),
    unpark() {
      const { core, poke } = insides();
      core.inbox.unpark();
      poke();
      core.tellStatus();
    },
    whenIdle: ({ signal } = {}) => insides().idle.wait(signal),
    outcome(id) {
      const { core } = insides();
      if (core.inbox.state.outcome(id) === 'unknown') core.history.look();
      return core.inbox.state.outcome(id);
    },
    accepted: (id, options) => whenAccepted(insides().core, id, options),
    on: (type, listener) => insides().emitter.on(type, listener),
  };
}

function makeCore(
  { services, session, options, hooks, inbox: kind }: AgentParts,
  agent: Agent,
  insides: () => Insides,
): AgentCore {
  let phase = firstPhase;
  let told: AgentStatus = 'idle';
  const journal: InboxJournal =
    kind === 'process'
      ? processJournal
      : durableJournal(session, (message, cause) => {
          insides().core.report('inbox-not-logged', 'error', message, cause);
        });
  const inbox = createInbox(journal, () => ({ core: insides().core, poke: insides().poke }));
  return {
    services,
    agent,
    session,
    options,
    inbox,
    hooks: createHookChain(hooks, () => ({
      agent,
      park: (code) => {
        inbox.state.park({ code });
      },
    })),
    headers: createRequestHeaders(session, options),
    history: createHistoryGate(session, () => inbox),
    turn: undefined,
    get phase() {
      return phase;
    },
    enter(event) {
      phase = reducePhase(phase, event);
    },
    emit(type, event) {
      if (insides().muted) return;
      const whole = { agent, ...event } as unknown as AgentEventMap[typeof type];
      insides().emitter.emit(type, whole);
      services.publish(type, whole);
    },
    tellStatus() {
      const { status } = agent;
      if (status !== told) {
        told = status;
        insides().core.emit('agent/status', { status });
      }
      insides().idle.look();
    },
    report(code, level, message, cause) {
      const about = { code, level, message, sessionId: session.id };
      services.report(cause === undefined ? about : { ...about, cause });
    },
  };
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
