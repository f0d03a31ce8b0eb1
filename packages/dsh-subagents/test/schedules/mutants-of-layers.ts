/** Bugs in the agent and in the session below the runtime. */
import type { Mutant } from '@dsh-internal/schedule-testing';
import { agent, session } from './planted-files.ts';

export const ofAgents: readonly Mutant[] = [
  {
    name: 'a turn claims every waiting turn',
    breaks: 'A4',
    file: `${agent}inbox-state.ts`,
    search: 'if (decided && steps === 0) break;\n    const first = !decided && entry.wake;',
    replace: "const first = at === 'turn' && entry.wake;",
  },
  {
    name: 'a stopped agent takes the next turn',
    breaks: 'A23',
    file: `${agent}loop.ts`,
    search: "this.#core.phase.life === 'open' && this.#core.inbox.state.hasWork;",
    replace: 'this.#core.inbox.state.hasWork;',
  },
  {
    name: 'a disposed agent says nothing of what waited',
    breaks: 'A24',
    file: `${agent}dispose-agent.ts`,
    search: "  core.inbox.discard(core.inbox.state.list(), 'disposed' satisfies DiscardReason);\n",
    replace: '',
  },
  {
    name: 'a batch that failed is not written again',
    breaks: 'S12',
    file: `${session}writing/write-queue.ts`,
    search: 'this.#events = [...part.events, ...this.#events];',
    replace: 'this.#events = [...this.#events];',
  },
  {
    name: 'a discarded Session keeps its place',
    breaks: 'S4 M29',
    file: `${session}front/ending.ts`,
    search: '  if (!fenced) await leave(context, resident);',
    replace: "  if (!fenced && phase !== 'provisional') await leave(context, resident);",
  },
];
