/** What the tests of a harness need: scripted models, time and order that a test decides, and an agent by hand. */
export { handDrivenAgent, type HandDrivenAgent, type HandDrivenOptions } from './hand-driven-agent.ts';
export {
  handDrivenAgents,
  type HandDrivenAgents,
  type HandDrivenAgentsOptions,
} from './hand-driven-agents.ts';
export { lifeline, type Lifeline } from './lifeline.ts';
export { drainMicrotasks } from './microtasks.ts';
export { modelConformance, type ModelBehaviours, type ModelConformanceOptions } from './model-conformance.ts';
export type { ScheduleStrategy } from './schedule-picker.ts';
export { checkedModel, requestProblem } from './request-problem.ts';
export { scheduledClock, type ScheduledClockOptions } from './scheduled-clock.ts';
export {
  scheduledDriver,
  type DriverCall,
  type DriverFault,
  type ScheduledDriverOptions,
} from './scheduled-driver.ts';
export { scheduledModel } from './scheduled-model.ts';
export { scheduledTool } from './scheduled-tool.ts';
export {
  scriptedModel,
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts';
export type {
  ScriptedAnswer,
  ScriptedCall,
  ScriptedError,
  ScriptedHold,
  ScriptedTurn,
} from './scripted-turn.ts';
export {
  seededScheduler,
  type PostOptions,
  type ScheduleRunOptions,
  type SeededScheduler,
  type SeededSchedulerOptions,
} from './seeded-scheduler.ts';
export { shrinkChoices, type ShrunkChoices } from './shrink-choices.ts';
export { virtualClock, type VirtualClock } from './virtual-clock.ts';
