/** The tool `interrupt_agent`: ends the present turn of an agent below the caller (T8). It holds no state. */
import {
  fromJsonSchema,
  type SessionId,
  type ToolContext,
  type ToolDefinition,
  type ToolOutput,
} from '@deepseek-ai/dsh-agent';
import type { SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { refusedResult } from './refused-result.ts';
import { checkRuntime } from './runtime-check.ts';
import { descriptionOfInterruptId, interruptDescription, interrupted } from './wording.ts';

export interface InterruptAgentInput {
  /** A child, or one below it. */
  readonly agent_id: string;
}

type InterruptingRuntime = Pick<SubagentRuntime, 'protocol' | 'interrupt'>;

/** Makes `interrupt_agent`. What waits for the agent is kept, and so is what is below it. Throws `INCOMPATIBLE`. */
export function interruptAgentTool(
  runtime: Pick<SubagentRuntime, 'protocol' | 'interrupt'>,
): ToolDefinition<InterruptAgentInput> {
  const name = 'interrupt_agent';
  checkRuntime(runtime, name);
  return {
    name,
    description: interruptDescription,
    inputSchema: fromJsonSchema<InterruptAgentInput>({
      type: 'object',
      properties: { agent_id: { type: 'string', description: descriptionOfInterruptId } },
      required: ['agent_id'],
      additionalProperties: false,
    }),
    execute: (input, context) => interrupt(runtime, input, context),
  };
}

async function interrupt(
  runtime: InterruptingRuntime,
  { agent_id: target }: InterruptAgentInput,
  { agent, signal }: ToolContext,
): Promise<ToolOutput> {
  try {
    // What is no session id names nobody: the runtime has one answer for all of those.
    const { turn, kept, descendantsRunning } = await runtime.interrupt(target as SessionId, agent, {
      signal,
    });
    const facts = { turn: turn !== undefined, kept: kept.length, descendants: descendantsRunning };
    return {
      content: interrupted(target, facts),
      structured: { interrupted: facts.turn, kept: [...kept], descendantsRunning },
    };
  } catch (error) {
    return refusedResult(error, { what: 'Nothing was interrupted', target, agent });
  }
}
