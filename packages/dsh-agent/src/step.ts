/**
 * One step: claim, one model request, the tool calls that it asks for (A12).
 * I1. A claim is made before the request and never between a call and its result (A6).
 * I2. Every call that the log holds gets a result, also of an answer that was cut short.
 * I3. What a durable inbox gave is durable before a model is shown it (A31).
 */
import type { AssistantMessage } from '@deepseek-ai/dsh-session';
import { untilAborted } from '@dsh-internal/async';
import { callsOf } from './answer.ts';
import { askModel } from './ask-model.ts';
import { claimStep } from './claim-step.ts';
import type { AgentCore, CurrentTurn } from './core.ts';
import { agentError } from './errors.ts';
import { messageOf } from './thrown.ts';
import { createResultLog, runToolCalls } from './tool-calls.ts';
import { textResult } from './tool-output.ts';
import { runsCalls, type StepResult, type TurnPlan } from './turn-plan.ts';
import { incompleteAnswer } from './wording.ts';

export type StepPurpose = 'claim' | Extract<TurnPlan, { readonly kind: 'step' }>['onlyFor'];

/** Rejects with the signal's reason where the turn is aborted, and with what ends the turn in an error. */
export async function runStep(
  core: AgentCore,
  turn: CurrentTurn,
  step: number,
  purpose: StepPurpose,
): Promise<StepResult> {
  await makeRoom(core, turn);
  const claim = await claimStep(core, turn, step);
  turn.signal.throwIfAborted();
  if (claim.kind === 'refused') return { kind: 'ended', reason: { kind: 'refused' } };
  const count = claim.kind === 'claimed' ? claim.count : 0;
  if (count === 0 && purpose === 'claim') return nothingClaimed(step, claim.kind === 'deferred');
  if (count > 0 && core.inbox.view.durable) await keepClaim(core, turn);

  const request = core.headers.prepare(core.services.tools.schemas(core.agent));
  const refusal = await core.hooks.beforeRequest(request, turn.signal);
  if (refusal !== undefined) return { kind: 'ended', reason: refusedRequest(refusal) };
  if (core.services.checkpoint === 'step') {
    await untilAborted(core.services.sessions.flush(core.session), turn.signal);
  }
  turn.signal.throwIfAborted();
  const answer = await askModel(core, turn, step, request);
  if (answer.message !== undefined) core.session.append('assistant/message', answer.message);
  if (answer.kind === 'cut') throw answer.error;
  return finishStep(core, turn, answer.message);
}

async function finishStep(
  core: AgentCore,
  turn: CurrentTurn,
  message: AssistantMessage,
): Promise<StepResult> {
  const calls = callsOf(message);
  if (runsCalls(message.finish)) {
    await runToolCalls(core, turn, calls);
  } else {
    const results = createResultLog(core, calls);
    for (const index of calls.keys()) results.set(index, textResult('not-started', incompleteAnswer));
    results.throwFailure();
  }
  return { kind: 'answered', finish: message.finish, calls: calls.length };
}

/** I3. Where the medium takes nothing, the rest waits with the mark of a failed claim and is not used up (A11). */
async function keepClaim(core: AgentCore, turn: CurrentTurn): Promise<void> {
  try {
    await untilAborted(core.services.sessions.flush(core.session), turn.signal);
  } catch (cause) {
    turn.signal.throwIfAborted();
    core.inbox.state.park({ code: 'CLAIM_FAILED' });
    throw agentError('CLAIM_FAILED', `nothing asked: the claim is not durable: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** S13: a writer that can wait does, before it makes more. */
async function makeRoom(core: AgentCore, turn: CurrentTurn): Promise<void> {
  while (core.session.pressure) {
    await untilAborted(core.services.sessions.flush(core.session), turn.signal);
  }
}

function nothingClaimed(step: number, deferred: boolean): StepResult {
  if (step > 0 || !deferred) return { kind: 'nothing' };
  return { kind: 'ended', reason: { kind: 'aborted', cause: { code: 'DEFERRED' } } };
}

function refusedRequest(code: string) {
  if (code === 'BUDGET') return { kind: 'budget' } as const;
  return { kind: 'error', code, message: 'nothing asked: a hook refused the request' } as const;
}
