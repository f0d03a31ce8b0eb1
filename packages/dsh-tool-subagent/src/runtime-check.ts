/** What every tool of this package asks of the runtime that it is given, once. */
import { subagentError, type SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { protocolProblem } from '@dsh-internal/contract';

/** Throws `INCOMPATIBLE`, naming both versions. */
export function checkRuntime(runtime: Pick<SubagentRuntime, 'protocol'>, toolName: string): void {
  const problem = protocolProblem(runtime, { name: 'dsh-subagents/runtime', version: 1 });
  if (problem !== undefined)
    throw subagentError('INCOMPATIBLE', `the tool ${toolName} was not made: ${problem}`);
}
