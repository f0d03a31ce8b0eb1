/** [pure] What kind of schedule a seed makes: few kinds of operations at a time reach further than all at once. */
export type Choose = (label: string, count: number) => number;

/** How often a kind comes once it is in play. */
export const weights = {
  followup: 8,
  steer: 8,
  inject: 4,
  again: 2,
  cancel: 3,
  keep: 3,
  unpark: 2,
  remove: 2,
  clear: 1,
  idle: 2,
  accepted: 3,
  arm: 5,
  stop: 1,
  dispose: 1,
  abandon: 1,
  resume: 3,
  crash: 1,
  'take-over': 1,
} as const;
export type OperationKind = keyof typeof weights;
const operationKinds = Object.keys(weights) as readonly OperationKind[];

/** What a `beforeStep` hook may do. */
export type HookMode = 'none' | 'slow' | 'rewrite' | 'some' | 'defer' | 'refuse' | 'throw';

export interface Settings {
  readonly kinds: readonly OperationKind[];
  /** Chains of operations that go on side by side, and how long each is. */
  readonly chains: number;
  readonly length: number;
  readonly agents: number;
  readonly durable: boolean;
  readonly faults: boolean;
  /** Tools that ignore their signal. */
  readonly deaf: boolean;
  /** Tool calls that models may ask for. */
  readonly fuel: number;
  readonly hook: HookMode;
  /** Hooks of requests and calls fail or refuse now and then. */
  readonly hooksFail: boolean;
  readonly checkpoint: 'turn' | 'step';
  readonly steps: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly inboxEntries: number;
  readonly time: 'any' | 'idle';
  /** Every agent has a log from earlier, which is too long to be read when it is opened. */
  readonly longLogs: boolean;
}

/** Seeds from here on make wide schedules, in which agents come back to logs that are not read yet. */
export const wideFrom = 10_000_000;
const inEveryWide: readonly OperationKind[] = ['followup', 'again', 'dispose', 'resume'];

const hookModes = ['none', 'none', 'none', 'slow', 'rewrite', 'some', 'defer', 'refuse', 'throw'] as const;

export function drawSettings(choose: Choose, isWide: boolean): Settings {
  const rare = (label: string, count: number): boolean => choose(label, count) === count - 1;
  const narrow = {
    kinds: operationKinds.filter((kind) => kind === 'followup' || choose(`with ${kind}`, 2) === 1),
    chains: 1 + choose('chains', 3),
    length: 2 + choose('length', 8),
    agents: rare('agents', 4) ? 2 : 1,
    durable: rare('durable', 2),
    faults: rare('faults', 6),
    deaf: rare('deaf', 4),
    fuel: choose('fuel', 4) * 3,
    hook: hookModes[choose('hook', hookModes.length)] ?? 'none',
    hooksFail: rare('hooks fail', 6),
    checkpoint: rare('checkpoint', 3) ? ('step' as const) : ('turn' as const),
    steps: rare('steps', 3) ? 2 : 200,
    modelCalls: rare('model calls', 3) ? 1 : Infinity,
    toolCalls: 1 + choose('tool calls', 3),
    inboxEntries: rare('inbox', 6) ? 3 : 1_000,
    time: rare('time', 6) ? ('any' as const) : ('idle' as const),
    longLogs: false,
  };
  if (!isWide) return narrow;
  const { kinds } = narrow;
  return {
    ...narrow,
    kinds: operationKinds.filter((kind) => kinds.includes(kind) || inEveryWide.includes(kind)),
    // The log of a durable inbox is read before its agent is there.
    durable: false,
    longLogs: true,
  };
}
