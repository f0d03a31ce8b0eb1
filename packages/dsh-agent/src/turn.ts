/**
 * One turn: from `turn/start` to `turn/end`.
 * I1. The look at what waits and the end in the log are one synchronous span (A5).
 * I2. A turn that began in the log ends in it, unless the log takes nothing any more.
 * I3. An aborted turn claims nothing (A22).
 * I4. A turn that fails before it has claimed anything parks the inbox (A11).
 */
import type { TurnEndReason } from '@deepseek-ai/dsh-session';
import type { CancelCause } from './agent.ts';
import type { AgentCore, CurrentTurn } from './core.ts';
import { agentError } from './errors.ts';
import type { LoadResult } from './history-gate.ts';
import { runStep, type StepPurpose } from './step.ts';
import { asError, errorReason, messageOf } from './thrown.ts';
import { planNext, type StepResult } from './turn-plan.ts';

/** Runs the turn that is due, over a log of which `load` says whether it can be used. Never rejects. */
export async function runTurn(core: AgentCore, load: LoadResult): Promise<void> {
  const turn = begin(core);
  if (turn === undefined) return;
  try {
    if (load.kind === 'failed') throw load.error;
    await runSteps(core, turn);
  } catch (error) {
    const reason = reasonOf(core, turn, error);
    // What woke this turn would wake the next one, and that one would fail alike (I4).
    if (reason.kind === 'error' && !turn.claimed) core.inbox.state.park({ code: reason.code });
    end(core, turn, reason);
  }
}

/** Ends the turn itself, in the span of its last look (I1). */
async function runSteps(core: AgentCore, turn: CurrentTurn): Promise<void> {
  let purpose: StepPurpose = 'claim';
  for (let step = 0; ; step += 1) {
    const result: StepResult = await runStep(core, turn, step, purpose);
    const { state } = core.inbox;
    const plan = planNext({
      result,
      aborted: turn.cause,
      steps: step + 1,
      stepLimit: core.services.limits.steps,
      inbox: { parked: state.parked, step: state.count('step'), turn: state.count('turn') },
    });
    if (plan.kind === 'end') {
      end(core, turn, plan.reason);
      return;
    }
    purpose = plan.onlyFor;
  }
}

function begin(core: AgentCore): CurrentTurn | undefined {
  const ordinal = core.session.turns;
  const turn = new Turn(ordinal);
  core.turn = turn;
  try {
    core.session.append('turn/start', { turn: ordinal });
  } catch (error) {
    core.turn = undefined;
    cannotLog(core, error);
    return undefined;
  }
  core.emit('agent/turn/start', { turn: ordinal });
  return turn;
}

function end(core: AgentCore, turn: CurrentTurn, reason: TurnEndReason): void {
  // The turn is over before its last event is seen: what a subscriber accepts then belongs to the next one.
  core.turn = undefined;
  try {
    core.session.append('turn/end', { turn: turn.ordinal, reason });
  } catch (error) {
    cannotLog(core, error);
  }
  (async () => core.services.sessions.flush(core.session))().catch((error: unknown) => {
    core.report(
      'flush-failed',
      'warning',
      `turn ${turn.ordinal} is not durable yet: ${messageOf(error)}`,
      error,
    );
  });
  core.emit('agent/turn/end', { turn: turn.ordinal, reason });
}

/** Without a log there is no turn: what waits stays, and no turn is tried again and again. */
function cannotLog(core: AgentCore, error: unknown): void {
  core.inbox.state.park({ code: 'TURN_NOT_LOGGED' });
  core.emit('agent/error', { error: asError(error) });
}

function reasonOf(core: AgentCore, turn: CurrentTurn, error: unknown): TurnEndReason {
  if (!turn.signal.aborted) core.emit('agent/error', { error: asError(error) });
  // A listener of that may have cancelled.
  const { cause } = turn;
  return cause === undefined ? errorReason(error) : { kind: 'aborted', cause };
}

class Turn implements CurrentTurn {
  readonly ordinal: number;
  cause: CancelCause | undefined;
  claimed = false;
  readonly #controller = new AbortController();

  constructor(ordinal: number) {
    this.ordinal = ordinal;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(cause: CancelCause): void {
    if (this.cause !== undefined) return;
    this.cause = cause;
    const name = typeof cause === 'string' ? cause : cause.code;
    this.#controller.abort(agentError('TURN_ABORTED', `turn ${this.ordinal} was cancelled: ${name}`));
  }
}
