/** [pure] What a caller may set, checked before anything is made. */
import type { Pending } from './agent.ts';
import { agentError } from './errors.ts';
import type {
  AgentCreateSpec,
  AgentLimits,
  AgentRegistryOptions,
  AgentResumeSpec,
  AgentSpec,
} from './registry.ts';
import type { ToolFilter } from './tool.ts';

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
export function checkOptions({ models, checkpoint, defaults = {} }: AgentRegistryOptions): void {
  if (typeof (models as unknown) !== 'function')
    throw refused('registry not created', 'models', models, 'a function');
  if (!isOneOf(checkpoint, ['turn', 'step']))
    throw refused('registry not created', 'checkpoint', checkpoint, 'turn or step');
  checkObject('registry not created', 'defaults', defaults);
  checkTexts('registry not created', { ...defaults }, ['model', 'effort', 'system']);
}

/** Throws `INVALID_OPTION`. */
export function checkCreateSpec(spec: AgentCreateSpec): void {
  const what = 'agent not created';
  checkSpec(what, spec);
  if (!isOneOf(spec.inbox, ['process', 'durable']))
    throw refused(what, 'inbox', spec.inbox, 'process or durable');
}

/** Throws `INVALID_OPTION`. */
export function checkResumeSpec(spec: AgentResumeSpec): void {
  const what = 'agent not resumed';
  checkSpec(what, spec);
  if (typeof (spec.id as unknown) !== 'string') throw refused(what, 'id', spec.id, 'a text');
}

function checkSpec(what: string, spec: AgentSpec): void {
  checkObject(what, 'the spec', spec);
  const { system, ...rest } = spec;
  checkTexts(what, typeof system === 'function' ? rest : { ...rest, system }, textsOfSpec);
  for (const name of ['setup', 'admit'] as const)
    if (spec[name] !== undefined) checkFunction(what, name, spec[name]);
  if (!isOneOf(spec.start, ['auto', 'held'])) throw refused(what, 'start', spec.start, 'auto or held');
  if (spec.toolFilter !== undefined) checkFilter(what, spec.toolFilter);
}

const textsOfSpec = ['model', 'effort', 'system', 'persona'];

/** Throws `INVALID_OPTION`: `what` says what did not happen. */
export function checkFilter(what: string, filter: ToolFilter): void {
  checkObject(what, 'the tool filter', filter);
  for (const name of ['allow', 'deny'] as const) {
    const names: unknown = filter[name];
    if (names === undefined) continue;
    if (!Array.isArray(names) || names.some((one) => typeof one !== 'string'))
      throw refused(what, name, names, 'a list of names');
  }
}

/** Throws `INVALID_OPTION`: `what` says what did not happen. */
export function checkObject(what: string, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw refused(what, name, value, 'an object');
}

/** Throws `INVALID_OPTION`: `what` says what did not happen. */
export function checkFunction(what: string, name: string, value: unknown): void {
  if (typeof value !== 'function') throw refused(what, name, value, 'a function');
}

/** Throws `INVALID_OPTION`. */
export function checkPending(pending: Pending | undefined): void {
  if (!isOneOf(pending, ['discard', 'keep']))
    throw refused('agent not disposed', 'pending', pending, 'discard or keep');
}

function checkTexts(what: string, options: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(options))
    if (names.includes(name) && value !== undefined && typeof value !== 'string')
      throw refused(what, name, value, 'a text');
}

function isOneOf(value: unknown, names: readonly unknown[]): boolean {
  return value === undefined || names.includes(value);
}

function refused(what: string, name: string, value: unknown, wanted: string): Error {
  const shown = typeof value === 'object' && value !== null ? 'an object' : String(value);
  return agentError('INVALID_OPTION', `${what}: ${name} is ${shown}, and not ${wanted}`);
}
