/** One schedule while it runs: its program, its agents, and the operations that wait inside of it. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { seededScheduler, type SeededScheduler } from '@deepseek-ai/dsh-agent/testing';
import { memoryMedium, type MemoryMedium, type MessageId, type SessionId } from '@deepseek-ai/dsh-session';
import { createTrial as createBase, type Schedule, type Trial as Base } from '@dsh-internal/schedule-testing';
import type { Asked, Happening, Stop } from './happening.ts';
import type { Program } from './program.ts';
import { drawSettings, kindOf, type Settings } from './settings.ts';

export interface Trial extends Base<Happening, Asked> {
  readonly scheduler: SeededScheduler;
  readonly settings: Settings;
  readonly medium: MemoryMedium;
  /** The one that runs now. */
  program: Program;
  /** Agents that have left: stale objects. */
  readonly stale: Agent[];
  readonly aborts: AbortController[];
  /** Ids that more than one call was made with. */
  readonly repeated: Set<MessageId>;
  /** Starts or drains that wait for a happening, in whose span they are called. */
  readonly armed: { readonly at: Happening['at']; readonly late: boolean; readonly run: () => void }[];
  fuel: number;
  names: number;
  /** Calls what was armed for this happening. `late`: after the runtime has heard it. */
  spring(at: Happening['at'], late: boolean): void;
  stop(stop: Partial<Stop>): void;
  newMessageId(): MessageId;
}

export function createTrial(schedule: Schedule): Trial {
  const scheduler = seededScheduler(schedule);
  const settings = drawSettings((label, count) => scheduler.choose(label, count), kindOf(schedule.seed));
  const trial: Trial = Object.assign(createBase<Happening, Asked>(scheduler), {
    ...{ scheduler, settings, medium: memoryMedium() },
    program: undefined as unknown as Program, // opened before anything looks at it
    stale: [],
    aborts: [],
    repeated: new Set<MessageId>(),
    armed: [],
    fuel: settings.fuel,
    names: 0,
    spring(at: Happening['at'], late: boolean) {
      const index = trial.armed.findIndex((one) => one.at === at && one.late === late);
      if (index >= 0) trial.armed.splice(index, 1)[0]?.run();
    },
    stop({ scope = 'all', ids = [], gates = [] }: Partial<Stop>) {
      trial.tell({ at: 'stop', stop: { scope, ids, gates } });
    },
    newMessageId() {
      trial.names += 1;
      return `m${trial.names}` as MessageId;
    },
  });
  return trial;
}

export const idOf = (text: string): SessionId => text as SessionId;
