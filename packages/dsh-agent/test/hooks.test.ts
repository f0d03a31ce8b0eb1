import { expect, it } from 'vitest';
import type { AgentHooks, StepDecision } from '../src/hooks.ts';
import { drainMicrotasks } from '../src/testing/index.ts';
import { claims, logOf, openWorld, relay, say, textOf, tool } from './agent-world.ts';

const withHooks = async (hooks: AgentHooks, script = {}) => {
  const world = await openWorld({ hooks, ...script });
  const { agent } = await world.registry.create();
  return {
    ...world,
    agent,
    seen: claims(agent),
    waiting: () => agent.inbox.list().map(({ message }) => message.id),
  };
};

it('a hook that throws parks the whole inbox, in order, without a hot loop [O5 A11][A19]', async () => {
  let calls = 0;
  const { agent, waiting } = await withHooks({
    beforeStep() {
      calls += 1;
      throw new Error('no');
    },
  });
  agent.followup(say('m1'));
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect([calls, waiting(), agent.inbox.parked]).toEqual([1, ['m1', 'm2'], true]);
  expect(agent.session.events().at(-1)?.data).toMatchObject({
    reason: { kind: 'error', code: 'HOOK_FAILED' },
  });
});

it('what is removed while a hook looks at it is not logged [O6 A19]', async () => {
  let decide!: (decision: StepDecision) => void;
  let entries: readonly never[] = [];
  const { agent, told, model } = await withHooks({
    beforeStep: (event) => {
      entries = event.entries as never;
      return new Promise((resolve) => {
        decide = resolve;
      });
    },
  });
  agent.followup(say('m1'));
  await drainMicrotasks();
  agent.inbox.remove('m1' as never);
  decide({ kind: 'claim', entries });
  await agent.whenIdle();
  expect(logOf(agent.session)).toEqual(['turn 0', 'end 0 completed']);
  expect(told.filter((line) => line.startsWith('inbox/discard'))).toEqual(['inbox/discard m1 removed']);
  expect(model.requests).toHaveLength(0);
});

it('defers: the entries stay and the inbox is parked, and so does a claim of nothing [A11][A19]', async () => {
  for (const decision of [{ kind: 'defer' }, { kind: 'claim', entries: [] }] as const) {
    const { agent, waiting } = await withHooks({ beforeStep: () => decision });
    agent.followup(say('m1'));
    await agent.whenIdle();
    expect([waiting(), agent.inbox.parked]).toEqual([['m1'], true]);
    expect(logOf(agent.session)).toEqual(['turn 0', 'end 0 aborted']);
  }
});

it('goes on with a turn whose later claim is deferred [A19]', async () => {
  const script = { script: [{ calls: [{ tool: 't' }] }, 'done'] };
  let first = true;
  const { agent, tools, waiting } = await withHooks(
    {
      beforeStep: () => {
        const decision: StepDecision | undefined = first ? undefined : { kind: 'defer' };
        first = false;
        return decision;
      },
    },
    script,
  );
  tools.register(tool('t', () => agent.steer(relay('s1'))));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect([waiting(), agent.inbox.parked]).toEqual([['s1'], true]);
  expect(logOf(agent.session).slice(-2)).toEqual(['assistant done', 'end 0 completed']);
});

it('completes a turn whose extension by a steer is deferred [A5 A19]', async () => {
  const { registry } = await openWorld({
    hooks: {
      beforeStep: ({ entries }) =>
        entries.some(({ message }) => message.id === 's1') ? { kind: 'defer' } : { kind: 'claim', entries },
      beforeRequest: ({ agent }) => void agent.steer(relay('s1')),
    },
  });
  const { agent } = await registry.create();
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session).at(-1)).toBe('end 0 completed');
  expect([agent.inbox.parked, agent.inbox.list().length]).toEqual([true, 1]);
});

it('claims nothing that a hook has made up [A19]', async () => {
  const { agent } = await withHooks({
    beforeStep: ({ entries: [first] }) => {
      const invented = { ...first!, message: { ...first!.message, id: 'invented' as never } };
      return { kind: 'claim', entries: [first!, invented] };
    },
  });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session).slice(0, 2)).toEqual(['turn 0', 'user m1']);
  expect(logOf(agent.session).at(-1)).toBe('end 0 completed');
});

it('parks where a hook gives content that no log takes, also between steps [A11 A19]', async () => {
  const { agent, tools, waiting } = await withHooks(
    {
      beforeStep: ({ entries }) => ({
        kind: 'claim',
        entries: entries.map((entry) =>
          entry.message.id === 's1'
            ? { ...entry, message: { ...entry.message, content: [(): void => undefined] as never } }
            : entry,
        ),
      }),
    },
    { script: [{ calls: [{ tool: 't' }] }, 'done'] },
  );
  tools.register(tool('t', () => agent.steer(relay('s1'))));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(agent.session.events().at(-1)?.data).toMatchObject({ reason: { code: 'HOOK_FAILED' } });
  expect([waiting(), agent.inbox.parked, agent.session.turns]).toEqual([['s1'], true, 1]);
});

