/**
 * Carries out one call of the delegation tool.
 * Owns: a one-shot run that it waits for.  Does not own: continuable children and runs in the background, which are the
 * runtime's.
 * I1. The child's id is kept by `progress` before anything else is awaited.
 * I2. Once a child has begun the answer says so: nothing that fails afterwards makes it "not started".
 * I3. A run that is waited for is disposed, whatever became of its result.
 * I4. The call's signal ends a run that is waited for, and never one that goes on in the background.
 */
import type { ToolContext, ToolOutput } from '@deepseek-ai/dsh-agent';
import {
  SubagentError,
  type OneShotRequest,
  type SubagentRun,
  type SubagentRuntime,
} from '@deepseek-ai/dsh-subagents';
import type { DelegationInput, SubagentToolOptions } from './subagent-tool.ts';
import {
  blankLabel,
  blankPrompt,
  emptyResult,
  endedEarly,
  notStarted,
  runFailed,
  startCancelled,
  started,
  startFailed,
} from './wording.ts';

export type DelegationRuntime = Pick<SubagentRuntime, 'startContinuable' | 'start'>;

export interface Delegation {
  readonly runtime: DelegationRuntime;
  readonly options: SubagentToolOptions;
  readonly input: DelegationInput;
  readonly context: ToolContext;
}

export async function delegate(delegation: Delegation): Promise<ToolOutput> {
  const { input, options, context } = delegation;
  if (input.description.trim() === '') return failed(blankLabel);
  if (input.prompt.trim() === '') return failed(blankPrompt);
  const continuable = options.backgroundMode === 'continuable';
  const background = input.run_in_background ?? continuable;
  try {
    if (!background) return await waitForOneShot(delegation);
    return continuable ? await startContinuable(delegation) : await startInBackground(delegation);
  } catch (error) {
    if (SubagentError.is(error)) return failed(notStarted(error.code, error.message));
    return failed(context.signal.aborted ? startCancelled : startFailed);
  }
}

async function startContinuable(delegation: Delegation): Promise<ToolOutput> {
  const { runtime, options, input, context } = delegation;
  const { description: label, prompt } = input;
  try {
    const request = { prompt, parent: context.agent, ...narrowing(options) };
    const { provider } = options;
    const { childId } = await runtime.startContinuable({ provider, label, request, signal: context.signal });
    keepId(context, childId);
    return { content: started(childId), structured: { kind: 'continuable', subagentId: childId } };
  } catch (error) {
    // The agent of a one-shot run may not have continuable children (M49).
    if (SubagentError.is(error) && error.code === 'UNSUPPORTED_CAPABILITY') return waitForOneShot(delegation);
    throw error;
  }
}

async function waitForOneShot(delegation: Delegation): Promise<ToolOutput> {
  const { context } = delegation;
  const run = await startOneShot(delegation, { signal: context.signal });
  try {
    keepId(context, run.id);
    const { stopReason, output, structured } = await run.result;
    const about = { kind: 'one-shot', subagentId: run.id, stopReason };
    if (stopReason !== 'completed')
      return { ...failed(endedEarly(run.id, stopReason, output)), structured: about };
    return {
      content: output.trim() === '' ? emptyResult : output,
      structured: structured === undefined ? about : { ...about, structured },
    };
  } catch {
    return failed(runFailed(run.id));
  } finally {
    // What could not be ended changes nothing about the result.
    await run.dispose().catch(() => undefined);
  }
}

async function startInBackground(delegation: Delegation): Promise<ToolOutput> {
  const { id } = await startOneShot(delegation, { announce: true });
  keepId(delegation.context, id);
  return { content: started(id), structured: { kind: 'one-shot', subagentId: id } };
}

/** A log that takes no more loses the id there, and the child goes on (S17). */
function keepId(context: ToolContext, subagentId: string): void {
  try {
    context.progress({ subagentId });
  } catch {
    // The answer names it as well.
  }
}

function startOneShot(
  delegation: Delegation,
  ending: Pick<OneShotRequest, 'signal' | 'announce'>,
): Promise<SubagentRun> {
  const { runtime, options, input, context } = delegation;
  const request: OneShotRequest = {
    label: input.description,
    prompt: input.prompt,
    parent: context.agent,
    ...narrowing(options),
    ...ending,
  };
  return runtime.start(options.provider, request);
}

function narrowing({ model, maxDepth, toolFilter, persona }: SubagentToolOptions) {
  return {
    ...(model === undefined ? {} : { model }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
    ...(toolFilter === undefined ? {} : { toolFilter }),
    ...(persona === undefined ? {} : { persona }),
  };
}

function failed(content: string): { readonly content: string; readonly isError: true } {
  return { content, isError: true };
}
