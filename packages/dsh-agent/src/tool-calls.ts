/**
 * The tool calls of one answer: which run together, and the order of their results (A14, A21).
 * I1. Every call gets exactly one result, and results are logged in the order of the calls.
 * I2. An exclusive tool runs beside no other.
 * I3. After an abort, or once something failed that ends the turn, no body starts any more.
 */
import type { ToolCallBlock } from '@deepseek-ai/dsh-session';
import type { AgentCore, CurrentTurn } from './core.ts';
import { findTool, runToolCall } from './tool-call.ts';
import { textResult, type CallResult } from './tool-output.ts';
import { notStarted } from './wording.ts';

/** Resolves when all results are logged. Rejects then with the first failure that ends the turn. */
export async function runToolCalls(
  core: AgentCore,
  turn: CurrentTurn,
  calls: readonly ToolCallBlock[],
): Promise<void> {
  const limit = core.services.limits.toolCalls;
  const results = createResultLog(core, calls);
  const running = new Set<Promise<void>>();
  let exclusive = false;

  for (const [index, call] of calls.entries()) {
    const tool = findTool(core, call);
    const alone = tool?.exclusive === true;
    const mustWait = (): boolean => running.size > 0 && (exclusive || alone || running.size >= limit);
    while (mustWait()) await Promise.race(running);
    if (turn.signal.aborted || results.failed) {
      results.set(index, textResult('not-started', notStarted));
      continue;
    }
    exclusive = alone;
    const run = runToolCall(core, turn, call, tool, results.fail)
      .catch((error: unknown) => {
        if (!turn.signal.aborted) results.fail(error);
        return textResult('not-started', notStarted);
      })
      .then((result) => {
        running.delete(run);
        results.set(index, result);
      });
    running.add(run);
  }
  await Promise.all(running);
  results.throwFailure();
}

interface ResultLog {
  readonly failed: boolean;
  set(index: number, result: CallResult): void;
  readonly fail: (error: unknown) => void;
  throwFailure(): void;
}

/** Logs the results that are there, as far as no earlier one is missing. */
export function createResultLog(core: AgentCore, calls: readonly ToolCallBlock[]): ResultLog {
  const results: (CallResult | undefined)[] = calls.map(() => undefined);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;

  const fail = (error: unknown): void => {
    failure ??= { error };
  };
  const log = (call: ToolCallBlock, result: CallResult): void => {
    try {
      core.session.append('tool/result', { role: 'tool', callId: call.callId, name: call.name, ...result });
    } catch (error) {
      fail(error);
      return;
    }
    core.emit('agent/tool/end', { call, outcome: result.outcome });
  };
  return {
    get failed() {
      return failure !== undefined;
    },
    set(index, result) {
      results[index] = result;
      for (;;) {
        const call = calls[next];
        const ready = results[next];
        if (call === undefined || ready === undefined) return;
        next += 1;
        log(call, ready);
      }
    },
    fail,
    throwFailure() {
      if (failure !== undefined) throw failure.error;
    },
  };
}
