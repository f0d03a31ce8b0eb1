/** Bugs that wide schedules alone can find: in limits, durable inboxes, repeated ids, and prompts. */
import type { Mutant } from '@dsh-internal/schedule-testing';
import { agent, subagents } from './planted-files.ts';
import { wideFrom } from './settings.ts';

const from = wideFrom;

export const ofWide: readonly Mutant[] = [
  {
    ...{ name: 'nobody counts the living', breaks: 'M46', from },
    file: `${subagents}admission/limits.ts`,
    search: "tooMany('maxLive', live, limits.maxLive) ?? ",
    replace: '',
  },
  {
    ...{ name: 'one child too many is started', breaks: 'M46', from },
    file: `${subagents}admission/limits.ts`,
    search: 'count < most) return',
    replace: 'count <= most) return',
  },
  {
    ...{ name: 'a budget refuses nothing', breaks: 'M46', from },
    file: `${subagents}admission/accounts.ts`,
    search: 'if (!ledger.budget.reserve(agent, estimateOf(agent, request)))',
    replace: 'if (!ledger.budget.reserve(agent, estimateOf(agent, request)) && request.messages.length < 0)',
  },
  {
    ...{ name: 'the distance from a person is not bounded', breaks: 'M47', from },
    file: `${subagents}admission/admit.ts`,
    search: 'if (hops > maxHops) throw',
    replace: 'if (hops > maxHops + 100) throw',
  },
  {
    ...{ name: 'a notice wakes at any distance', breaks: 'M47', from },
    file: `${subagents}lifecycle/notify.ts`,
    search: ' || hops > maxHops',
    replace: '',
  },
  {
    ...{ name: 'a repeated message counts as a new one', breaks: 'M17 M33', from },
    file: `${subagents}admission/admit.ts`,
    search: 'if (slot.insertions === insertions)',
    replace: 'if (slot.insertions < insertions)',
  },
  {
    ...{ name: 'a resume needs its provider', breaks: 'M20', from },
    file: `${subagents}lifecycle/resume.ts`,
    search: '  const { provider, label, maxDepth } = descriptor;\n',
    replace:
      "  const { provider, label, maxDepth } = descriptor;\n  if (!context.providers.has(provider)) throw subagentError('NO_PROVIDER', what);\n",
  },
  {
    ...{ name: 'a durable acceptance is not restored', breaks: 'A31', from },
    file: `${agent}inbox-events.ts`,
    search: "if (state.outcome(event.data.message.id) === 'unknown') {",
    replace: "if (state.outcome(event.data.message.id) === 'unknown' && event.seq < 0) {",
  },
  {
    ...{ name: 'what was consumed waits again', breaks: 'A31', from },
    file: `${agent}inbox-events.ts`,
    search: '        state.learn(event.data.id, event.seq);\n',
    replace: '',
  },
];
