/** What a stop or a drain ends, and what it leaves. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { MessageId } from '@deepseek-ai/dsh-session';
import type { Facts } from './facts.ts';
import type { Happening, Invariant, Operation, Stop } from './happening.ts';
import { storedIds } from './medium.ts';
import { isOneShot } from './program.ts';
import type { Trial } from './trial.ts';

export function stoppedAgentsAskNothing(trial: Trial, facts: Facts): Invariant {
  const stopped = new Set<Agent>();
  return {
    see(happening) {
      if (happening.at === 'status' && happening.status === 'closing') stopped.add(happening.agent);
      if (happening.at === 'log') checkBeginning(trial, facts, stopped, happening);
      if (happening.at !== 'request') return;
      const { id, agent } = happening;
      if (agent === undefined) trial.fail(`[A23 M41] a model was asked for ${id}, which is not live`);
      else if (stopped.has(agent)) trial.fail(`[A23 M41] a model was asked for ${id} after its stop`);
      else if (facts.isManaged(agent) && isDrained(facts, agent))
        trial.fail(`[M41 M42] a model was asked for ${id} after the drain began`);
    },
  };
}

function checkBeginning(
  trial: Trial,
  facts: Facts,
  stopped: ReadonlySet<Agent>,
  { session, event }: Extract<Happening, { at: 'log' }>,
): void {
  const agent = facts.live.get(session.id);
  if (agent === undefined || !stopped.has(agent)) return;
  if (event.type === 'turn/start' || event.type === 'tool/start')
    trial.fail(`[A23] ${session.id} was stopped, and its log took a ${event.type}`);
}

const isDrained = (facts: Facts, agent: Agent): boolean =>
  agent.session.header.parentSession !== undefined && facts.isGated(agent.session.header.parentSession);

/** Nothing is admitted below a closed gate: no task, no message, no prompt; notices are none of these. */
export function closedGatesLetNothingIn(trial: Trial, facts: Facts): Invariant {
  const check = (happening: Extract<Happening, { at: 'enqueue' }>): void => {
    const { agent, message } = happening;
    const kind: string = message.source.kind;
    if (!facts.isManaged(agent) || kind === 'subagent-settled' || !isDrained(facts, agent)) return;
    if (kind === 'user' && !happening.wake) return;
    trial.fail(
      `[M4 M41 M42] ${agent.id} accepted ${message.id} (${kind}) after a drain had closed admission`,
    );
  };
  // A listener of the log may stop what was accepted in the same span.
  const logged = new Set<MessageId>();
  return {
    see(happening) {
      if (happening.at === 'log' && happening.event.type === 'inbox/accepted')
        logged.add(happening.event.data.message.id);
      if (happening.at === 'enqueue' && !logged.has(happening.message.id)) check(happening);
      if (happening.at === 'epoch-start' && facts.isGated(happening.epoch.parentId))
        trial.fail(
          `[M4 M41 M42] an epoch of ${happening.epoch.childId} started after a drain had closed admission`,
        );
    },
  };
}

/** A child whose task was accepted is stored, whatever was drained. */
export function acceptedChildrenSurvive(trial: Trial): Invariant {
  let crashed = false;
  return {
    see(happening) {
      if (happening.at === 'crash') crashed = true;
    },
    end() {
      if (
        crashed ||
        trial.settings.faults ||
        trial.settings.time === 'any' ||
        trial.settings.kinds.includes('take-over')
      )
        return;
      const stored = new Set(storedIds(trial.medium));
      for (const { kind, state, targetId } of trial.operations) {
        if (kind === 'start' && state === 'done' && targetId !== undefined && !stored.has(targetId))
          trial.fail(`[M43] the task of ${targetId} was accepted, and its Session is gone`);
      }
    },
  };
}

/** When a drain has answered, nothing of what it was about is live. */
export function drainsWaitForAll(trial: Trial, facts: Facts): Invariant {
  const about = new Map<Operation, Stop>();
  let last: Stop | undefined;
  const check = (operation: Operation, { scope, ids }: Stop): void => {
    for (const agent of facts.live.values()) {
      const below = facts.ancestors(agent.id).some((id) => scope === 'all' || ids.includes(id));
      if (below && (facts.epochs.has(agent.id) || isOneShot(agent)))
        trial.fail(`[M41 M42] ${operation.kind} has answered, and ${agent.id} is live`);
    }
  };
  return {
    see(happening) {
      if (happening.at === 'stop') last = happening.stop;
      if (happening.at === 'call' && last !== undefined && drains.includes(happening.operation.kind))
        about.set(happening.operation, last);
      if (happening.at !== 'answer') return;
      const stop = about.get(happening.operation);
      // A root that has left meanwhile lets a namesake begin anew.
      if (
        stop !== undefined &&
        (stop.scope === 'all' || stop.gates.every((gate) => facts.live.get(gate.id) === gate))
      )
        check(happening.operation, stop);
    },
  };
}

const drains = ['drain', 'drain-below', 'last-drain'];

/** A refusal as draining has a drain for its reason, and nothing else that closes: a root that came back is free. */
export function gatesOpenAgain(trial: Trial, facts: Facts): Invariant {
  const excused = new Set<Operation>();
  const excuse = (operation: Operation): void => {
    const { asker } = operation;
    if (asker === undefined || facts.isGated(asker.id)) excused.add(operation);
  };
  return {
    see(happening) {
      if (happening.at === 'stop') trial.operations.filter(({ state }) => state === 'open').forEach(excuse);
      if (happening.at === 'call') excuse(happening.operation);
      if (happening.at !== 'answer' || excused.has(happening.operation)) return;
      const { kind, state, error, asker } = happening.operation;
      if (state === 'refused' && (error as { readonly code?: unknown }).code === 'DRAINING')
        trial.fail(`[M42] ${kind} of ${String(asker?.id)} was refused as draining, and nothing drains there`);
    },
  };
}

/** A prompt holds the parent in whose name it is: only what ends that parent ends the prompt (M45). */
export function promptsKeepTheirParent(trial: Trial, facts: Facts): Invariant {
  const held = new Set<Operation>();
  return {
    see(happening) {
      if (happening.at !== 'call' && happening.at !== 'answer') return;
      const { operation } = happening;
      const { kind, asker, targetId, state, error } = operation;
      if (kind !== 'prompt' || asker === undefined || targetId === undefined) return;
      // A top-level agent never settles: it closes because its host wants that.
      if (asker.session.header.parentSession === undefined) return;
      const known = trial.operations.some(
        (one) => one.kind === 'start' && one.state === 'done' && one.targetId === targetId,
      );
      const alive = asker.status !== 'closing' && trial.program.agents.get(asker.id) === asker;
      if (happening.at === 'call' && alive && known) held.add(operation);
      const excused = [asker.id, targetId].some((id) => facts.isStopped(id) || facts.isGated(id));
      if (state !== 'refused' || !held.has(operation) || excused || asker.status !== 'closing') return;
      if ((error as { readonly code?: unknown }).code === 'ACTIVATION_CLOSING')
        trial.fail(`[M13 M45] a prompt to ${targetId} ended because ${asker.id} had nothing else to do`);
    },
  };
}
