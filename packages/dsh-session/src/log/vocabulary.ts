/** [pure] Which event types a program knows (S8). */
import type { CoreEventMap } from '../event.ts';

/** The types of this package. */
const core: Readonly<Record<keyof CoreEventMap, true>> = {
  'turn/start': true,
  'turn/end': true,
  'user/message': true,
  'assistant/message': true,
  'tool/start': true,
  'tool/progress': true,
  'tool/result': true,
  'request/header': true,
  'history/replaced': true,
  'session/recovered': true,
  'session/taken-over': true,
  'session/lost': true,
};

/** Of these, a reader that knows only an older core must not resume the Session (S29). */
const alwaysEssential: ReadonlySet<string> = new Set<keyof CoreEventMap>(['history/replaced']);

export interface KnownTypes {
  has(type: string): boolean;
  learn(types: Iterable<string>): void;
}

export function createKnownTypes(types: Iterable<string> = []): KnownTypes {
  const known = new Set([...Object.keys(core), ...types]);
  return {
    has: (type) => known.has(type),
    learn(more) {
      for (const type of more) known.add(type);
    },
  };
}

export const isAlwaysEssential = (type: string): boolean => alwaysEssential.has(type);
