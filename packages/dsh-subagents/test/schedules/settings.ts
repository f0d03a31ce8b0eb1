/** [pure] What kind of schedule a seed makes: few kinds of operations at a time reach further than all at once. */
export type Choose = (label: string, count: number) => number;

export const operationKinds = [
  'start',
  'chain',
  'send',
  'give',
  'interrupt',
  'host-interrupt',
  'prompt',
  'abort',
  'arm',
  'cancel',
  'stop-children',
  'drain-below',
  'dispose-root',
  'replace-root',
  'one-shot',
  'wait',
  'take-over',
  'crash',
  'drain',
] as const;
/** In play in wide schedules alone, so that a seed of a narrow one stays the schedule that it was. */
const wideKinds = ['again', 'provider', 'late-tool', 'second'] as const;
export type OperationKind = (typeof operationKinds)[number] | (typeof wideKinds)[number];

/** How often a kind comes once it is in play. */
export const weights: Readonly<Record<OperationKind, number>> = {
  start: 6,
  chain: 3,
  send: 8,
  give: 4,
  interrupt: 3,
  'host-interrupt': 2,
  prompt: 4,
  abort: 4,
  arm: 4,
  cancel: 2,
  'stop-children': 2,
  'drain-below': 1,
  'dispose-root': 1,
  'replace-root': 1,
  'one-shot': 2,
  wait: 1,
  'take-over': 1,
  crash: 1,
  drain: 1,
  again: 6,
  provider: 3,
  'late-tool': 2,
  second: 3,
};

/** What a builder may set beside the defaults. */
export interface Wide {
  readonly inbox: 'process' | 'durable';
  readonly maxLive: number | undefined;
  readonly maxTotal: number | undefined;
  readonly budgetTokens: number | undefined;
  readonly maxHops: number;
  readonly modelCalls: number;
  /** Listeners of the builder throw now and then. */
  readonly throwing: boolean;
}

/** What of the builder's parts goes wrong, beside what the tools, models and providers of every schedule do. */
export interface Faulty {
  /** Setup, and what it leaves for the disposal. */
  readonly hooks: boolean;
  /** The disposal of agents, as by a loop of the builder's own. */
  readonly handles: boolean;
  /** The store: calls fail also where a place is given back, or come late. */
  readonly store: boolean;
  readonly providers: boolean;
  /** Some of it never ends, where it else ends after everything else. */
  readonly endless: boolean;
}

/** Seeds from here on make wide schedules, and from there on faulty ones. */
export const wideFrom = 10_000_000;
export const faultyFrom = 20_000_000;

export type ScheduleKind = 'narrow' | 'wide' | 'faulty';

export function kindOf(seed: number): ScheduleKind {
  if (seed >= faultyFrom) return 'faulty';
  return seed >= wideFrom ? 'wide' : 'narrow';
}

export interface Settings {
  readonly kinds: readonly OperationKind[];
  /** Chains of operations that go on side by side, and how long each is. */
  readonly chains: number;
  readonly length: number;
  readonly roots: number;
  /** The store fails now and then. */
  readonly faults: boolean;
  /** Tools and providers that ignore their signal. */
  readonly deaf: boolean;
  /** Tool calls that models may ask for. */
  readonly fuel: number;
  readonly keepWarmMs: number;
  readonly time: 'any' | 'idle';
  /** Disposes the agents' registry in place of a drain at the end. */
  readonly endByRegistry: boolean;
  readonly maxDepth: number;
  readonly wide: Wide | undefined;
  readonly faulty: Faulty | undefined;
}

export function drawSettings(choose: Choose, kind: ScheduleKind): Settings {
  const rare = (label: string, count: number): boolean => choose(label, count) === count - 1;
  const kinds = operationKinds.filter((one) => one === 'start' || choose(`with ${one}`, 2) === 1);
  const narrow = {
    kinds,
    chains: 1 + choose('chains', 3),
    length: 2 + choose('length', 6),
    roots: rare('roots', 3) ? 2 : 1,
    faults: rare('faults', 4),
    deaf: rare('deaf', 4),
    fuel: choose('fuel', 4) * 3,
    keepWarmMs: rare('warm', 3) ? 1_000 : 0,
    time: rare('time', 6) ? ('any' as const) : ('idle' as const),
    endByRegistry: rare('end', 3),
  };
  if (kind === 'narrow') return { ...narrow, maxDepth: 5, wide: undefined, faulty: undefined };
  const faulty = kind === 'faulty' ? drawFaulty(choose) : undefined;
  const faults = narrow.faults || faulty?.store === true;
  if (faulty !== undefined && !rare('wide too', 3))
    return { ...narrow, faults, maxDepth: 5, wide: undefined, faulty };
  const more = wideKinds.filter((one) => choose(`with ${one}`, 2) === 1);
  return {
    ...narrow,
    faults,
    kinds: [...kinds, ...more],
    length: 4 + narrow.length,
    maxDepth: rare('depth', 4) ? 2 : 6,
    wide: {
      inbox: choose('durable', 2) === 1 ? 'durable' : 'process',
      maxLive: rare('live', 4) ? 2 + choose('most live', 3) : undefined,
      maxTotal: rare('total', 4) ? 2 + choose('most ever', 3) : undefined,
      budgetTokens: rare('budget', 4) ? 6 + 6 * choose('tokens', 4) : undefined,
      maxHops: rare('hops', 4) ? 1 + choose('most hops', 3) : 1_000,
      modelCalls: rare('calls', 4) ? 1 : 64,
      throwing: rare('throwing', 4),
    },
    faulty,
  };
}

function drawFaulty(choose: Choose): Faulty {
  const half = (label: string): boolean => choose(label, 2) === 1;
  return {
    hooks: half('faulty hooks'),
    handles: half('faulty handles'),
    store: half('faulty store'),
    providers: half('faulty providers'),
    endless: half('endless'),
  };
}
