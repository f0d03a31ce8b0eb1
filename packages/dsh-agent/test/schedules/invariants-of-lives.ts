/** Beginnings and ends of agents, and what is left of them. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { SessionEvent, SessionId } from '@deepseek-ai/dsh-session';
import type { Happening, Invariant } from './happening.ts';
import { agentIds } from './program.ts';
import type { References } from './reference.ts';
import { inMemory, onMedium } from './stored.ts';
import type { Trial } from './trial.ts';

export function oneLiveAgentPerId(trial: Trial): Invariant {
  const live = new Map<SessionId, Agent>();
  return {
    see(happening) {
      if (happening.at === 'crash') live.clear();
      if (happening.at === 'created') {
        const { agent } = happening;
        if (live.has(agent.id)) trial.fail(`[A26] two agents ${agent.id} live`);
        live.set(agent.id, agent);
        if (trial.program.agents.get(agent.id) !== agent)
          trial.fail(`[A25 A27] ${agent.id} is told and not found`);
      }
      if (happening.at === 'disposed') {
        const { agent } = happening;
        live.delete(agent.id);
        if (trial.program.agents.get(agent.id) === agent)
          trial.fail(`[A23 A27] ${agent.id} is gone and found`);
      }
    },
  };
}

const ofTheTest: readonly Happening['at'][] = [
  'cancel',
  'cancelled',
  'unparked',
  'stopped',
  'body',
  'body-end',
  'request-end',
  'aborted',
  'hook',
];

export function whoIsGoneIsSilent(trial: Trial, references: References): Invariant {
  const gone = new Map<Agent, number>();
  return {
    see(happening) {
      if (!('agent' in happening)) return;
      const { agent } = happening;
      // What is logged inside of a subscriber is told when that has returned.
      if (happening.at === 'log' && happening.event.seq < (gone.get(agent) ?? 0)) return;
      if (gone.has(agent) && !ofTheTest.includes(happening.at))
        trial.fail(`[A23] ${agent.id} told ${happening.at} after it was gone`);
      if (happening.at !== 'disposed') return;
      gone.set(agent, agent.session.length);
      if (!agent.session.sealed) trial.fail(`[A23 S11] the log of ${agent.id} still takes events`);
    },
    end() {
      for (const [agent, length] of gone)
        if (agent.session.length !== length) trial.fail(`[A23] the log of ${agent.id} went on after its end`);
      for (const { agent } of references.live()) trial.fail(`[A32] ${agent.id} lives after its registry`);
    },
  };
}

export function everythingSettles(trial: Trial, references: References): Invariant {
  const own = () =>
    trial.operations.filter(({ program, state }) => program === trial.programs && state === 'open');
  return {
    rest() {
      for (const { agent } of references.live()) {
        const waits = !agent.inbox.parked && agent.inbox.list().some(({ wake }) => wake);
        if ((agent.status === 'running' || agent.session.turnOpen) && !agent.session.sealed)
          trial.fail(`[A10 A11] ${agent.id} is running, and nothing is under way`);
        if (agent.status === 'idle' && waits) trial.fail(`[A9 A11] work of ${agent.id} was left lying`);
      }
      for (const { kind, agent } of own())
        trial.fail(`[A10 A23] ${kind} of ${agent?.id ?? 'nobody'} was never answered`);
    },
    end() {
      for (const { kind } of own()) trial.fail(`[A23 A32] ${kind} was never answered`);
    },
  };
}

const refusals = [
  'AGENT_EXISTS',
  'SESSION_LIVE',
  'SESSION_LOCKED',
  'SESSION_EXISTS',
  'SESSION_NOT_FOUND',
  'REGISTRY_CLOSED',
  'STORE_CLOSED',
  'FENCED',
  'NOT_DURABLE',
  'SESSION_CLOSED',
  'UNKNOWN_MESSAGE',
];

export function failuresHaveReasons(trial: Trial): Invariant {
  return {
    see(happening) {
      if (happening.at === 'diagnostic') {
        const { code, message } = happening.diagnostic;
        if (code === 'listener-failed' || code === 'subscriber-failed') trial.fail(`[A1] ${message}`);
      }
      if (happening.at !== 'answer' || happening.operation.state !== 'refused') return;
      const { kind, error } = happening.operation;
      const { code } = error as { readonly code?: string };
      const never = kind === 'idle' || kind === 'dispose' || kind.endsWith('-disposal');
      if ((never && !trial.settings.faults) || !refusals.includes(code ?? '')) {
        if (!(error instanceof AggregateError)) trial.fail(`[A10 A23 A25] ${kind} failed: ${String(error)}`);
      }
    },
  };
}

/** What another process finds afterwards. */
export function reloadEqualsMemory(trial: Trial): Invariant {
  const newest = new Map<SessionId, Agent>();
  /** Others have written to these. */
  const shared = new Set<SessionId>();
  return {
    see(happening) {
      if (happening.at === 'made') newest.set(happening.agent.id, happening.agent);
      if (happening.at === 'lost') shared.add(happening.id);
      if (happening.at === 'crash') newest.clear();
    },
    async end() {
      if (trial.settings.faults || trial.settings.time === 'any') return;
      for (const id of agentIds) {
        const agent = newest.get(id);
        if (agent === undefined || shared.has(id)) continue;
        const found = await onMedium(trial.medium, id).catch((): readonly SessionEvent[] => []);
        const own = inMemory(agent.session);
        const same = own === undefined || JSON.stringify(found) === JSON.stringify(own);
        if (!same || found.length !== agent.session.length)
          trial.fail(`[S12 A23] what is stored of ${id} is not what was in memory`);
      }
    },
  };
}
