/**
 * Turns the events of all agents and children into the plain data of a run.
 * Owns: the labels.  Does not own: how it is shown.
 */
import type { Context } from '@deepseek-ai/cordis';
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { Registration, SessionEvent } from '@deepseek-ai/dsh-session';
import type { SubagentEventMap } from '@deepseek-ai/dsh-subagents';
import type { RunEvent } from './run-event.ts';

/** `tell` gets each event at once. The labels of children that were started before are not known. */
export function watchRun(
  ctx: Pick<Context, 'agents' | 'subagents' | 'on'>,
  tell: (event: RunEvent) => void,
): Registration {
  const labels = new Map<string, string>();
  const who = ({ id, session }: Agent) => ({
    agent: id,
    label: labels.get(id) ?? (session.header.parentSession === undefined ? 'root' : id),
  });
  const registrations = [
    ...watchChildren(ctx, labels, tell),
    ...watchInboxes(ctx, who, tell),
    ...watchTurns(ctx, who, tell),
  ];
  const stopDiagnostics = ctx.on('harness/diagnostic', ({ code, level, message }) => {
    tell({ type: 'diagnostic', code, level, message });
  });
  const dispose = (): void => {
    for (const registration of registrations) registration.dispose();
    stopDiagnostics();
  };
  return { dispose, [Symbol.dispose]: dispose };
}

/** A piece of an answer of the agent, while it comes. */
export type OnPiece = (agent: { readonly agent: string; readonly label: string }, delta: string) => void;

/** Tells the text of the top-level agent as it comes; children are told answer by answer. */
export function watchText({ agents }: Pick<Context, 'agents'>, piece: OnPiece): Registration {
  return agents.on('agent/stream', ({ agent, event }) => {
    if (event.type !== 'text' || agent.session.header.parentSession !== undefined) return;
    piece({ agent: agent.id, label: 'root' }, event.delta);
  });
}

type Tell = (event: RunEvent) => void;
type Who = (agent: Agent) => { readonly agent: string; readonly label: string };

function watchInboxes({ agents }: Pick<Context, 'agents'>, who: Who, tell: Tell): Registration[] {
  return [
    agents.on('agent/inbox/enqueue', ({ agent, message, boundary, wake }) => {
      const { id: messageId, source, content } = message;
      tell({ type: 'agent/inbox/enqueue', ...who(agent), messageId, source, content, boundary, wake });
      if (source.kind !== 'subagent-settled') return;
      const { childSessionId: child, runId, outcome, summary } = source;
      tell({ type: 'subagent/settled', ...who(agent), child, runId, outcome, summary });
    }),
    agents.on('agent/inbox/dequeue', ({ agent, message, turn, step, seq }) => {
      tell({ type: 'agent/inbox/dequeue', ...who(agent), messageId: message.id, turn, step, seq });
    }),
    agents.on('agent/inbox/discard', ({ agent, message, reason }) => {
      tell({ type: 'agent/inbox/discard', ...who(agent), messageId: message.id, reason });
    }),
  ];
}

function watchTurns({ agents }: Pick<Context, 'agents'>, who: Who, tell: Tell): Registration[] {
  const onLog = (agent: Agent) => (event: SessionEvent) => {
    if (event.type !== 'assistant/message') return;
    const { content, finish, interrupted } = event.data;
    tell({ type: 'agent/answer', ...who(agent), content, finish, interrupted: interrupted === true });
  };
  return [
    // The subscription ends with the Session.
    agents.on('agent/created', ({ agent }) => {
      agent.session.subscribe(onLog(agent));
    }),
    agents.on('agent/turn/end', ({ agent, turn, reason }) => {
      tell({ type: 'agent/turn/end', ...who(agent), turn, reason, durable: agent.session.durableLength });
    }),
    agents.on('agent/retry', ({ agent, attempt, delayMs, error }) => {
      tell({ type: 'agent/retry', ...who(agent), attempt, delayMs, message: error.message });
    }),
    agents.on('agent/error', ({ agent, error }) => {
      tell({ type: 'agent/error', ...who(agent), message: error.message });
    }),
  ];
}

function watchChildren(
  { subagents }: Pick<Context, 'subagents'>,
  labels: Map<string, string>,
  tell: Tell,
): Registration[] {
  const about = (event: SubagentEventMap['subagent/start']) => {
    const { childId: child, parentId: parent, label, provider, mode, runId, resumed } = event;
    labels.set(child, label);
    return { child, parent, label, provider, mode, runId, resumed };
  };
  return [
    subagents.on('subagent/start', (event) => {
      tell({ type: 'subagent/start', ...about(event) });
    }),
    subagents.on('subagent/parked', (event) => {
      tell({ type: 'subagent/parked', ...about(event) });
    }),
    subagents.on('subagent/end', (event) => {
      const { outcome, output, usage, duration: durationMs, failure } = event;
      tell({
        type: 'subagent/end',
        ...about(event),
        outcome,
        ...(output === undefined ? {} : { output }),
        ...(usage === undefined ? {} : { usage }),
        durationMs,
        ...(failure === undefined
          ? {}
          : { failure: failure instanceof Error ? failure.message : 'the teardown failed' }),
      });
    }),
  ];
}
