/**
 * Carries out one call of the delegation tool.
 * Owns: a one-shot run from its start to its disposal.  Does not own: continuable children, which are the runtime's.
 * I1. The child's id is kept by `progress` before anything else is awaited.
 * I2. Whoever gets a run disposes it, whatever became of its result.
 * I3. The call's signal ends a run that is waited for, and never one that goes on in the background.
 */
import type { ToolContext, ToolOutput } from '@deepseek-ai/dsh-agent';
import {
  SubagentError,
  type OneShotRequest,
  type SubagentRun,
  type SubagentRuntime,
} from '@deepseek-ai/dsh-subagents';
import { announceEnd } from './announce-end.ts';
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
    context.progress({ subagentId: childId });
    return { content: started(childId), structured: { kind: 'continuable', subagentId: childId } };
  } catch (error) {
    // The agent of a one-shot run may not have continuable children (M49).
    if (SubagentError.is(error) && error.code === 'UNSUPPORTED_CAPABILITY') return waitForOneShot(delegation);
    throw error;
  }
}

async function waitForOneShot(delegation: Delegation): Promise<ToolOutput> {
  const { context } = delegation;
  const run = await startOneShot(delegation, context.signal);
  try {
    context.progress({ subagentId: run.id });
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
    await run.dispose();
  }
}

async function startInBackground(delegation: Delegation): Promise<ToolOutput> {
  const { context, input } = delegation;
  const run = await startOneShot(delegation, undefined);
  try {
    context.progress({ subagentId: run.id });
  } finally {
    announceEnd(run, { parent: context.agent, label: input.description });
  }
  return { content: started(run.id), structured: { kind: 'one-shot', subagentId: run.id } };
}

function startOneShot(delegation: Delegation, signal: AbortSignal | undefined): Promise<SubagentRun> {
  const { runtime, options, input, context } = delegation;
  const request: OneShotRequest = {
    label: input.description,
    prompt: input.prompt,
    parent: context.agent,
    ...narrowing(options),
    ...(signal === undefined ? {} : { signal }),
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
