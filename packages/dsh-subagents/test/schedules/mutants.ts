/** Bugs to plant one by one, each with the promise that it breaks: the schedules have to find them all. */
import type { Mutant } from '@dsh-internal/schedule-testing';
import { ofClosing, ofDrains, ofSettling } from './mutants-of-ends.ts';
import { ofAgents } from './mutants-of-layers.ts';
import { ofWide } from './mutants-of-limits.ts';
import { ofRules } from './mutants-of-rules.ts';
import { ofAdmission, ofStarts } from './mutants-of-starts.ts';

export const mutants: readonly Mutant[] = [
  ...ofAdmission,
  ...ofStarts,
  ...ofSettling,
  ...ofClosing,
  ...ofDrains,
  ...ofAgents,
  ...ofWide,
  ...ofRules,
];
