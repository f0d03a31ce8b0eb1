/** Turns, requests, tool calls, and the status. */
import type { Agent } from '@deepseek-ai/dsh-agent';
import { lastRequestHead } from '@deepseek-ai/dsh-agent';
import type { AssistantMessage, SessionEvent } from '@deepseek-ai/dsh-session';
import type { Happening, Invariant } from './happening.ts';
import type { Reference, References } from './reference.ts';
import type { Trial } from './trial.ts';

export function nothingBeginsAfterAnAbort(trial: Trial, references: References): Invariant {
  const check = (agent: Agent, what: string): void => {
    const { aborted, stopped } = references.of(agent);
    if (aborted !== undefined) trial.fail(`[A21 A22] ${agent.id} ${what} in a turn that was aborted`);
    if (stopped) trial.fail(`[A23] ${agent.id} ${what} after it was stopped`);
  };
  return {
    see(happening) {
      if (happening.at === 'request') check(happening.agent, 'asked a model');
      if (happening.at === 'body') check(happening.agent, 'began a tool');
      if (happening.at !== 'log') return;
      const { type } = happening.event;
      if (type === 'turn/start' && references.of(happening.agent).stopped)
        trial.fail(`[A23] ${happening.agent.id} began a turn after it was stopped`);
      if (type === 'tool/start') check(happening.agent, 'began a tool');
    },
  };
}

/** Hears of a turn's end before the reference closes it. */
export function turnsEndAsTheyMust(trial: Trial, references: References): Invariant {
  return {
    see(happening) {
      if (happening.at !== 'log') return;
      const { agent, event } = happening;
      const reference = references.of(agent);
      const { steps, faults } = trial.settings;
      if (event.type === 'assistant/message' && reference.answers >= steps)
        trial.fail(`[A18] ${agent.id} went on after ${String(steps)} steps`);
      if (event.type !== 'turn/end') return;
      const { reason } = event.data;
      if (reference.aborted !== undefined && reason.kind !== 'aborted')
        trial.fail(`[A12 A22] an aborted turn of ${agent.id} ended ${reason.kind}`);
      if (reason.kind === 'max-steps' && reference.answers !== steps)
        trial.fail(`[A18] ${agent.id} ended at ${String(reference.answers)} steps`);
      if (reason.kind === 'completed') completed(trial, reference);
      const failed = reason.kind === 'error' ? reason.code : '';
      if (
        !faults &&
        !reference.lost &&
        ['CLAIM_FAILED', 'INVALID_SEQUENCE', 'NOT_READY', 'ERROR'].includes(failed)
      ) {
        trial.fail(`[A12 A31] a turn of ${agent.id} ended with ${failed}`);
      }
    },
  };
}

function completed(trial: Trial, { agent, waiting, answers }: Reference): void {
  const { steps, hook } = trial.settings;
  const last = agent.session.events().findLast(({ type }) => type === 'assistant/message') as
    SessionEvent<'assistant/message'> | undefined;
  if (
    last !== undefined &&
    answers > 0 &&
    (last.data.finish === 'tool-calls' || last.data.interrupted === true)
  ) {
    trial.fail(`[A12 A15] ${agent.id} completed a turn with an answer that asks for more`);
  }
  if (hook !== 'none' || agent.inbox.parked || answers >= steps || answers === 0) return;
  const steer = waiting.find(({ boundary }) => boundary === 'step');
  if (steer !== undefined && waiting.every(({ boundary }) => boundary === 'step')) {
    trial.fail(`[A5] ${agent.id} ended a turn although ${steer.id} waited for a step`);
  }
}

export function requestsAreTheLog(trial: Trial): Invariant {
  const asking = new Set<Agent>();
  return {
    see(happening) {
      if (happening.at === 'request-end') asking.delete(happening.agent);
      if (happening.at === 'crash') asking.clear();
      if (happening.at !== 'request') return;
      const { agent, request } = happening;
      asking.add(agent);
      if (asking.size > trial.settings.modelCalls)
        trial.fail(`[A33] ${String(asking.size)} models were asked at once`);
      const { session } = agent;
      const events = session.events();
      const messages = events.flatMap((event) =>
        event.type === 'user/message' || event.type === 'assistant/message' || event.type === 'tool/result'
          ? [event.data]
          : [],
      );
      const head = lastRequestHead(events);
      const rebuilt = { system: head?.system, tools: head?.tools, messages };
      const sent = { system: request.system, tools: request.tools, messages: [...request.messages] };
      if (JSON.stringify(rebuilt) !== JSON.stringify(sent))
        trial.fail(`[A13 A16] a request of ${agent.id} is not what its log says`);
      const step = trial.settings.checkpoint === 'step';
      const ahead = events
        .slice(session.durableLength)
        .find(
          ({ type }) =>
            type === 'user/message' || (step && (type === 'assistant/message' || type === 'tool/result')),
        );
      if (ahead !== undefined && (step || agent.inbox.durable))
        trial.fail(`[A17 A31] ${agent.id} showed a model what is not durable: ${ahead.type}`);
    },
  };
}

