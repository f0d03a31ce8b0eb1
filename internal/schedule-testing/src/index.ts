/** What the tests of schedules share. Published with none. */
export { chooseKind, playChains } from './chains.ts';
export type { Mutant } from './mutant.ts';
export { probe } from './probe.ts';
export { checkSeeds } from './report.ts';
export type { Invariant, Schedule, ScheduleResult, Schedules } from './schedule.ts';
export { heavySeeds, lightSeeds } from './seeds.ts';
export { createTrial, runTrial, type Called, type Operation, type Trial } from './trial.ts';
