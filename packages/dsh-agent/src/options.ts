/** [pure] What a caller may set, checked before anything is made. */
import { agentError } from './errors.ts';
import type { AgentCreateSpec, AgentLimits, AgentRegistryOptions } from './registry.ts';

interface Bound {
  readonly least: number;
  readonly otherwise: number;
}

const bounds: { readonly [K in keyof AgentLimits]-?: Bound } = {
  steps: { least: 1, otherwise: 200 },
  toolCalls: { least: 1, otherwise: 8 },
  inboxEntries: { least: 0, otherwise: 1_000 },
  inboxBytes: { least: 0, otherwise: 8 * 2 ** 20 },
  modelCalls: { least: 1, otherwise: Infinity },
  graceMs: { least: 0, otherwise: 10_000 },
  modelAttempts: { least: 1, otherwise: 5 },
  modelDelayMs: { least: 0, otherwise: 600_000 },
  modelIdleMs: { least: 1, otherwise: 600_000 },
};

/** Each bound, or its default. Throws `INVALID_OPTION`: one that is no number would never hold, or hold everything. */
export function limitsOf(given: AgentLimits | undefined): Required<AgentLimits> {
  const entries = Object.entries(bounds).map(([name, { least, otherwise }]) => {
    const value: unknown = given?.[name as keyof AgentLimits];
    if (value === undefined) return [name, otherwise] as const;
    if (typeof value !== 'number' || !(value >= least))
      throw refused('registry not created', `limits.${name}`, value, `a number from ${least} up`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as unknown as Required<AgentLimits>;
}

/** Throws `INVALID_OPTION`. */
export function checkOptions({ models, checkpoint }: AgentRegistryOptions): void {
  if (typeof (models as unknown) !== 'function')
    throw refused('registry not created', 'models', models, 'a function');
  if (!isOneOf(checkpoint, ['turn', 'step']))
    throw refused('registry not created', 'checkpoint', checkpoint, 'turn or step');
}

/** Throws `INVALID_OPTION`. */
export function checkSpec({ inbox }: AgentCreateSpec): void {
  if (!isOneOf(inbox, ['process', 'durable']))
    throw refused('agent not created', 'inbox', inbox, 'process or durable');
}

function isOneOf(value: unknown, names: readonly unknown[]): boolean {
  return value === undefined || names.includes(value);
}

function refused(what: string, name: string, value: unknown, wanted: string): Error {
  const shown = typeof value === 'object' && value !== null ? 'an object' : String(value);
  return agentError('INVALID_OPTION', `${what}: ${name} is ${shown}, and not ${wanted}`);
}