/** Results stand behind their calls, in order, and nothing stands between. */
export function callsGetTheirResults(trial: Trial, references: References): Invariant {
  const open = new WeakMap<Agent, { id: string; ran: boolean }[]>();
  const answered = (agent: Agent, event: SessionEvent<'tool/result'>): void => {
    const call = open.get(agent)?.shift();
    const { callId, outcome } = event.data;
    if (call?.id !== callId)
      trial.fail(`[A14] the result of ${callId} came where ${call?.id ?? 'none'} was due`);
    if (outcome === 'not-started' && call?.ran === true) trial.fail(`[A21] ${callId} had started`);
    if (outcome === 'unknown' && references.of(agent).aborted === undefined)
      trial.fail(`[A21] nobody knows how ${callId} ended, and nobody has cancelled it`);
  };
  const asked = (agent: Agent, { content, interrupted }: AssistantMessage): void => {
    const calls = content.flatMap((block) =>
      block.type === 'tool-call' ? [{ id: block.callId, ran: false }] : [],
    );
    if (interrupted === true && calls.length > 0)
      trial.fail(`[A15] an interrupted answer of ${agent.id} keeps calls`);
    open.set(agent, calls);
  };
  return {
    see(happening) {
      if (happening.at === 'body') {
        for (const call of open.get(happening.agent) ?? []) call.ran ||= call.id === happening.callId;
      }
      if (happening.at !== 'log') return;
      const { agent, event } = happening;
      const calls = open.get(agent) ?? [];
      if (
        calls.length > 0 &&
        (event.type === 'user/message' || event.type === 'turn/end' || event.type === 'assistant/message')
      ) {
        trial.fail(`[A6] ${event.type} of ${agent.id} stands between a call and its result`);
      }
      if (event.type === 'assistant/message') asked(agent, event.data);
      if (event.type === 'tool/result') answered(agent, event);
    },
  };
}

export function toolsKeepTheirLimits(trial: Trial): Invariant {
  const running = new WeakMap<Agent, Map<string, string>>();
  const of = (agent: Agent): Map<string, string> => {
    const known = running.get(agent) ?? new Map<string, string>();
    running.set(agent, known);
    return known;
  };
  return {
    see(happening) {
      if (happening.at === 'body') {
        const bodies = of(happening.agent).set(happening.callId, happening.name);
        if (bodies.size > trial.settings.toolCalls)
          trial.fail(`[A14] ${String(bodies.size)} tools ran at once`);
        if (bodies.size > 1 && [...bodies.values()].includes('alone'))
          trial.fail('[A14] a tool that runs alone did not');
      }
      if (happening.at === 'body-end') of(happening.agent).delete(happening.callId);
      if (happening.at === 'log' && happening.event.type === 'tool/result')
        of(happening.agent).delete(happening.event.data.callId);
    },
  };
}

export function statusTellsTheTruth(trial: Trial): Invariant {
  const told = new WeakMap<Agent, string>();
  const hasWork = (agent: Agent): boolean =>
    !agent.inbox.parked && agent.inbox.list().some(({ wake }) => wake);
  return {
    see(happening: Happening) {
      if (happening.at === 'enqueue' && happening.agent.status === 'idle' && hasWork(happening.agent)) {
        trial.fail(`[A9] ${happening.agent.id} is idle with work`);
      }
      if (happening.at !== 'status') return;
      const { agent, status } = happening;
      if (told.get(agent) === status) trial.fail(`[A9] ${agent.id} said twice that it is ${status}`);
      if (told.get(agent) === 'closing') trial.fail(`[A23] ${agent.id} is ${status} after it was closing`);
      told.set(agent, status);
      if (agent.status === 'idle' && (hasWork(agent) || (agent.session.turnOpen && !agent.session.sealed)))
        trial.fail(`[A9] ${agent.id} is idle with work`);
    },
  };
}
