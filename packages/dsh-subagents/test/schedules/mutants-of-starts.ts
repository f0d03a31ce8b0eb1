/** Bugs in admission, delivery and start. */
import type { Mutant } from '@dsh-internal/schedule-testing';
import { subagents } from './planted-files.ts';

export const ofAdmission: readonly Mutant[] = [
  {
    name: 'a start reserves its slot too late',
    breaks: 'M2',
    file: `${subagents}lifecycle/start.ts`,
    search: '  context.slots.add(slot);\n  return slot;',
    replace: '  void Promise.resolve().then(() => context.slots.add(slot));\n  return slot;',
  },
  {
    name: 'final admission does not look at the parent',
    breaks: 'M4 M24',
    file: `${subagents}admission/admit.ts`,
    search:
      '  if (!isExactLive(context, parent) || slot.parentId !== parent.id) throw unauthorized();\n  assertAdmitting(context, parent, what);\n',
    replace: '',
  },
  {
    name: 'a stored child does not say whose it is',
    breaks: 'M12',
    file: `${subagents}lifecycle/resume.ts`,
    search:
      "if (head?.header.parentSession !== parentId || head.header.origin !== 'subagent') throw unauthorized();",
    replace: "if (head?.header.origin !== 'subagent') throw unauthorized();",
  },
  {
    name: 'a read stands for a reservation',
    breaks: 'M13 M28',
    file: `${subagents}lifecycle/resume.ts`,
    search: 'if (lane.asks.length === 0 || context.slots.get(targetId) !== undefined) return;',
    replace: 'if (lane.asks.length === 0) return;',
  },
  {
    name: 'an interrupt does not look at the chain',
    breaks: 'M39',
    file: `${subagents}lifecycle/interrupt.ts`,
    search: 'if (!own || !isExactLive',
    replace: 'if (!isExactLive',
  },
  {
    name: 'the last delivery of a lane goes first',
    breaks: 'M14',
    file: `${subagents}lifecycle/lane.ts`,
    search: 'const ask = lane.asks.shift();',
    replace: 'const ask = lane.asks.pop();',
  },
  {
    name: 'a courier looks once',
    breaks: 'M14 M28',
    file: `${subagents}lifecycle/lane.ts`,
    search: 'while (lane.asks.length > 0) {\n    const asking',
    replace: 'if (lane.asks.length > 0) {\n    const asking',
  },
  {
    name: 'one who leaves takes the others along',
    breaks: 'M22',
    file: `${subagents}lifecycle/lane.ts`,
    search: 'endAsk(lane, ask, signal?.reason);',
    replace: 'refuseLane(lane, signal?.reason);\n        retire(lane);',
  },
];

export const ofStarts: readonly Mutant[] = [
  {
    name: 'a started child is never committed',
    breaks: 'M43 S4',
    file: `${subagents}lifecycle/start.ts`,
    search: '    context.sessions.commit(agent.session);\n',
    replace: '',
  },
  {
    name: 'a start is written before it is accepted',
    breaks: 'M5 S4',
    file: `${subagents}lifecycle/start.ts`,
    search: 'provisional: true,',
    replace: 'provisional: false,',
  },
  {
    name: 'a failed start keeps its slot',
    breaks: 'M5',
    file: `${subagents}lifecycle/materialize.ts`,
    search: "if (own) closeSlots(context, [slot, ...context.slots.below(slot.childId)], 'rollback');",
    replace: 'if (own) slot.released.resolve();',
  },
  {
    name: 'a start that is closing is told all the same',
    breaks: 'M5 M41',
    file: `${subagents}lifecycle/materialize.ts`,
    search: '    assertOpen(slot);\n    announce(context, slot);',
    replace: '    announce(context, slot);',
  },
];
