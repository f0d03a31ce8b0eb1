/** [pure] The outline of leading events, from the last turn before their end (S22, S23). */
import type { LogEvent } from './event-log.ts';
import { extend, startOutline, type Outline } from './outline.ts';

/**
 * The outline of the first `length` events, of which `last` are the last ones; they reach a turn, or are all.
 * `source` is that of at least as many: of the essential types, it says all that is needed.
 */
export function outlineAt(source: Outline, length: number, last: readonly LogEvent[]): Outline {
  const start = last.findLastIndex(({ type }) => type === 'turn/start');
  let outline = startOutline(length);
  for (const event of last.slice(Math.max(0, start))) outline = extend(outline, event, '');
  return { ...outline, length, ownFrom: length, essential: below(source.essential, length) };
}

/** The outline at the end of the last turn: nothing has to be read for it. */
export function outlineAtRest({ rest, essential }: Outline): Outline {
  const { at, turns } = rest;
  return startOutline(at, {
    length: at,
    shape: { turns, calls: new Map() },
    rest,
    essential: below(essential, at),
  });
}

function below(essential: ReadonlyMap<string, number>, length: number): ReadonlyMap<string, number> {
  return new Map([...essential].filter(([, seq]) => seq < length));
}
