/** Bugs in turns, tool calls, requests and ends. */
import type { Mutant } from '@dsh-internal/schedule-testing';

const src = 'packages/dsh-agent/src/';

export const ofTurns: readonly Mutant[] = [
  {
    name: 'an aborted turn claims',
    breaks: 'A22 A23',
    file: `${src}claim-step.ts`,
    search: '(A22).\n  turn.signal.throwIfAborted();',
    replace: '(A22).',
  },
  {
    name: 'a tool begins although its start was the reason to cancel',
    breaks: 'A21 A23',
    file: `${src}tool-call.ts`,
    search: "  if (isAborted(turn.signal)) return textResult('not-started', notStarted);\n",
    replace: '',
  },
  {
    name: 'a call begins although the turn was aborted while it was looked at',
    breaks: 'A21',
    file: `${src}tool-call.ts`,
    search: "  turn.signal.throwIfAborted();\n  core.session.append('tool/start'",
    replace: "  core.session.append('tool/start'",
  },
  {
    name: 'results are logged as they come',
    breaks: 'A14',
    file: `${src}tool-calls.ts`,
    search: '        if (call === undefined || ready === undefined) return;\n',
    replace:
      '        if (call === undefined) return;\n        if (ready === undefined) { next += 1; continue; }\n',
  },
  {
    name: 'an exclusive tool runs beside others',
    breaks: 'A14',
    file: `${src}tool-calls.ts`,
    search: '(exclusive || alone || running.size >= limit)',
    replace: '(exclusive || running.size >= limit)',
  },
  {
    name: 'more tools run than the limit says',
    breaks: 'A14',
    file: `${src}tool-calls.ts`,
    search: 'running.size >= limit)',
    replace: 'running.size > limit)',
  },
  {
    name: 'a steer does not extend the turn',
    breaks: 'A5',
    file: `${src}turn-plan.ts`,
    search: "return mayExtend(facts) ? { kind: 'step', onlyFor: 'claim' }",
    replace: "return mayExtend(facts) && facts.steps > 1 ? { kind: 'step', onlyFor: 'claim' }",
  },
  {
    name: 'an aborted turn goes on',
    breaks: 'A22',
    file: `${src}turn-plan.ts`,
    search: "if (aborted !== undefined) return end({ kind: 'aborted', cause: aborted });",
    replace: '',
  },
  {
    name: 'the step limit comes one step late',
    breaks: 'A18',
    file: `${src}turn-plan.ts`,
    search: 'return facts.steps < facts.stepLimit ?',
    replace: 'return facts.steps <= facts.stepLimit ?',
  },
  {
    name: 'a stopped agent takes the next turn',
    breaks: 'A23',
    file: `${src}loop.ts`,
    search: "this.#core.phase.life === 'open' && this.#core.inbox.state.hasWork;",
    replace: 'this.#core.inbox.state.hasWork;',
  },
  {
    name: 'nobody looks for work again at the end of a turn',
    breaks: 'A11',
    file: `${src}loop.ts`,
    search: 'while (this.#isDue()) {',
    replace: 'if (this.#isDue()) {',
  },
  {
    name: 'a status is told as the one before',
    breaks: 'A9',
    file: `${src}create-agent.ts`,
    search: 'if (status !== this.#told) {',
    replace: "if (status !== this.#told || status === 'running') {",
  },
  {
    name: 'who waits for rest is not told of it',
    breaks: 'A10',
    file: `${src}loop.ts`,
    search: "    core.enter('rest');\n    core.tellStatus();",
    replace: "    core.enter('rest');",
  },
  {
    name: 'an interrupted answer keeps its calls',
    breaks: 'A15',
    file: `${src}answer.ts`,
    search: "blocks.filter(({ type }) => type !== 'tool-call')",
    replace: 'blocks',
  },
  {
    name: 'a request leaves results out',
    breaks: 'A13',
    file: `${src}request.ts`,
    search: '        messages: session.history(),',
    replace:
      "        messages: session.history().slice(-40).filter(({ role }, index) => index < 3 || role !== 'tool'),",
  },
  {
    name: 'a place of the limiter is kept by who has failed',
    breaks: 'A33 A10',
    file: `${src}limiter.ts`,
    search: '      data.active -= 1;\n',
    replace: "      if (result.kind === 'ok') data.active -= 1;\n",
  },
  {
    name: 'the limit of model calls is one too many',
    breaks: 'A33',
    file: `${src}limiter.ts`,
    search: 'return active < limit &&',
    replace: 'return active <= limit &&',
  },
  {
    name: 'a disposal leaves the log open',
    breaks: 'A23 S11',
    file: `${src}dispose-agent.ts`,
    search: "bounded(live, 'closing the session', (async () => sessions.close(core.session))())",
    replace:
      "bounded(live, 'closing the session', Promise.resolve().then(() => sessions.close(core.session)))",
  },
  {
    name: 'what a step checkpoint waits for is not written',
    breaks: 'A17',
    file: `${src}step.ts`,
    search: "if (core.services.checkpoint === 'step') {",
    replace: "if (core.services.checkpoint === 'step' && step > 0) {",
  },
];
