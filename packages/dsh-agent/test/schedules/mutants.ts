/** Bugs to plant one by one, each with the promise that it breaks: the schedules have to find them all. */
import { ofInboxes } from './mutants-of-inboxes.ts';
import { ofTurns } from './mutants-of-turns.ts';

/** One bug that is planted on purpose. */
export interface Mutant {
  readonly name: string;
  /** The rules that it breaks. */
  readonly breaks: string;
  /** A file of a package's sources. */
  readonly file: string;
  readonly search: string;
  readonly replace: string;
}

export const mutants: readonly Mutant[] = [...ofInboxes, ...ofTurns];
