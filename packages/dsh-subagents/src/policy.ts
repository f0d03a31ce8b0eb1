/** The host's policy: its options, checked, with defaults for what it leaves open. */
import { defaultMaxDepth } from './admission/rights.ts';
import { subagentError } from './errors.ts';
import type { SubagentsOptions } from './options.ts';

export interface Policy {
  readonly inbox: 'process' | 'durable';
  readonly maxDepth: number;
  readonly maxHops: number;
  readonly noticeCharacters: number;
  readonly disposalMs: number;
  readonly flushMs: number;
  readonly keepWarmMs: number;
  readonly overrideModel: SubagentsOptions['overrideModel'];
}

/** Throws `INVALID_REQUEST`, naming the option. */
export function policyOf(options: SubagentsOptions): Policy {
  const { inbox = 'process', limits, notice, timeouts, keepWarmMs, overrideModel } = options;
  if (overrideModel !== undefined && typeof overrideModel !== 'function')
    throw refused('overrideModel', overrideModel, 'a function');
  if (!['process', 'durable'].includes(inbox)) throw refused('inbox', inbox, 'process or durable');
  for (const name of ['maxLive', 'maxTotal', 'budgetTokens'] as const)
    count(`limits.${name}`, limits?.[name], Infinity);
  return {
    inbox,
    maxDepth: count('limits.maxDepth', limits?.maxDepth, defaultMaxDepth),
    maxHops: count('limits.maxHops', limits?.maxHops, 1_000),
    noticeCharacters: count('notice.maxCharacters', notice?.maxCharacters, 16_000),
    disposalMs: time('timeouts.disposalMs', timeouts?.disposalMs, 30_000),
    flushMs: time('timeouts.flushMs', timeouts?.flushMs, 10_000),
    keepWarmMs: time('keepWarmMs', keepWarmMs, 0),
    overrideModel,
  };
}

function count(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !(value >= 0)) throw refused(name, value, 'a number from 0 up');
  return value;
}

/** More than a clock can keep would be over at once. */
const longestMs = 2 ** 31 - 1;

function time(name: string, value: number | undefined, otherwise: number): number {
  const ms = count(name, value, otherwise);
  if (ms > longestMs) throw refused(name, value, `a time of at most ${longestMs} ms`);
  return ms;
}

function refused(name: string, value: unknown, wanted: string): Error {
  return subagentError(
    'INVALID_REQUEST',
    `No subagent runtime was made: ${name} is ${String(value)}, and not ${wanted}.`,
  );
}
