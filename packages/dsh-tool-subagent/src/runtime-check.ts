/** What every tool of this package asks of the runtime that it is given, once. */
import type { SubagentError, SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { codedError, protocolProblem } from '@dsh-internal/contract';

const kind = codedError('SubagentError', '@deepseek-ai/dsh-subagents/error');

/** An error that `SubagentError.is` knows. */
export function configurationError(code: SubagentError['code'], message: string): SubagentError {
  return kind.create(code, message);
}

/** Throws `INCOMPATIBLE`, naming both versions. */
export function checkRuntime(runtime: Pick<SubagentRuntime, 'protocol'>, toolName: string): void {
  const problem = protocolProblem(runtime, { name: 'dsh-subagents/runtime', version: 1 });
  if (problem !== undefined)
    throw configurationError('INCOMPATIBLE', `the tool ${toolName} was not made: ${problem}`);
}
