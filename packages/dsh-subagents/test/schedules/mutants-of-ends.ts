/** Bugs in settlement, disposal and drain. */
import type { Mutant } from '@dsh-internal/schedule-testing';
import { subagents } from './planted-files.ts';

export const ofSettling: readonly Mutant[] = [
  {
    name: 'a child settles under its own message',
    breaks: 'M13',
    file: `${subagents}activation/slots.ts`,
    search: 'return slot.holds === 0 && !isBusy(slot)',
    replace: 'return !isBusy(slot)',
  },
  {
    name: 'a child settles while it owns children',
    breaks: 'M25 M26',
    file: `${subagents}activation/slots.ts`,
    search: ' && !slots.ownsAny(slot.childId);',
    replace: ';',
  },
  {
    name: 'a child settles with parked work',
    breaks: 'M18 M25',
    file: `${subagents}activation/slots.ts`,
    search: '!isBusy(slot) && !hasParkedWork(slot) && ',
    replace: '!isBusy(slot) && ',
  },
  {
    name: 'nobody looks again after the natural flush',
    breaks: 'M27 M28',
    file: `${subagents}lifecycle/settle.ts`,
    search: 'if (!isQuiescent(context.slots, slot)) {\n      slot.settling = false;',
    replace: 'if (slot.warmth !== undefined) {\n      slot.settling = false;',
  },
  {
    name: 'a warm child is not let go again',
    breaks: 'M25',
    file: `${subagents}lifecycle/settle.ts`,
    search: '      slot.warmth = undefined;\n      context.detach',
    replace: '      context.detach',
  },
  {
    name: 'a parent does not hear that its child is gone',
    breaks: 'M25',
    file: `${subagents}lifecycle/close.ts`,
    search: 'context.changed(context.slots.get(slot.parentId));',
    replace: 'context.changed();',
  },
  {
    name: 'a prompt keeps whom it has held',
    breaks: 'M25 M45',
    file: `${subagents}lifecycle/prompt.ts`,
    search: 'for (const hold of held) hold',
    replace: 'for (const hold of held.slice(2)) hold',
  },
  {
    name: 'who waits for quiescence is deaf after a drain',
    breaks: 'M41',
    file: `${subagents}lifecycle/quiescence.ts`,
    search: "context().agents.on('agent/status', changed)",
    replace: "context().agents.on('agent/status', () => undefined)",
  },
];

export const ofClosing: readonly Mutant[] = [
  {
    name: 'a release does not wait for the children',
    breaks: 'M29',
    file: `${subagents}lifecycle/close.ts`,
    search: "  await judge('what is below', () => watched(below, deadline));\n",
    replace: '',
  },
  {
    name: 'a drain stops each agent only when its turn comes',
    breaks: 'M41',
    file: `${subagents}lifecycle/close.ts`,
    search: 'fresh.map((slot) => [slot, stopAgent(slot)])',
    replace: 'fresh.map((slot) => [slot, []])',
  },
  {
    name: 'the place is given away before the agent is gone',
    breaks: 'M28 M29',
    file: `${subagents}lifecycle/close.ts`,
    search: "    await judge('the agent of',",
    replace: "    context.slots.remove(slot);\n    await judge('the agent of',",
  },
  {
    name: 'the parent hears when the edge is cut already',
    breaks: 'M33 M35',
    file: `${subagents}lifecycle/close.ts`,
    search: '  if (slot.accepted) notifyParent(context, slot, outcome, output);\n',
    replace:
      '  queueMicrotask(() => { if (slot.accepted) notifyParent(context, slot, outcome, output); });\n',
  },
  {
    name: 'the end of a first epoch is not told',
    breaks: 'M29',
    file: `${subagents}lifecycle/close.ts`,
    search: "    context.events.emit('subagent/end', {",
    replace: "    if (slot.resumed) context.events.emit('subagent/end', {",
  },
  {
    name: 'a notice under a closing lineage is steered',
    breaks: 'M33 M35',
    file: `${subagents}lifecycle/notify.ts`,
    search: 'if (quiet) parent.inject(message);',
    replace: 'if (hops < 0) parent.inject(message);',
  },
  {
    name: 'a notice wakes nobody',
    breaks: 'M35',
    file: `${subagents}lifecycle/notify.ts`,
    search: 'else parent.steer(message);',
    replace: 'else parent.inject(message);',
  },
  {
    name: 'work that was given directly counts for nothing',
    breaks: 'M33',
    file: `${subagents}lifecycle/watch.ts`,
    search: "        slot.accepted ||= slot.resumed || slot.phase !== 'starting';\n",
    replace: '',
  },
  {
    name: 'an interrupt discards what waits',
    breaks: 'M40',
    file: `${subagents}lifecycle/interrupt.ts`,
    search: '{ keepInbox: !discard }',
    replace: '{ keepInbox: discard }',
  },
];

export const ofDrains: readonly Mutant[] = [
  {
    name: 'a drain below a root leaves the gate open',
    breaks: 'M42',
    file: `${subagents}lifecycle/drain.ts`,
    search: '  for (const root of roots) context.gate.closeBelow(root);\n',
    replace: '',
  },
  {
    name: 'a drain takes direct children alone',
    breaks: 'M42',
    file: `${subagents}lifecycle/drain.ts`,
    search: 'chain.some((id) => ids.has(id));',
    replace: 'chain.slice(0, 1).some((id) => ids.has(id));',
  },
  {
    name: 'a chain holds the parent alone',
    breaks: 'M42',
    file: `${subagents}context.ts`,
    search: 'return [agent.id, ...slot.chain];',
    replace: 'return [agent.id, slot.parentId];',
  },
  {
    name: 'a drain does not wait',
    breaks: 'M41',
    file: `${subagents}lifecycle/drain.ts`,
    search: 'return together([released, oneShots.settled()]);',
    replace: 'return together([oneShots.settled()]);',
  },
  {
    name: 'a gate stays closed for the next of that name',
    breaks: 'M42',
    file: `${subagents}admission/gate.ts`,
    search: 'if (below.get(root.id) === root) below.delete(root.id);',
    replace: 'if (below.get(root.id) !== root) below.delete(root.id);',
  },
];
