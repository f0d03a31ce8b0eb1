/** All scenarios, in the order in which they run. */
import type { Scenario } from './figure.ts';
import { accepting } from './scenarios/accept.ts';
import { append } from './scenarios/append.ts';
import { draining } from './scenarios/drain.ts';
import { forking } from './scenarios/fork.ts';
import { heap } from './scenarios/heap.ts';
import { limit } from './scenarios/limit.ts';
import { listing } from './scenarios/list.ts';
import { messaging } from './scenarios/message.ts';
import { opening } from './scenarios/open.ts';
import { starting } from './scenarios/start.ts';
import { stepping } from './scenarios/step.ts';
import { streaming } from './scenarios/stream.ts';

export const scenarios: readonly Scenario[] = [
  ...[limit, append, opening, forking, listing],
  ...[starting, messaging, heap, draining],
  ...[stepping, streaming, accepting],
];
