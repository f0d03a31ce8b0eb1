/**
 * [pure] What a child may do: never more than its parent (M11).
 */
import type { ToolFilter } from '@deepseek-ai/dsh-agent';

/** Levels below a top-level agent, where the host names no limit (M46). */
export const defaultMaxDepth = 3;

/** What both filters let through; nothing where neither hides anything. */
export function intersectFilters(parent?: ToolFilter, requested?: ToolFilter): ToolFilter | undefined {
  const allow = both(parent?.allow, requested?.allow);
  const deny = [...new Set([...(parent?.deny ?? []), ...(requested?.deny ?? [])])];
  if (allow === undefined && deny.length === 0) return undefined;
  return { ...(allow === undefined ? {} : { allow }), ...(deny.length === 0 ? {} : { deny }) };
}

function both(
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] | undefined {
  if (first === undefined || second === undefined) {
    const given = first ?? second;
    return given === undefined ? undefined : [...new Set(given)];
  }
  const wanted = new Set(second);
  return [...new Set(first)].filter((name) => wanted.has(name));
}

/** The narrowest of the limits that are given; `Infinity` where none is. What is no number allows nothing. */
export function effectiveDepthLimit(...limits: readonly (number | undefined)[]): number {
  const given = limits.filter((limit) => limit !== undefined);
  return Math.min(...given.map((limit) => (Number.isNaN(limit) ? 0 : limit)));
}
