/** Bugs that break one rule alone, and those that only parts which go wrong bring to light. */
import type { Mutant } from '@dsh-internal/schedule-testing';
import { subagents } from './planted-files.ts';
import { faultyFrom } from './settings.ts';

export const ofRules: readonly Mutant[] = [
  {
    name: 'a message of an agent is a turn of its own',
    breaks: 'M15',
    file: `${subagents}lifecycle/send.ts`,
    search: '        child.steer({ ...input,',
    replace: '        child.followup({ ...input,',
  },
  {
    name: 'a message does not say who has sent it',
    breaks: 'M16',
    file: `${subagents}lifecycle/send.ts`,
    search: 'return framedContent(sender.id, readContent(content, what));',
    replace: 'return readContent(content, what);',
  },
  {
    name: 'a stranger hears that somebody is there',
    breaks: 'M12',
    file: `${subagents}lifecycle/resume.ts`,
    search:
      "if (head?.header.parentSession !== parentId || head.header.origin !== 'subagent') throw unauthorized();",
    replace:
      "if (head === undefined || head.header.origin !== 'subagent') throw unauthorized();\n  if (head.header.parentSession !== parentId) throw notResumable(childId, 'it is not yours');",
  },
  {
    name: 'a host interrupts in whatever name',
    breaks: 'M39',
    file: `${subagents}lifecycle/interrupt.ts`,
    search: 'if (parentId !== parentSessionId) throw unauthorized();',
    replace: 'if (parentId === undefined) throw unauthorized();',
  },
  {
    name: 'an outcome forgets what was discarded',
    breaks: 'M33',
    file: `${subagents}notice/outcome.ts`,
    search: 'if (discardedAfter || lastTurnEnd === undefined)',
    replace: 'if (lastTurnEnd === undefined)',
  },
  {
    name: 'what is below a child that was taken away counts as taken away',
    breaks: 'M32',
    file: `${subagents}lifecycle/materialize.ts`,
    search: "(closed === slot ? 'fenced' : 'drain')",
    replace: "(closed.runId === '' ? 'drain' : 'fenced')",
  },
  {
    name: 'whatever ends is called a drain',
    breaks: 'M24 M42',
    file: `${subagents}admission/admit.ts`,
    search: 'return context.gate.closedOver(lineage) ? draining(what)',
    replace: 'return lineage.length > 0 ? draining(what)',
  },
  {
    name: 'who is on its way out waits for its targets',
    breaks: 'M14',
    file: `${subagents}lifecycle/watch.ts`,
    search: "if (status === 'closing')",
    replace: "if (status === 'closing' && agent.session.turns < 0)",
  },
  {
    name: 'a child is told to be parked while it owns children',
    breaks: 'M25',
    file: `${subagents}lifecycle/settle.ts`,
    search: 'if (slot.parkedTold || context.slots.ownsAny(slot.childId)) return;',
    replace: 'if (slot.parkedTold) return;',
  },
  {
    name: 'a header says the depth of the parent',
    breaks: 'M8',
    file: `${subagents}lifecycle/start.ts`,
    search: 'delegationDepth: depth,',
    replace: 'delegationDepth: depth - 1,',
  },
  {
    ...{ name: 'an agent whose disposal has failed stays', breaks: 'M29', from: faultyFrom },
    file: `${subagents}lifecycle/dispose-agent.ts`,
    search: '    leaveBehind(agents, handle);\n    throw error;',
    replace: '    throw error;',
  },
  {
    ...{ name: 'what a disposal waits for has no end', breaks: 'M31', from: faultyFrom },
    file: `${subagents}lifecycle/deadline.ts`,
    search: 'return watched(Promise.race([work, deadline.reached]), deadline);',
    replace: 'return watched(work, deadline);',
  },
];
