/**
 * One tool call, from its name to its result (A14, A21).
 * I1. It resolves whatever the tool does, and at the latest `graceMs` after an abort.
 * I2. What a tool says after that is dropped and reported.
 * It rejects only before the body ran: a hook failed, the turn was aborted, or the log took no more.
 */
import type { JsonValue, ToolCallBlock } from '@deepseek-ai/dsh-session';
import { deferred, untilAborted } from '@dsh-internal/async';
import { isAborted, type AgentCore, type CurrentTurn } from './core.ts';
import { messageOf } from './thrown.ts';
import type { ToolContext, ToolDefinition, ToolOutput } from './tool.ts';
import { readOutput, textResult, type CallResult } from './tool-output.ts';
import {
  invalidArguments,
  invalidOutput,
  invalidReplacement,
  malformedArguments,
  notApproved,
  notStarted,
  outcomeUnknown,
  toolFailed,
  unknownTool,
} from './wording.ts';

export function findTool(core: AgentCore, call: ToolCallBlock): ToolDefinition | undefined {
  return core.services.tools.resolve(call.name, core.agent);
}

export async function runToolCall(
  core: AgentCore,
  turn: CurrentTurn,
  call: ToolCallBlock,
  tool: ToolDefinition | undefined,
  onHookFailure: (error: unknown) => void,
): Promise<CallResult> {
  if (tool === undefined) {
    const known = core.services.tools.schemas(core.agent).map(({ name }) => name);
    return textResult('error', unknownTool(call.name, known));
  }
  const replaced = await core.hooks.beforeToolCall(call, turn.signal);
  if (replaced !== undefined) return readOutput(replaced, (why) => invalidReplacement(call.name, why));
  if (call.malformed === true) return textResult('error', malformedArguments(call.name));
  const parsed = parseInput(tool, call.input);
  if ('issues' in parsed) return textResult('error', invalidArguments(call.name, parsed.issues));
  if (tool.approval === true && !(await core.hooks.requestApproval(call, turn.signal))) {
    return textResult('error', notApproved(call.name));
  }
  if (core.services.checkpoint === 'step') {
    await untilAborted(core.services.sessions.flush(core.session), turn.signal);
  }
  turn.signal.throwIfAborted();
  core.session.append('tool/start', { callId: call.callId, name: call.name });
  core.emit('agent/tool/start', { call });
  // Who hears of it may have cancelled: then the body has not begun.
  if (isAborted(turn.signal)) return textResult('not-started', notStarted);
  const ended = await execute(core, turn, call, (context) => tool.execute(parsed.value, context));
  if (ended === undefined) return textResult('unknown', outcomeUnknown);
  const output = await lookedAt(core, turn, call, ended.output, onHookFailure);
  return readOutput(output, (why) => invalidOutput(call.name, why));
}

/** What `afterToolCall` makes of it. The tool has run: whatever befalls the hook, its output is the result. */
async function lookedAt(
  core: AgentCore,
  turn: CurrentTurn,
  call: ToolCallBlock,
  output: ToolOutput,
  onFailure: (error: unknown) => void,
): Promise<ToolOutput> {
  const { signal } = turn;
  if (signal.aborted) return output;
  try {
    return await core.hooks.afterToolCall(call, output, signal);
  } catch (error) {
    if (!isAborted(signal)) onFailure(error);
    return output;
  }
}

function parseInput(
  tool: ToolDefinition,
  input: JsonValue,
): ReturnType<ToolDefinition['inputSchema']['parse']> {
  try {
    return tool.inputSchema.parse(input);
  } catch (error) {
    return { issues: [{ message: messageOf(error) }] };
  }
}

/** A tool may give anything, also nothing. */
interface Ended {
  readonly output: ToolOutput;
}

/** What the tool gave, its failure as an output, or nothing where the grace time ran out. */
function execute(
  core: AgentCore,
  turn: CurrentTurn,
  call: ToolCallBlock,
  body: (context: ToolContext) => ToolOutput | Promise<ToolOutput>,
): Promise<Ended | undefined> {
  const { clock, limits } = core.services;
  const { promise, resolve } = deferred<Ended | undefined>();
  let over = false;
  let timer: Disposable | undefined;
  const late = (what: string): void => {
    core.report(
      'late-tool',
      'warning',
      `tool ${call.name} (${call.callId}) ${what} after its call was over; dropped`,
    );
  };
  const finish = (ended: Ended | undefined): void => {
    if (over) {
      late('ended');
      return;
    }
    over = true;
    turn.signal.removeEventListener('abort', onAbort);
    timer?.[Symbol.dispose]();
    resolve(ended);
  };
  const onAbort = (): void => {
    timer = clock.timer(limits.graceMs, () => {
      finish(undefined);
    });
  };
  const context: ToolContext = {
    agent: core.agent,
    callId: call.callId,
    signal: turn.signal,
    progress(data) {
      if (over) late('reported progress');
      else core.session.append('tool/progress', { callId: call.callId, data });
    },
  };
  if (turn.signal.aborted) onAbort();
  else turn.signal.addEventListener('abort', onAbort, { once: true });
  (async () => body(context))().then(
    (output) => {
      finish({ output });
    },
    (error: unknown) => {
      finish({ output: { content: toolFailed(call.name, messageOf(error)), isError: true } });
    },
  );
  return promise;
}