it('refuses: the proposed entries are discarded, and the next turn goes on [A19]', async () => {
  const { agent, told } = await withHooks({
    beforeStep: ({ entries }) => (entries[0]?.message.id === 'm1' ? { kind: 'refuse' } : undefined),
  });
  agent.followup(say('m1'));
  agent.followup(say('m2'));
  await agent.whenIdle();
  expect(told.filter((line) => line.startsWith('inbox/discard'))).toEqual(['inbox/discard m1 refused']);
  expect(logOf(agent.session)).toEqual([
    'turn 0',
    'end 0 refused',
    'turn 1',
    'user m2',
    'assistant (end of script)',
    'end 1 completed',
  ]);
});

it('claims what the hook chose, with the content that it gave, in acceptance order [A19]', async () => {
  const { agent, seen, model, waiting } = await withHooks({
    beforeStep: ({ entries }) => ({
      kind: 'claim',
      entries: entries
        .filter(({ message }) => message.id !== 'i2')
        .map((entry) => ({
          ...entry,
          message: {
            ...entry.message,
            content: [{ type: 'text', text: 'rewritten' }],
            source: { kind: 'user' },
          } as const,
        }))
        .reverse(),
    }),
  });
  for (const text of ['i1', 'i2']) agent.inject(relay(text));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect([seen, waiting()]).toEqual([['0.0 i1', '0.0 m1'], ['i2']]);
  expect(model.requests[0]?.messages.map(({ content }) => textOf(content))).toEqual([
    'rewritten',
    'rewritten',
  ]);
  expect(model.requests[0]?.messages[0]).toMatchObject({ source: { kind: 'agent-message' } });
});

it('asks no hook once the turn is aborted, and leaves one that does not answer [A19][A22]', async () => {
  const { agent } = await withHooks({ beforeStep: () => new Promise(() => {}) });
  agent.followup(say('m1'));
  await drainMicrotasks();
  expect(agent.cancel('user', { keepInbox: true })).toEqual({ turn: 0, kept: ['m1'], discarded: [] });
  await agent.whenIdle();
  expect(logOf(agent.session)).toEqual(['turn 0', 'end 0 aborted']);
});

it.each([
  ['BUDGET', { kind: 'budget' }],
  ['TOO_DEAR', { kind: 'error', code: 'TOO_DEAR' }],
])('ends a turn whose request is refused with %s before the model is asked [A19]', async (code, reason) => {
  const { agent, model } = await withHooks({ beforeRequest: () => ({ refuse: code }) });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(model.requests).toHaveLength(0);
  expect(agent.session.events().at(-1)?.data).toMatchObject({ reason });
});

it('puts the output of a hook in the place of a call or of its output [A19]', async () => {
  const { agent, tools } = await withHooks(
    {
      beforeToolCall: ({ call }) =>
        call.name === 'denied' ? { content: 'not here', isError: true } : undefined,
      afterToolCall: ({ output }) => (typeof output === 'string' ? `<${output}>` : output),
    },
    { script: [{ calls: [{ tool: 'denied' }, { tool: 't' }] }, 'done'] },
  );
  tools.register(tool('denied', () => 'ran'));
  tools.register(tool('t', () => 'ran'));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session).slice(3, 6)).toEqual([
    'start t',
    'result denied error: not here',
    'result t ok: <ran>',
  ]);
});

it('keeps the output of a tool whose afterToolCall throws, and then parks [A19]', async () => {
  const { agent, tools } = await withHooks(
    {
      afterToolCall() {
        throw new Error('no');
      },
    },
    { script: [{ calls: [{ tool: 't' }] }, 'done'] },
  );
  tools.register(tool('t', () => 'ran'));
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session).slice(-2)).toEqual(['result t ok: ran', 'end 0 error']);
  expect(agent.inbox.parked).toBe(true);
});

it('runs a tool that needs approval when everyone who is asked agrees [A19]', async () => {
  const { registry, tools } = await openWorld({
    script: [{ calls: [{ tool: 't' }] }, 'done', { calls: [{ tool: 't' }] }, 'done'],
    hooks: { requestApproval: () => true },
  });
  tools.register(tool('t', () => 'ran', { approval: true }));
  for (const [answer, line] of [
    [true, 'result t ok: ran'],
    [false, 'result t error: t was not run: it needs an approval that was not given.'],
  ] as const) {
    const { agent } = await registry.create({ hooks: { requestApproval: async () => answer } });
    agent.followup(say('m1'));
    await agent.whenIdle();
    expect(logOf(agent.session)).toContain(line);
  }
});

it('discards by a refusal what still waits, and parks where a hook chose nothing but what it has made up [A11 A19]', async () => {
  let asked = 0;
  const { agent, told, waiting } = await withHooks({
    beforeStep({ agent: self, entries }) {
      asked += 1;
      const [first] = entries;
      if (first?.message.id === 'm1') {
        self.inbox.remove(first.message.id);
        return { kind: 'refuse' };
      }
      if (asked > 5) self.cancel('budget');
      return {
        kind: 'claim',
        entries: entries.map((one) => ({ ...one, message: { ...one.message, id: 'x' as never } })),
      };
    },
  });
  agent.steer(say('m1'));
  agent.steer(say('m2'));
  await agent.whenIdle();
  expect(told.filter((line) => line.startsWith('inbox/discard'))).toEqual([
    'inbox/discard m1 removed',
    'inbox/discard m2 refused',
  ]);
  expect(logOf(agent.session)).toEqual(['turn 0', 'end 0 refused']);
  agent.followup(say('m3'));
  await agent.whenIdle();
  expect([asked, waiting(), agent.inbox.parked]).toEqual([2, ['m3'], true]);
});
