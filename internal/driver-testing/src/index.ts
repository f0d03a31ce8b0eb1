/** What the tests of store drivers share. Published with none. */
export {
  expectPrivate,
  playBetweenProcesses,
  processScenarios,
  type SharedStore,
} from './between-processes.ts';
export { expectPrefix, killedWriter } from './crash.ts';
export {
  append,
  codeOf,
  entries,
  event,
  events,
  headerText,
  id,
  kiwi,
  outline,
  plum,
  records,
  stored,
  write,
} from './events.ts';
export { startWriter, type WriterProcess, type WriterSettings } from './processes.ts';
export { seeded } from './seeded.ts';
export { runWriter } from './writer-program.ts';
export { fullDiskScenarios, type FullDisk } from './full-disk.ts';
export { canMount, playOnDisk, runOnDisk } from './mounted-disk.ts';
