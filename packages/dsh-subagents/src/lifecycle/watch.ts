/**
 * Hears what the program's agents tell, and turns it into the facts of slots.
 * I1. A fact is written first, and only then does anybody look.
 */
import type { Agent } from '@deepseek-ai/dsh-agent';
import type { Registration } from '@deepseek-ai/dsh-session';
import { closing } from '../admission/admit.ts';
import type { Context } from '../context.ts';

/** Registers for everything that the runtime has to hear. */
export function watchAgents(context: Context): readonly Registration[] {
  const { agents, slots, lanes, hops, changed } = context;
  return [
    agents.on('agent/status', ({ agent, status }) => {
      // Who is on its way out waits for nobody (M14).
      if (status === 'closing')
        lanes.endWhere((asker) => asker.agent === agent, closing('Not delivered', agent.id));
      changed(slots.of(agent));
    }),
    agents.on('agent/inbox/enqueue', ({ agent, wake }) => {
      const slot = slots.of(agent);
      if (slot !== undefined && wake) {
        // Work that is given to the agent directly is accepted work too, but none makes a new child before its task does.
        slot.accepted ||= slot.resumed || slot.phase !== 'starting';
        slot.insertions += 1;
      }
      changed(slot);
    }),
    agents.on('agent/inbox/dequeue', ({ agent, message }) => {
      hops.claimed(agent, message);
    }),
    agents.on('agent/inbox/discard', ({ agent, wake }) => {
      const slot = slots.of(agent);
      // By the log, and not by which of both is heard first: who hears of the end before may discard at once.
      if (slot !== undefined && wake && !agent.session.turnOpen) slot.discardedAfter = agent.session.turns;
      changed(slot);
    }),
    agents.on('agent/turn/end', ({ agent, reason }) => {
      const slot = slots.of(agent);
      if (slot !== undefined) slot.lastTurnEnd = reason;
    }),
    agents.on('agent/disposed', ({ agent }) => {
      context.gate.forget(agent);
      context.accounts.left(agent);
      reportUndrained(context, agent);
      changed();
    }),
  ];
}

/** A host drains before it disposes a top-level agent; where it does not, its children go on (M43). */
function reportUndrained(context: Context, agent: Agent): void {
  if (context.slots.get(agent.id) !== undefined) return;
  const left = context.slots.below(agent.id);
  if (left.length === 0) return;
  context.report({
    code: 'root-not-drained',
    level: 'warning',
    message: `${agent.id} was disposed while ${String(left.length)} of its descendants are live. They go on, settle, and stay resumable.`,
    sessionId: agent.id,
  });
}
