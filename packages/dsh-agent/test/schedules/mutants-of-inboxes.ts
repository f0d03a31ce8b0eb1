/** Bugs in acceptance, claims, marks and the durable inbox. */
import type { Mutant } from '@dsh-internal/schedule-testing';

const src = 'packages/dsh-agent/src/';

export const ofInboxes: readonly Mutant[] = [
  {
    name: 'an id that was consumed is accepted again',
    breaks: 'A1',
    file: `${src}inbox.ts`,
    search: "if (state.outcome(message.id) !== 'unknown') return message.id;",
    replace: "if (state.outcome(message.id) === 'waiting') return message.id;",
  },
  {
    name: 'a turn claims two turn entries',
    breaks: 'A4',
    file: `${src}inbox-state.ts`,
    search: "entry.boundary === 'step' || entry === first);",
    replace: "entry.boundary === 'step' || first !== undefined);",
  },
  {
    name: 'the first entry decides, waking or not',
    breaks: 'A4',
    file: `${src}inbox-state.ts`,
    search: 'waiting.find(({ wake }) => wake)',
    replace: 'waiting[0]',
  },
  {
    name: 'an agent takes the mark of a person away',
    breaks: 'A20',
    file: `${src}inbox-state.ts`,
    search: "return entry.wake && (mark !== 'user' || kind === 'user');",
    replace: 'return entry.wake && kind.length > 0 && mark !== undefined;',
  },
  {
    name: 'a quiet entry takes the mark away',
    breaks: 'A20',
    file: `${src}inbox-state.ts`,
    search: 'return entry.wake && (mark',
    replace: 'return (mark',
  },
  {
    name: 'a failed claim loses its batch',
    breaks: 'A3',
    file: `${src}inbox.ts`,
    search: '    state.putBack(batch);\n',
    replace: '',
  },
  {
    name: 'a cancel that keeps marks nothing',
    breaks: 'A20',
    file: `${src}create-agent.ts`,
    search: 'inbox.state.hasWork)) inbox.park(cause);',
    replace: 'inbox.state.hasWork && turn !== undefined)) inbox.park(cause);',
  },
  {
    name: 'a disposal says nothing of what waited',
    breaks: 'A24',
    file: `${src}dispose-agent.ts`,
    search: "if (pending === 'discard' || !core.inbox.view.durable) {",
    replace: "if (pending === 'discard') {",
  },
  {
    name: 'a disposal discards what a log has kept',
    breaks: 'A24 A31',
    file: `${src}dispose-agent.ts`,
    search: "if (pending === 'discard' || !core.inbox.view.durable) {",
    replace: 'if (pending.length > 0) {',
  },
  {
    name: 'a discard is not logged',
    breaks: 'A31',
    file: `${src}inbox.ts`,
    search: 'if (gone.length > 0) journal.discarded(gone, reason);',
    replace: '',
  },
  {
    name: 'a resume forgets the mark',
    breaks: 'A20 A31',
    file: `${src}inbox-events.ts`,
    search: '        state.park(event.data.cause);\n',
    replace: '',
  },
  {
    name: 'a resume forgets what was consumed',
    breaks: 'A31',
    file: `${src}inbox-events.ts`,
    search: '        state.learn(event.data.id, event.seq);\n',
    replace: '',
  },
  {
    name: 'a model is shown a claim that is not durable',
    breaks: 'A31',
    file: `${src}step.ts`,
    search: 'if (count > 0 && core.inbox.view.durable)',
    replace: 'if (count > 9 && core.inbox.view.durable)',
  },
  {
    name: 'an acceptance is called durable when it is not',
    breaks: 'A31',
    file: `${src}acceptance.ts`,
    search: 'if (!waitsToBeWritten(session, id)) return;',
    replace: 'if (waitsToBeWritten(session, id)) return;',
  },
];
