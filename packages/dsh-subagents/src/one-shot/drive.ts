/**
 * Follows a one-shot agent to the end of its turn, and says once how it went.
 * Owns: the conclusion. Does not own: the agent's disposal.
 * I1. There is one conclusion, whatever comes first: the turn's end, a stop without a turn, or the disposal.
 * I2. After it no turn starts: the agent is stopped in the same span.
 * I3. `subagent/end` and the record in the log belong to the conclusion.
 */
import type { Agent, CancelCause } from '@deepseek-ai/dsh-agent';
import type { Clock, TurnEndReason } from '@deepseek-ai/dsh-session';
import { deferred, type Emitter } from '@dsh-internal/async';
import type { PortHandle } from '../port.ts';
import type { ActivationStarted, SubagentEventMap } from '../events.ts';
import { epochOutput, outcomeOf, type EpochOutput } from '../notice/outcome.ts';
import type { SubagentResult } from '../provider.ts';
import { deliveryReminderText } from '../wording.ts';
import type { Capture } from './capture.ts';
import { resultOf } from './task.ts';

export interface DriveDeps {
  readonly clock: Clock;
  readonly emit: Emitter<SubagentEventMap>['emit'];
}

export interface DrivenRun {
  /** Never rejects. */
  readonly result: Promise<SubagentResult>;
  stop(cause: CancelCause): void;
  /** Concludes with what there is, where nothing has concluded before. */
  conclude(): void;
}

export interface Driving {
  readonly handle: PortHandle;
  readonly told: ActivationStarted;
  readonly capture: Capture | undefined;
  readonly signal: AbortSignal | undefined;
}

export function driveRun(deps: DriveDeps, { handle, told, capture, signal }: Driving): DrivenRun {
  const { agent } = handle;
  const startedAt = deps.clock.now();
  const result = deferred<SubagentResult>();
  let lastTurnEnd: TurnEndReason | undefined;
  let stopped = false;
  let concluded = false;

  const abort = (): void => {
    stop('parent');
  };
  const listeners = [
    agent.on('agent/turn/end', ({ reason }) => {
      lastTurnEnd = reason;
      if (reason.kind === 'completed' && repaired(agent, told, capture)) return;
      conclude();
    }),
    // A hook may let the work go without a turn.
    agent.on('agent/status', ({ status }) => {
      if (status === 'idle') conclude();
    }),
    // So may whoever hears of the work before the agent has told that it runs.
    agent.on('agent/inbox/discard', () => {
      if (agent.status === 'idle') conclude();
    }),
    agent.on('agent/disposed', () => {
      conclude();
    }),
  ];
  signal?.addEventListener('abort', abort, { once: true });

  function stop(cause: CancelCause): void {
    if (stopped || concluded) return;
    stopped = true;
    handle.stop(cause);
    // A turn under way tells its own end; without one there is nothing to wait for.
    if (!agent.session.turnOpen) conclude();
  }

  function conclude(): void {
    if (concluded) return;
    concluded = true;
    signal?.removeEventListener('abort', abort);
    for (const listener of listeners) listener.dispose();
    stopSettled(handle);
    const outcome = outcomeOf({
      lastTurnEnd,
      discardedAfter: false,
      fenced: agent.session.lost.aborted,
      failed: false,
    });
    const epoch = outputOf(agent);
    const duration = deps.clock.now() - startedAt;
    record(agent, { runId: told.runId, outcome, ...epoch, duration });
    deps.emit('subagent/end', { ...told, outcome, ...epoch, duration });
    result.resolve(resultOf(outcome, epoch, { wanted: capture !== undefined, value: capture?.value }));
  }

  return { result: result.promise, stop, conclude };
}

function stopSettled(handle: PortHandle): void {
  try {
    handle.stop('settled');
  } catch {
    // The result is there all the same, and an agent that cannot be stopped is not disposed cleanly either.
  }
}

/** Asks for a delivery that is still to come. */
function repaired(agent: Agent, told: ActivationStarted, capture: Capture | undefined): boolean {
  if (capture === undefined || capture.value !== undefined || !capture.missed()) return false;
  try {
    agent.followup({
      content: deliveryReminderText(),
      source: { kind: 'delegated-task', form: 'task', senderSessionId: told.parentId, label: told.label },
    });
    return true;
  } catch {
    // It was stopped meanwhile: then this turn was the last one.
    return false;
  }
}

function outputOf(agent: Agent): EpochOutput {
  try {
    return epochOutput(agent.session.events(), agent.session.header.seedLength ?? 0);
  } catch {
    // A log that never loaded has nothing to show.
    return {};
  }
}

function record(
  agent: Agent,
  ended: { runId: string; outcome: ReturnType<typeof outcomeOf>; duration: number },
): void {
  try {
    agent.session.append('subagent/ended', ended);
  } catch {
    // A sealed or lost Session takes no more; the result and the event tell the same.
  }
}
