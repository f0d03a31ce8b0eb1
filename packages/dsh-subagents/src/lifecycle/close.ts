/**
 * Ends epochs: stopped top-down in one span, released child-first afterwards (M29).
 * I1. A slot enters `closing` once, and has one release from its reservation on: every drain, delivery and
 *     settlement converges on it.
 * I2. A release waits for its own start and its own driver, then for its children of both kinds, then for its agent.
 *     What an agent came to is written when its driver has ended, so that one barrier of the store holds a whole tree.
 * I3. Every stage runs whatever failed before it.
 * I4. One deadline for all that was closed together (M31). Children are waited for without one: each of them has it.
 *     Who had not ended at that moment is named, with what it was that had not: its own or only what is below.
 *     Past it every agent that is left is abandoned before the first slot is freed.
 * I5. The parent hears, `subagent/end` is published and the slot is removed in one span.
 */
import type { CancelCause } from '@deepseek-ai/dsh-agent';
import { startedEvent, type CloseCause, type Closing, type Slot } from '../activation/slot.ts';
import { endOf } from '../admission/admit.ts';
import type { Context } from '../context.ts';
import { subagentError } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import type { PortHandle } from '../port.ts';
import { startDeadline, watched, within, type Deadline } from './deadline.ts';
import { captureEnd, type EpochEnd } from './epoch-end.ts';
import { flushSession } from './flush.ts';
import { disposeAgent } from './dispose-agent.ts';
import { notifyParent } from './notify.ts';
import { busyElsewhereText } from '../wording.ts';

const stopCauses: Readonly<Record<CloseCause, CancelCause>> = {
  settled: 'settled',
  drain: 'drain',
  stopped: 'user',
  rollback: { code: 'rollback' },
  fenced: { code: 'fenced' },
};

/** Closes the chosen epochs that are not closing yet. `chosen` holds everything below each of its members. */
export function closeSlots(
  context: Context,
  chosen: readonly Slot[],
  cause: CloseCause | ((slot: Slot) => CloseCause),
): void {
  const fresh = chosen
    .filter((slot) => slot.phase !== 'closing')
    .sort((a, b) => a.chain.length - b.chain.length);
  if (fresh.length === 0) return;
  for (const slot of fresh) {
    slot.phase = 'closing';
    slot.closing = closingOf(context, slot, typeof cause === 'function' ? cause(slot) : cause);
    slot.warmth?.dispose();
  }
  const failures = new Map(fresh.map((slot) => [slot, stopAgent(slot)]));
  for (const slot of fresh) {
    if (slot.closing !== undefined) context.stopOneShots(slot.childId, stopCauses[slot.closing.cause]);
    slot.starting.abort(slot.closing?.reason);
  }
  const deadline = startDeadline(context.clock, context.policy.disposalMs);
  // Asked first: all of them have been left behind when the first release goes on.
  context.detach(
    deadline.reached.then(() => {
      abandonRest(context, fresh);
    }),
  );
  const releases = fresh.map((slot) => release(context, slot, deadline, failures.get(slot) ?? []));
  context.detach(
    Promise.all(releases).finally(() => {
      deadline[Symbol.dispose]();
    }),
  );
}

/** Why it closes, and what the caller of a start that is under way is told. */
function closingOf(context: Context, { childId, chain }: Slot, cause: CloseCause): Closing {
  const reason =
    cause === 'fenced'
      ? subagentError('BUSY_ELSEWHERE', busyElsewhereText(childId, undefined))
      : endOf(context, [childId, ...chain], 'No child was started');
  return { cause, reason };
}

/** What it throws is a failure of this release alone (I3). */
function stopAgent({ handle, closing }: Slot): unknown[] {
  try {
    if (closing !== undefined) handle?.stop(stopCauses[closing.cause]);
    return [];
  } catch (error) {
    return [error];
  }
}

/** What has not stopped by the deadline is left behind, leaf-first and in one span, before any place is given away. */
function abandonRest(context: Context, closed: readonly Slot[]): void {
  for (const slot of closed.toReversed()) {
    try {
      if (context.slots.get(slot.childId) === slot) slot.handle?.abandon?.();
    } catch (cause) {
      context.report({
        code: 'agent-not-abandoned',
        level: 'error',
        message: `The agent of ${slot.childId} did not end in time and could not be left behind. It may still write to its log.`,
        sessionId: slot.childId,
        cause,
      });
    }
  }
}

async function release(context: Context, slot: Slot, deadline: Deadline, failures: unknown[]): Promise<void> {
  const judge = async (what: string, ended: () => Promise<boolean>): Promise<void> => {
    try {
      if (!(await ended())) failures.push(new Error(`${what} ${slot.childId} did not end in time`));
    } catch (error) {
      failures.push(error);
    }
  };
  const stage = (what: string, work: () => Promise<unknown>): Promise<void> =>
    judge(what, () => within(begin(work), deadline));
  // Watched from its stop on: at the deadline the children may be all that is waited for.
  const stopped = slot.handle && within(whenIdle(slot.handle), deadline);
  stopped?.catch(() => undefined);
  await stage('the start of', () => slot.started.promise);
  const { handle } = slot;
  let end: EpochEnd | undefined;
  let flushed: Promise<void> | undefined;
  if (handle !== undefined) {
    await judge('the driver of', () => stopped ?? within(whenIdle(handle), deadline));
    try {
      end = captureEnd(context, slot);
    } catch (error) {
      failures.push(error);
    }
    if (slot.closing?.cause !== 'fenced' && slot.accepted) flushed = flushSession(context, slot, deadline);
  }
  const children = context.slots.childrenOf(slot.childId);
  const below = Promise.allSettled(children.map((child) => child.released.promise));
  await judge('what is below', () => watched(below, deadline));
  await stage('the one-shot children of', () => context.disposeOneShots(slot.childId, deadline));
  if (handle !== undefined) {
    await flushed;
    if (!slot.accepted && !slot.resumed)
      await stage('the Session of', async () => {
        context.sessions.discard(handle.agent.session);
      });
    // What waits in a durable inbox is kept by that, and discarded without one.
    await judge('the agent of', () => disposeAgent(context.agents, handle, deadline));
  }
  finish(context, slot, end, failures);
}

const whenIdle = ({ agent }: PortHandle): Promise<void> => begin(() => agent.whenIdle());

/** What throws at once has failed like what rejects (I3). */
async function begin(work: () => Promise<unknown>): Promise<void> {
  await work();
}

/** Everything that others can see of the end, in one span. */
function finish(context: Context, slot: Slot, end: EpochEnd | undefined, failures: readonly unknown[]): void {
  const failure =
    failures.length === 0
      ? undefined
      : subagentError(
          'ACTIVATION_TEARDOWN_FAILED',
          `${slot.childId} was released, but not all of it ended: ${failures.map(String).join('; ')}`,
          {
            errors: failures,
          },
        );
  const outcome: Outcome = failure === undefined ? (end?.outcome ?? 'aborted') : 'teardown-failed';
  const output = failure === undefined ? end?.output : undefined;
  if (slot.accepted) notifyParent(context, slot, outcome, output);
  if (slot.announced) {
    context.events.emit('subagent/end', {
      ...startedEvent(slot),
      outcome,
      ...(output === undefined ? {} : { output }),
      ...(end?.usage === undefined ? {} : { usage: end.usage }),
      duration: context.clock.now() - slot.reservedAt,
      ...(failure === undefined ? {} : { failure }),
    });
  }
  context.slots.remove(slot);
  if (failure === undefined) slot.released.resolve();
  else slot.released.reject(failure);
  context.changed(context.slots.get(slot.parentId));
}
