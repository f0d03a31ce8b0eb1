/** At most one, and teardown: the epochs of children and of what is below them. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Facts } from './facts.ts';
import type { Happening, Invariant } from './happening.ts';
import { storedIds } from './medium.ts';
import type { Trial } from './trial.ts';

export function oneLiveAgentPerId(trial: Trial): Invariant {
  const live = new Map<SessionId, Agent>();
  return {
    see(happening) {
      if (happening.at === 'crash') live.clear();
      if (happening.at === 'created') {
        const { agent } = happening;
        if (live.has(agent.id)) trial.fail(`[A26 M28] a second ${agent.id} became live beside the first`);
        live.set(agent.id, agent);
      }
      if (happening.at === 'disposed' && live.get(happening.agent.id) === happening.agent)
        live.delete(happening.agent.id);
    },
  };
}

export function epochsDoNotOverlap(trial: Trial): Invariant {
  const open = new Map<SessionId, string>();
  return {
    see(happening) {
      if (happening.at === 'crash') open.clear();
      if (happening.at === 'epoch-start') {
        const { childId, runId } = happening.epoch;
        if (open.has(childId))
          trial.fail(`[M29] an epoch of ${childId} started before the last one had ended`);
        open.set(childId, runId);
      }
      if (happening.at === 'epoch-end') {
        const { childId, runId } = happening.epoch;
        if (open.get(childId) !== runId) trial.fail(`[M29] an epoch of ${childId} ended that was not open`);
        open.delete(childId);
      }
    },
    end() {
      for (const id of open.keys())
        trial.fail(`[M29 M5] the epoch of ${id} was told to start and never to end`);
    },
  };
}

/** No child outlives its parent's Activation. */
export function childrenGoFirst(trial: Trial, facts: Facts): Invariant {
  const check = (id: SessionId, what: string): void => {
    for (const agent of facts.live.values()) {
      if (agent.session.header.parentSession === id && trial.operations.some(startOf(agent.id)))
        trial.fail(`[M29 M26] ${id} ${what} while its child ${agent.id} was live`);
    }
  };
  return {
    see(happening) {
      if (happening.at === 'disposed' && facts.isManaged(happening.agent))
        check(happening.agent.id, 'was disposed');
      if (happening.at !== 'epoch-end') return;
      const id = happening.epoch.childId;
      check(id, 'ended');
      for (const { childId, parentId } of facts.epochs.values()) {
        if (parentId === id)
          trial.fail(`[M29 M26] ${id} ended while the epoch of its child ${childId} was open`);
      }
    },
  };
}

const startOf =
  (id: SessionId) =>
  ({ kind, targetId }: { readonly kind: string; readonly targetId?: SessionId | undefined }): boolean =>
    kind === 'start' && targetId === id;

/** An Activation that goes by itself owns nothing, has nothing to do, and holds no operation of its own. */
export function settlingIsSafe(trial: Trial, facts: Facts): Invariant {
  const byItself = new Set<Agent>();
  // Until something was accepted in it an epoch may be undone, with all that began under it.
  const accepted = new Set<Agent>();
  return {
    see(happening) {
      if (happening.at === 'created' && happening.agent.inbox.list().some(({ wake }) => wake))
        accepted.add(happening.agent);
      if (happening.at === 'enqueue' && isAccepted(happening)) accepted.add(happening.agent);
      if (happening.at === 'status' && happening.status === 'closing') {
        const { agent } = happening;
        if (!facts.isManaged(agent) || facts.isStopped(agent.id) || !facts.epochs.has(agent.id)) return;
        if (!accepted.has(agent)) return;
        byItself.add(agent);
        checkSettling(trial, facts, agent);
      }
      if (happening.at === 'discard' && byItself.has(happening.agent) && happening.wake)
        trial.fail(
          `[M18 M27] ${happening.agent.id} settled with ${happening.message.id} waiting, and it was discarded`,
        );
    },
  };
}

/** A new child has accepted nothing before its task. */
function isAccepted({ agent, message, wake }: Extract<Happening, { at: 'enqueue' }>): boolean {
  return wake && (message.source.kind === 'delegated-task' || agent.session.turns > 0);
}

function checkSettling(trial: Trial, facts: Facts, agent: Agent): void {
  if (agent.session.turnOpen) trial.fail(`[M25 M42 M44] ${agent.id} was stopped in a turn, and by nobody`);
  for (const { childId, parentId } of facts.epochs.values()) {
    if (parentId === agent.id) trial.fail(`[M25 M26] ${agent.id} settled while it owned ${childId}`);
  }
  for (const { kind, asker, state, program, targetId } of trial.operations) {
    if (program !== trial.programs || state !== 'open' || asker !== agent) continue;
    if (kind === 'start') trial.fail(`[M2 M26] ${agent.id} settled under the start of ${String(targetId)}`);
    if (kind === 'send') trial.fail(`[M13] ${agent.id} settled under its own message to ${String(targetId)}`);
  }
}

/** A child none of whose starts was accepted is nowhere, also not on the medium. */
export function rolledBackStartsLeaveNothing(trial: Trial, facts: Facts): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'answer') return;
      const { kind, state, targetId } = happening.operation;
      if (kind !== 'start' || state !== 'refused' || targetId === undefined) return;
      const starts = trial.operations.filter(startOf(targetId));
      if (starts.some((one) => one.state !== 'refused')) return;
      if (facts.live.has(targetId))
        trial.fail(`[M5] the start of ${targetId} was refused, and its agent lives`);
      if (facts.epochs.has(targetId))
        trial.fail(`[M5] the start of ${targetId} was refused, and its epoch is open`);
    },
    end() {
      for (const id of storedIds(trial.medium)) {
        const starts = trial.operations.filter(startOf(id));
        if (starts.length > 0 && starts.every(({ state }) => state === 'refused'))
          trial.fail(`[M5 S4] no start of ${id} was accepted, and its Session is stored`);
      }
    },
  };
}
