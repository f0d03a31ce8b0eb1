/**
 * What the parts of a hand-driven agent share.
 * I1. A listener that throws makes the call throw that told it: its fault is a fault of the test.
 */
import type { Session } from '@deepseek-ai/dsh-session';
import { createEmitter, type Emitter } from '@dsh-internal/async';
import type { Agent, CancelCause, EffectiveOptions } from '../agent.ts';
import type { AgentEventMap } from '../events.ts';
import { createInboxState, type InboxState } from '../inbox-state.ts';

export interface HandDrivenParts {
  readonly session: Session;
  readonly options?: EffectiveOptions;
  readonly publish?: <K extends keyof AgentEventMap>(type: K, event: AgentEventMap[K]) => void;
}

export interface HandDrivenCore {
  readonly session: Session;
  readonly options: EffectiveOptions;
  readonly inbox: InboxState;
  readonly emitter: Emitter<AgentEventMap>;
  readonly cancels: CancelCause[];
  readonly emit: <K extends keyof AgentEventMap>(type: K, event: Omit<AgentEventMap[K], 'agent'>) => void;
  /** Tells a status that has changed, and those who wait for rest. */
  readonly tell: () => void;
  readonly idle: Set<() => void>;
  life: 'held' | 'open' | 'stopped' | 'disposed';
  stopped: CancelCause | undefined;
  turn: { readonly ordinal: number; steps: number; abort: CancelCause | undefined } | undefined;
}

export function createHandDrivenCore(
  { session, options, publish }: HandDrivenParts,
  agent: () => Agent,
): HandDrivenCore {
  // A fault of a listener is a fault of the test.
  const faults: unknown[] = [];
  const emitter = createEmitter<AgentEventMap>((fault) => {
    faults.push(fault);
  });
  let told: Agent['status'] = 'idle';
  const core: HandDrivenCore = {
    session,
    options: options ?? { model: 'by-hand' },
    inbox: createInboxState(),
    emitter,
    cancels: [],
    idle: new Set(),
    life: 'held',
    stopped: undefined,
    turn: undefined,
    emit(type, event) {
      const whole = { agent: agent(), ...event } as unknown as AgentEventMap[typeof type];
      emitter.emit(type, whole);
      publish?.(type, whole);
      if (faults.length > 0) throw faults.shift();
    },
    tell() {
      const { status } = agent();
      const changed = status !== told;
      told = status;
      if (changed) core.emit('agent/status', { status });
      if (status !== 'running') for (const wake of [...core.idle]) wake();
    },
  };
  return core;
}
