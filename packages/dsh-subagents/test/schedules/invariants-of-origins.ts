/** Where children come from: ids, headers, seeds, and that nothing of them runs before it was admitted. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Facts } from './facts.ts';
import type { Invariant, Operation } from './happening.ts';
import { isOneShot } from './program.ts';
import type { Trial } from './trial.ts';

/** An id that was given to a child is that child's, live or stored. */
export function idsAreTakenOnce(trial: Trial): Invariant {
  const taken = new Map<SessionId, Operation>();
  const { faults, kinds, time } = trial.settings;
  // Its Session may be gone with what was not durable.
  if (faults || time === 'any' || kinds.includes('crash') || kinds.includes('take-over')) return {};
  return {
    see(happening) {
      if (happening.at !== 'answer') return;
      const { kind, state, targetId } = happening.operation;
      if (kind !== 'start' || state !== 'done' || targetId === undefined) return;
      if (taken.has(targetId)) trial.fail(`[M6] ${targetId} was started twice`);
      taken.set(targetId, happening.operation);
    },
  };
}

/** The header says whose child it is; a resumption does not change it. */
export function headersSayWhereFrom(trial: Trial, facts: Facts): Invariant {
  const known = new Map<SessionId, string>();
  const check = ({ id, session: { header } }: Agent): void => {
    const { parentSession, rootSession, origin, delegationDepth } = header;
    const parent = parentSession === undefined ? undefined : facts.live.get(parentSession);
    const root = parent?.session.header.rootSession ?? parentSession;
    const depth = (parent?.session.header.delegationDepth ?? 0) + 1;
    if (
      origin !== 'subagent' ||
      (parent !== undefined && (rootSession !== root || delegationDepth !== depth))
    )
      trial.fail(`[M8] the header of ${id} says ${String(rootSession)} and ${String(delegationDepth)}`);
  };
  return {
    see(happening) {
      if (happening.at === 'created' && facts.isManaged(happening.agent)) check(happening.agent);
      if (happening.at !== 'epoch-start') return;
      const { childId, resumed } = happening.epoch;
      const header = JSON.stringify(facts.live.get(childId)?.session.header);
      if (resumed && (known.get(childId) ?? header) !== header)
        trial.fail(`[M8 M20] the header of ${childId} is another one after a resume`);
      known.set(childId, header);
    },
  };
}

/** A fork begins with what its parent had completed, unchanged. */
export function forksKnowTheirParent(trial: Trial, facts: Facts): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'created') return;
      const { id, session } = happening.agent;
      const { parentSession, seedLength, forkedFrom } = session.header;
      if (seedLength === undefined || parentSession === undefined) return;
      const parent = facts.live.get(parentSession);
      const own = session.events().slice(0, seedLength);
      if (own.at(-1)?.type !== 'turn/end')
        trial.fail(`[M50] the fork ${id} begins with a turn of its parent that had not ended`);
      if (forkedFrom === undefined) trial.fail(`[M8] the fork ${id} does not say of what`);
      if (parent === undefined) return;
      const theirs = parent.session.events().slice(0, seedLength);
      if (JSON.stringify(own.map(({ data }) => data)) !== JSON.stringify(theirs.map(({ data }) => data)))
        trial.fail(`[M38 M50] the fork ${id} does not begin with the turns of ${parentSession}`);
    },
  };
}

/** Nothing runs before its start was admitted, and a one-shot starts nobody that outlives it. */
export function onlyTheAdmittedRun(trial: Trial, facts: Facts): Invariant {
  return {
    see(happening) {
      if (happening.at === 'turn-start') {
        const { agent } = happening;
        if (facts.isManaged(agent) && !isOneShot(agent) && !facts.epochs.has(agent.id))
          trial.fail(`[M3 M20] ${agent.id} began a turn before its start was admitted`);
      }
      if (happening.at !== 'answer') return;
      const { kind, state, asker, targetId, parentId } = happening.operation;
      if (state !== 'done') return;
      if (kind === 'start' && asker !== undefined && isOneShot(asker))
        trial.fail(`[M49] a one-shot has started ${String(targetId)}`);
      const durable = targetId === undefined ? undefined : facts.ancestors(targetId)[0];
      // A start that is under way answers for the id, whoever holds it in the store.
      const begun = trial.operations.some(
        (one) => one.kind === 'start' && one.targetId === targetId && one.asker?.id === parentId,
      );
      if (parentId !== undefined && durable !== undefined && durable !== parentId && !begun)
        trial.fail(`[M39 M45] ${kind} of ${String(targetId)} was done in the name of ${parentId}`);
    },
  };
}
