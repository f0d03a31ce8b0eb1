/** Which process holds something, and whether it can be shown dead. Bundled into each driver, published with none. */
export { shownDead } from './death.ts';
export type { ProcessIdentity, ProcessState, ProcessView } from './process-view.ts';
export { systemProcesses } from './system-processes.ts';
