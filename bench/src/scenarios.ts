/** All scenarios, in the order in which they run. */
import type { Scenario } from './figure.ts';
import { append } from './scenarios/append.ts';
import { forking } from './scenarios/fork.ts';
import { limit } from './scenarios/limit.ts';
import { listing } from './scenarios/list.ts';
import { opening } from './scenarios/open.ts';

export const scenarios: readonly Scenario[] = [limit, append, opening, forking, listing];
