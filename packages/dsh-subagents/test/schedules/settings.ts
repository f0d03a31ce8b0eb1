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
export type OperationKind = (typeof operationKinds)[number];

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
};

export interface Settings {
  readonly kinds: readonly OperationKind[];
  /** Chains of operations that go on side by side, and how long each is. */
  readonly chains: number;
  readonly length: number;
  readonly roots: number;
  readonly faults: boolean;
  /** Tools and providers that ignore their signal. */
  readonly deaf: boolean;
  /** Tool calls that models may ask for. */
  readonly fuel: number;
  readonly keepWarmMs: number;
  readonly time: 'any' | 'idle';
  /** Disposes the agents' registry in place of a drain at the end. */
  readonly endByRegistry: boolean;
}

export function drawSettings(choose: Choose): Settings {
  const rare = (label: string, count: number): boolean => choose(label, count) === count - 1;
  const kinds = operationKinds.filter((kind) => kind === 'start' || choose(`with ${kind}`, 2) === 1);
  return {
    kinds,
    chains: 1 + choose('chains', 3),
    length: 2 + choose('length', 6),
    roots: rare('roots', 3) ? 2 : 1,
    faults: rare('faults', 4),
    deaf: rare('deaf', 4),
    fuel: choose('fuel', 4) * 3,
    keepWarmMs: rare('warm', 3) ? 1_000 : 0,
    time: rare('time', 6) ? 'any' : 'idle',
    endByRegistry: rare('end', 3),
  };
}
