/**
 * One schedule while it runs: its scheduler, its program, what has happened, and what was found wrong.
 * I1. What a program tells after its crash is not heard: it is dead for everyone else too.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { seededScheduler, type SeededScheduler } from '@deepseek-ai/dsh-agent/testing';
import { memoryMedium, type MemoryMedium, type MessageId, type SessionId } from '@deepseek-ai/dsh-session';
import type { Happening, Invariant, Operation, Stop } from './happening.ts';
import type { Program } from './program.ts';
import { drawSettings, wideFrom, type Settings } from './settings.ts';

/** How a schedule is decided: by a seed, or by the choices of an earlier run. */
export interface Schedule {
  readonly seed: number;
  readonly choices?: readonly number[];
}

export interface Trial {
  readonly scheduler: SeededScheduler;
  readonly settings: Settings;
  readonly medium: MemoryMedium;
  /** The one that runs now. */
  program: Program;
  programs: number;
  readonly violations: string[];
  readonly operations: Operation[];
  /** Agents that have left: stale objects. */
  readonly stale: Agent[];
  readonly aborts: AbortController[];
  /** Ids that more than one call was made with. */
  readonly repeated: Set<MessageId>;
  /** Starts or drains that wait for a happening, in whose span they are called. */
  readonly armed: { readonly at: Happening['at']; readonly late: boolean; readonly run: () => void }[];
  fuel: number;
  names: number;
  invariants: readonly Invariant[];
  choose(label: string, count: number): number;
  pick<T>(label: string, items: readonly T[]): T | undefined;
  chance(label: string, oneIn: number): boolean;
  fail(message: string): void;
  tell(happening: Happening): void;
  /** Calls what was armed for this happening. `late`: after the runtime has heard it. */
  spring(at: Happening['at'], late: boolean): void;
  track(
    about: Pick<Operation, 'kind' | 'asker' | 'targetId' | 'messageId' | 'signal'>,
    call: () => unknown,
  ): Operation;
  stop(stop: Partial<Stop>): void;
  newMessageId(): MessageId;
}

export function createTrial(schedule: Schedule): Trial {
  const scheduler = seededScheduler(schedule);
  const settings = drawSettings((label, count) => scheduler.choose(label, count), schedule.seed >= wideFrom);
  const trial: Trial = {
    ...{ scheduler, settings, medium: memoryMedium() },
    program: undefined as unknown as Program, // opened before anything looks at it
    programs: 0,
    violations: [],
    operations: [],
    stale: [],
    aborts: [],
    repeated: new Set(),
    armed: [],
    fuel: settings.fuel,
    names: 0,
    invariants: [],
    choose: (label, count) => scheduler.choose(label, count),
    pick: (label, items) => (items.length === 0 ? undefined : items[scheduler.choose(label, items.length)]),
    chance: (label, oneIn) => scheduler.choose(label, oneIn) === oneIn - 1,
    fail(message) {
      if (!trial.violations.includes(message)) trial.violations.push(message);
    },
    tell(happening) {
      for (const invariant of trial.invariants) invariant.see?.(happening);
    },
    spring(at, late) {
      const index = trial.armed.findIndex((one) => one.at === at && one.late === late);
      if (index >= 0) trial.armed.splice(index, 1)[0]?.run();
    },
    track: (about, call) => track(trial, about, call),
    stop({ scope = 'all', ids = [], gates = [] }) {
      trial.tell({ at: 'stop', stop: { scope, ids, gates } });
    },
    newMessageId() {
      trial.names += 1;
      return `m${trial.names}` as MessageId;
    },
  };
  return trial;
}

function track(
  trial: Trial,
  about: Pick<Operation, 'kind' | 'asker' | 'targetId' | 'messageId' | 'signal'>,
  call: () => unknown,
): Operation {
  const operation: Operation = {
    ...about,
    number: trial.operations.length,
    program: trial.programs,
    state: 'open',
  };
  trial.operations.push(operation);
  trial.tell({ at: 'call', operation });
  const answer = (state: 'done' | 'refused', result: { value: unknown } | { error: unknown }): void => {
    if (operation.program !== trial.programs) return;
    Object.assign(operation, { state, ...result });
    trial.tell({ at: 'answer', operation });
  };
  (async () => call())().then(
    (value) => {
      answer('done', { value });
    },
    (error: unknown) => {
      answer('refused', { error });
    },
  );
  return operation;
}

export const idOf = (text: string): SessionId => text as SessionId;
