/** Bugs to plant one by one, each with the promise that it breaks: the schedules have to find them all. */
import type { Mutant } from '@dsh-internal/schedule-testing';
import { ofInboxes } from './mutants-of-inboxes.ts';
import { ofTurns } from './mutants-of-turns.ts';

export const mutants: readonly Mutant[] = [...ofInboxes, ...ofTurns];
