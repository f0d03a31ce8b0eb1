/**
 * A tool whose body begins and ends at steps of a scheduler.
 * I1. The body takes effect at its first step; its answer, also a failure, is seen at its second.
 */
import type { ToolDefinition } from '../tool.ts';
import { answerLater } from './scheduled-answer.ts';
import type { SeededScheduler } from './seeded-scheduler.ts';

/** The same tool; `scheduler` decides when its body runs and when its answer is seen. */
export function scheduledTool<I>(tool: ToolDefinition<I>, scheduler: SeededScheduler): ToolDefinition<I> {
  return {
    ...tool,
    execute: (input, context) =>
      answerLater(scheduler, `${tool.name} ${context.callId}`, async () => tool.execute(input, context)),
  };
}
