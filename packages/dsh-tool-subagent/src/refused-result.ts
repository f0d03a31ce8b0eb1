/** What a tool answers where the runtime refused. */
import type { Agent, ToolOutput } from '@deepseek-ai/dsh-agent';
import { SubagentError } from '@deepseek-ai/dsh-subagents';
import { refused } from './wording.ts';

export interface Refused {
  /** What did not happen, as a sentence without its full stop. */
  readonly what: string;
  readonly target: string;
  readonly agent: Agent;
}

/** Throws what is no refusal. */
export function refusedResult(error: unknown, { what, target, agent }: Refused): ToolOutput {
  if (!SubagentError.is(error)) throw error;
  // The parent can be written to, and neither read nor interrupted.
  const { parentSession } = agent.session.header;
  const below = (error.reachable ?? []).filter((id) => id !== parentSession);
  return { content: refused(what, error.code, target, below), isError: true };
}
