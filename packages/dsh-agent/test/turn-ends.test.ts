/** What a turn may end with, and what comes after it: A11, A12, A19. */
import { expect, it } from 'vitest';
import type { AgentHooks } from '../src/hooks.ts';
import type { ScriptedTurn } from '../src/testing/index.ts';
import { logOf, openWorld, say, tool } from './agent-world.ts';

interface Ending {
  readonly first?: ScriptedTurn;
  readonly hooks?: AgentHooks;
  readonly cancels?: boolean;
}

/** `value` where `m1` is what is asked about. */
const ofFirst = <T>(message: object | undefined, value: T): T | undefined =>
  (message as { readonly id?: string } | undefined)?.id === 'm1' ? value : undefined;

const endings: readonly (readonly [object, Ending])[] = [
  [{ kind: 'completed' }, { first: 'one' }],
  [{ kind: 'aborted', cause: 'budget' }, { first: { calls: [{ tool: 'cancel' }] } }],
  [{ kind: 'error', code: 'HTTP_401' }, { first: { error: { status: 401, code: 'HTTP_401' } } }],
  [{ kind: 'refused' }, { first: { text: 'no', finish: 'refused' } }],
  [
    { kind: 'refused' },
    {
      hooks: {
        beforeStep: ({ entries }) => ofFirst(entries[0]?.message, { kind: 'refuse' }),
      },
    },
  ],
  [{ kind: 'max-tokens' }, { first: { text: 'cut', finish: 'max-tokens' } }],
  [{ kind: 'max-steps' }, { first: { calls: [{ tool: 'work' }] } }],
  [
    { kind: 'budget' },
    { hooks: { beforeRequest: ({ request }) => ofFirst(request.messages.at(-1), { refuse: 'BUDGET' }) } },
  ],
  [
    { kind: 'error', code: 'TOO_DEAR' },
    { hooks: { beforeRequest: ({ request }) => ofFirst(request.messages.at(-1), { refuse: 'TOO_DEAR' }) } },
  ],
];

it.each(endings)(
  'goes on with the next waking entry after a turn that ended %j [A11 A12]',
  async (end, how) => {
    const { registry, tools } = await openWorld({
      script: [...(how.first === undefined ? [] : [how.first]), 'two'],
      limits: { steps: 1 },
      ...(how.hooks === undefined ? {} : { hooks: how.hooks }),
    });
    const { agent } = await registry.create();
    tools.register(tool('work', () => 'worked'));
    tools.register(
      tool('cancel', () => {
        agent.cancel('budget');
        agent.followup(say('m2'));
        return '';
      }),
    );
    const reasons: unknown[] = [];
    agent.on('agent/turn/end', ({ reason }) => reasons.push(reason));
    agent.followup(say('m1'));
    agent.followup(say('m2'));
    await agent.whenIdle();
    if ('cause' in end) {
      // The cancel took the entry with it; one that came afterwards is another message.
      agent.followup(say('m3'));
      await agent.whenIdle();
    }
    expect(reasons[0]).toMatchObject(end);
    expect(reasons[1]).toEqual({ kind: 'completed' });
    expect(logOf(agent.session).slice(-2)).toEqual(['assistant two', 'end 1 completed']);
    expect(agent.inbox.parked).toBe(false);
  },
);

const failing = (name: keyof AgentHooks): AgentHooks => ({
  requestApproval: () => true,
  [name]: () => {
    throw new Error('no');
  },
});

it.each(['beforeStep', 'beforeRequest', 'beforeToolCall', 'afterToolCall', 'requestApproval'] as const)(
  'ends with an error and parks when the hook %s throws, and leaves no call without a result [A19 A11]',
  async (name) => {
    const { registry, tools, model } = await openWorld({
      hooks: failing(name),
      script: [{ calls: [{ tool: 't' }, { tool: 't' }] }, 'never'],
    });
    const { agent } = await registry.create();
    let ran = 0;
    tools.register(tool('t', () => String((ran += 1)), { approval: true, exclusive: true }));
    agent.followup(say('m1'));
    agent.followup(say('m2'));
    await agent.whenIdle();
    const log = logOf(agent.session);
    expect(agent.session.events().at(-1)?.data).toMatchObject({
      reason: { kind: 'error', code: 'HOOK_FAILED' },
    });
    expect([agent.inbox.parked, agent.inbox.list().at(-1)?.message.id]).toEqual([true, 'm2']);
    const asked = name === 'beforeStep' || name === 'beforeRequest' ? 0 : 1;
    expect(model.requests).toHaveLength(asked);
    expect(log.filter((line) => line.startsWith('result'))).toHaveLength(2 * asked);
    expect(ran).toBe(name === 'afterToolCall' ? 1 : 0);
  },
);

it('tells what streams, with its turn and step, and nothing after the abort [A12 A21]', async () => {
  const { registry, tools, model } = await openWorld({
    script: [
      { text: 'abc', calls: [{ tool: 't' }] },
      { text: 'def', hold: 'h' },
    ],
  });
  const { agent } = await registry.create();
  tools.register(tool('t', () => 'ran'));
  const seen: string[] = [];
  agent.on('agent/stream', ({ turn, step, event }) => {
    const what = event.type === 'text' ? event.delta : event.type;
    seen.push(`${turn}.${step} ${what}`);
    if (what === 'e') agent.cancel('user');
  });
  agent.followup(say('m1'));
  await agent.whenIdle();
  model.release('h');
  expect(seen.filter((line) => !line.includes('block-end'))).toEqual([
    '0.0 a',
    '0.0 b',
    '0.0 c',
    '0.0 tool-call',
    '0.0 finish',
    '0.1 d',
    '0.1 e',
  ]);
  expect(logOf(agent.session).slice(-2)).toEqual(['assistant de (interrupted)', 'end 0 aborted']);
});

it('tells of a turn that failed before its end, and of none that was cancelled [A12 A20]', async () => {
  const { registry } = await openWorld({
    script: [{ error: { status: 401, code: 'HTTP_401' } }, { error: { status: 401, code: 'HTTP_401' } }],
    hooks: {
      async beforeRequest({ agent, request }) {
        if (ofFirst(request.messages.at(-1), true)) return undefined;
        agent.cancel('user');
        agent.cancel({ code: 'LATER' });
        return Promise.reject(new Error('too late to count'));
      },
    },
  });
  const { agent } = await registry.create();
  const told: string[] = [];
  agent.on('agent/error', ({ error }) => told.push(`error ${(error as { code?: string }).code ?? ''}`));
  agent.on('agent/turn/end', ({ reason }) => told.push(JSON.stringify(reason)));
  agent.followup(say('m1'));
  await agent.whenIdle();
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect(told).toEqual([
    'error HTTP_401',
    expect.stringContaining('"kind":"error","code":"HTTP_401"'),
    '{"kind":"aborted","cause":"user"}',
  ]);
});

it('tells why the result of a call that was cut short is not in the log [A12 A14]', async () => {
  const { registry } = await openWorld({
    script: [{ text: 'long', calls: [{ tool: 'work' }], finish: 'max-tokens' }],
  });
  const { agent } = await registry.create({
    setup: ({ session }) => {
      const append = session.append.bind(session);
      session.append = (type: string, ...rest: [never]) => {
        if (type === 'tool/result') throw new Error('no room');
        return append(type as never, ...rest);
      };
    },
  });
  const told: string[] = [];
  agent.on('agent/error', ({ error }) => told.push(error.message));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(told[0]).toBe('no room');
  expect(agent.inbox.parked).toBe(true);
});
