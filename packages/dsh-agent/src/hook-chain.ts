/**
 * The hooks of the registry and of one agent as one: the registry's come first.
 * I1. A hook that throws parks the inbox and fails with `HOOK_FAILED` (A19).
 * I2. A hook that does not heed the signal is left behind when the turn is aborted.
 */
import type { ToolCallBlock } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import type { InboxEntry } from './agent.ts';
import type { AgentCore } from './core.ts';
import { agentError } from './errors.ts';
import type { AgentHooks, StepDecision } from './hooks.ts';
import type { ModelRequest } from './model.ts';
import { messageOf, textMember } from './thrown.ts';
import type { ToolOutput } from './tool.ts';

export interface HookChain {
  /** Some hook wants to see the batch of a step. */
  readonly looksAtSteps: boolean;
  beforeStep(entries: readonly InboxEntry[], signal: AbortSignal): Promise<StepDecision>;
  /** The code of a refusal. */
  beforeRequest(request: ModelRequest, signal: AbortSignal): Promise<string | undefined>;
  beforeToolCall(call: ToolCallBlock, signal: AbortSignal): Promise<ToolOutput | undefined>;
  afterToolCall(call: ToolCallBlock, output: ToolOutput, signal: AbortSignal): Promise<ToolOutput>;
  /** Everyone who is asked must agree; nobody to ask is a no. */
  requestApproval(call: ToolCallBlock, signal: AbortSignal): Promise<boolean>;
}

export function createHookChain(hooks: readonly (AgentHooks | undefined)[], core: AgentCore): HookChain {
  const all = hooks.filter((each) => each !== undefined);
  const run = <T>(
    name: keyof AgentHooks,
    signal: AbortSignal,
    call: () => T | Promise<T>,
  ): Promise<T | undefined> => guarded(core, name, signal, call);

  return {
    looksAtSteps: all.some((each) => each.beforeStep !== undefined),
    beforeStep: (proposed, signal) => beforeStep(all, core, proposed, signal),
    async beforeRequest(request, signal) {
      for (const each of all) {
        if (each.beforeRequest === undefined) continue;
        const { agent } = core;
        const answer = await run('beforeRequest', signal, () =>
          each.beforeRequest?.({ agent, request, signal }),
        );
        if (answer !== undefined) return answer.refuse;
      }
      return undefined;
    },
    async beforeToolCall(call, signal) {
      for (const each of all) {
        if (each.beforeToolCall === undefined) continue;
        const { agent } = core;
        const output = await run('beforeToolCall', signal, () =>
          each.beforeToolCall?.({ agent, call, signal }),
        );
        if (output !== undefined) return output;
      }
      return undefined;
    },
    async afterToolCall(call, first, signal) {
      let output = first;
      for (const each of all) {
        if (each.afterToolCall === undefined) continue;
        const { agent } = core;
        const current = output;
        const other = await run('afterToolCall', signal, () =>
          each.afterToolCall?.({ agent, call, output: current }),
        );
        output = other ?? output;
      }
      return output;
    },
    async requestApproval(call, signal) {
      const asked = all.filter((each) => each.requestApproval !== undefined);
      for (const each of asked) {
        const { agent } = core;
        const allowed = await run('requestApproval', signal, () =>
          each.requestApproval?.({ agent, call, signal }),
        );
        if (allowed !== true) return false;
      }
      return asked.length > 0;
    },
  };
}

/** Each hook sees what the one before it left; the first that says no has the last word. */
async function beforeStep(
  all: readonly AgentHooks[],
  core: AgentCore,
  proposed: readonly InboxEntry[],
  signal: AbortSignal,
): Promise<StepDecision> {
  let entries = proposed;
  for (const each of all) {
    if (each.beforeStep === undefined) continue;
    const event = { agent: core.agent, entries, signal };
    const decision = await guarded(core, 'beforeStep', signal, async () =>
      checkedDecision(await each.beforeStep?.(event)),
    );
    if (decision !== undefined && decision.kind !== 'claim') return decision;
    entries = decision?.entries ?? entries;
  }
  return { kind: 'claim', entries };
}

/** Of a program without types. */
function checkedDecision(decision: StepDecision | undefined): StepDecision | undefined {
  const kind: unknown = textMember(decision, 'kind');
  if ((decision ?? undefined) === undefined || kind === 'claim' || kind === 'defer' || kind === 'refuse')
    return decision;
  throw new Error('it decided nothing that is known');
}

/** What the hook says, or nothing: `null` says nothing too. */
async function guarded<T>(
  core: AgentCore,
  name: keyof AgentHooks,
  signal: AbortSignal,
  call: () => T | Promise<T>,
): Promise<T | undefined> {
  signal.throwIfAborted();
  try {
    // The call itself may throw before there is a promise.
    return (await untilAborted((async () => call())(), signal)) ?? undefined;
  } catch (cause) {
    signal.throwIfAborted();
    core.inbox.state.park({ code: 'HOOK_FAILED' });
    throw agentError('HOOK_FAILED', `hook ${name} failed: ${messageOf(cause)}`, { cause });
  }
}
