/** What a tool answers where the runtime refused. */
import type { ToolOutput } from '@deepseek-ai/dsh-agent';
import { SubagentError } from '@deepseek-ai/dsh-subagents';
import { refused } from './wording.ts';

/** Throws what is no refusal. `failed` says what did not happen. */
export function refusedResult(error: unknown, failed: string, target: string): ToolOutput {
  if (!SubagentError.is(error)) throw error;
  return { content: refused(failed, error.code, target, error.reachable ?? []), isError: true };
}
