/** What a host has bounded: depth, children, tokens, model calls, and the distance from a person. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Facts } from './facts.ts';
import type { Invariant } from './happening.ts';
import { isOneShot } from './program.ts';
import type { Trial } from './trial.ts';

const rootOf = ({ id, session }: Agent): SessionId => session.header.rootSession ?? id;

export function treesStayInBounds(trial: Trial, facts: Facts): Invariant {
  const { maxDepth, wide, deaf, time, faulty } = trial.settings;
  const started = new Map<SessionId, Set<SessionId>>();
  const check = (agent: Agent): void => {
    const depth = agent.session.header.delegationDepth ?? 0;
    if (depth > maxDepth)
      trial.fail(`[M46] ${agent.id} is ${String(depth)} levels deep, of ${String(maxDepth)}`);
    // What ignores its end is left behind, and counts no more.
    if (wide?.maxLive === undefined || deaf || time === 'any' || faulty !== undefined) return;
    const root = rootOf(agent);
    const live = [...facts.live.values()].filter((one) => facts.isManaged(one) && rootOf(one) === root);
    if (live.length > wide.maxLive)
      trial.fail(`[M46] ${String(live.length)} children of ${root} are live, of ${String(wide.maxLive)}`);
  };
  return {
    see(happening) {
      if (happening.at === 'created' && facts.isManaged(happening.agent)) check(happening.agent);
      if (happening.at !== 'answer' || wide?.maxTotal === undefined || isForgetful(trial)) return;
      const { kind, state, asker, targetId } = happening.operation;
      if (kind !== 'start' || state !== 'done' || asker === undefined || targetId === undefined) return;
      const root = rootOf(asker);
      const of = (started.get(root) ?? new Set()).add(targetId);
      started.set(root, of);
      if (of.size > wide.maxTotal)
        trial.fail(`[M46] ${String(of.size)} children of ${root} were started, of ${String(wide.maxTotal)}`);
    },
  };
}

/** A root's counts are in its log, which a crash or a failure may have cut. */
function isForgetful({ settings: { faults, kinds } }: Trial): boolean {
  return faults || kinds.includes('crash');
}

/** With its budget spent no child of a tree asks a model: only answers to earlier requests may still come. */
export function budgetsHold(trial: Trial, facts: Facts): Invariant {
  const most = trial.settings.wide?.budgetTokens;
  const spent = new Map<SessionId, number>();
  if (most === undefined || isForgetful(trial)) return {};
  return {
    see(happening) {
      if (happening.at === 'log' && happening.event.type === 'assistant/message') {
        const agent = facts.live.get(happening.session.id);
        const { usage } = happening.event.data;
        if (agent === undefined || usage === undefined || !facts.isManaged(agent)) return;
        const root = rootOf(agent);
        const tokens = usage.inputTokens + usage.outputTokens;
        spent.set(root, (spent.get(root) ?? 0) + tokens);
      }
      if (happening.at !== 'request' || happening.agent === undefined) return;
      if (!facts.isManaged(happening.agent)) return;
      const so = spent.get(rootOf(happening.agent)) ?? 0;
      if (so >= most)
        trial.fail(`[M46] a model was asked for ${happening.id} with ${String(so)} of ${String(most)} spent`);
    },
  };
}

/** Nothing travels further from a person than the host allows, but notices, and tasks of one-shots, which end there. */
export function messagesStayNear(trial: Trial): Invariant {
  const most = trial.settings.wide?.maxHops ?? 1_000;
  return {
    see(happening) {
      if (happening.at !== 'enqueue') return;
      const { kind, hops = 0 } = happening.message.source as { kind: string; hops?: number };
      if (kind !== 'subagent-settled' && hops > most && !isOneShot(happening.agent))
        trial.fail(`[M47] ${happening.message.id} (${kind}) was accepted after ${String(hops)} hops`);
    },
  };
}
