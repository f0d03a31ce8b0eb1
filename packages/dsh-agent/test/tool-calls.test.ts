import { expect, it } from 'vitest';
import type { ToolContext, ToolDefinition } from '../src/tool.ts';
import { drainMicrotasks, type ScriptedCall } from '../src/testing/index.ts';
import { logOf, openWorld, say, textOf, tool, type World } from './agent-world.ts';

/** One turn in which the model asks for these calls. */
async function turn(
  calls: readonly ScriptedCall[],
  tools: readonly ToolDefinition[],
  more = {},
): Promise<World & { log: readonly string[] }> {
  const world = await openWorld({ script: [{ calls }, 'done'], ...more });
  for (const each of tools) world.tools.register(each);
  const { agent } = await world.registry.create();
  agent.followup(say('go'));
  await agent.whenIdle();
  return { ...world, log: logOf(agent.session).slice(3, -2) };
}

/** Tools that end when they are told to, and who runs at the moment. */
function handTools(names: readonly string[], exclusive: readonly string[] = []) {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const tools = names.map((name) =>
    tool(
      name,
      () =>
        new Promise<string>((resolve) => {
          running.push(name);
          ends.set(name, () => {
            running.splice(running.indexOf(name), 1);
            resolve(name.toUpperCase());
          });
        }),
      { exclusive: exclusive.includes(name) },
    ),
  );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await drainMicrotasks();
  };
  return { tools, running, end };
}

it('runs calls at once up to the limit, and logs results in the order of the calls [A14][A12]', async () => {
  const { tools, running, end } = handTools(['a', 'b', 'c']);
  const world = await openWorld({
    script: [{ calls: tools.map(({ name }) => ({ tool: name })) }],
    limits: { toolCalls: 2 },
  });
  for (const each of tools) world.tools.register(each);
  const { agent } = await world.registry.create();
  agent.followup(say('go'));
  await drainMicrotasks();
  expect(running).toEqual(['a', 'b']);
  await end('b');
  expect(running).toEqual(['a', 'c']);
  await end('c');
  expect(logOf(agent.session).filter((line) => line.startsWith('result'))).toEqual([]);
  await end('a');
  await agent.whenIdle();
  expect(logOf(agent.session).slice(3, 9)).toEqual([
    'start a',
    'start b',
    'start c',
    'result a ok: A',
    'result b ok: B',
    'result c ok: C',
  ]);
});

it('runs an exclusive tool beside no other [A14]', async () => {
  const { tools, running, end } = handTools(['a', 'x', 'b'], ['x']);
  const world = await openWorld({ script: [{ calls: tools.map(({ name }) => ({ tool: name })) }] });
  for (const each of tools) world.tools.register(each);
  const { agent } = await world.registry.create();
  agent.followup(say('go'));
  await drainMicrotasks();
  expect(running).toEqual(['a']);
  await end('a');
  expect(running).toEqual(['x']);
  await end('x');
  expect(running).toEqual(['b']);
  await end('b');
  await agent.whenIdle();
});

it('names the tools that exist where a tool is unknown or hidden [A14][A30]', async () => {
  const world = await openWorld({ script: [{ calls: [{ tool: 'nope' }, { tool: 'hidden' }] }, 'done'] });
  for (const name of ['a', 'b', 'hidden']) world.tools.register(tool(name, () => 'ran'));
  const { agent } = await world.registry.create({ toolFilter: { deny: ['hidden'] } });
  agent.followup(say('go'));
  await agent.whenIdle();
  expect(logOf(agent.session).slice(3, 5)).toEqual([
    'result nope error: Unknown tool "nope". Known tools: a, b.',
    'result hidden error: Unknown tool "hidden". Known tools: a, b.',
  ]);
  expect(world.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['a', 'b']);
});

it.each<readonly [string, ScriptedCall, Partial<ToolDefinition>, string]>([
  [
    'arguments that are no JSON',
    { tool: 't', rawInput: '{"a":' },
    {},
    'result t error: The arguments of t are not valid JSON.',
  ],
  [
    'arguments that do not fit',
    { tool: 't' },
    { inputSchema: { json: {}, parse: () => ({ issues: [{ message: 'missing', path: ['a'] }] }) } },
    'result t error: The arguments of t do not fit. The tool was not run.\n- a: missing',
  ],
  [
    'a check that throws',
    { tool: 't' },
    {
      inputSchema: {
        json: {},
        parse: () => {
          throw new Error('check');
        },
      },
    },
    'result t error: The arguments of t do not fit. The tool was not run.\n- check',
  ],
  [
    'a tool that needs approval, with nobody to ask',
    { tool: 't' },
    { approval: true },
    'result t error: t was not run: it needs an approval',
  ],
])('makes an error result of %s, without running the body [A14][A19]', async (_, call, more, expected) => {
  let ran = 0;
  const { log, told } = await turn([call], [tool('t', () => `${(ran += 1)}`, more)]);
  expect(log).toEqual([expect.stringContaining(expected)]);
  expect([ran, told.filter((line) => line === 'tool/start t')]).toEqual([0, []]);
});

it.each<readonly [string, ToolDefinition['execute'], string]>([
  [
    'throws',
    () => {
      throw new Error('boom');
    },
    'result t error: t failed: boom',
  ],
  ['rejects', () => Promise.reject(new Error('later')), 'result t error: t failed: later'],
  ['says that it failed', () => ({ content: 'no', isError: true }), 'result t error: no'],
  [
    'gives what JSON would not keep',
    () => ({ content: 'a', structured: { x: undefined } as never }),
    'result t error: t ran, but its output could not be kept',
  ],
  [
    'gives nothing',
    () => undefined as never,
    'result t error: t ran, but its output could not be kept: it is undefined, and neither a text nor content',
  ],
  ['gives a number', () => 5 as never, 'could not be kept: it is 5, and neither a text nor content'],
  ['gives no blocks', () => ({ content: [] }), 'result t ok: '],
])('goes on after a tool that %s [A14]', async (_, execute, expected) => {
  const { log } = await turn([{ tool: 't' }], [tool('t', execute)]);
  expect(log).toEqual(['start t', expect.stringContaining(expected)]);
});

it('keeps structured output and progress, the latter before the result [A14]', async () => {
  const seen: ToolContext[] = [];
  const world = await openWorld({ script: [{ calls: [{ tool: 't' }] }, 'done'] });
  world.tools.register(
    tool('t', (_, context) => {
      seen.push(context);
      context.progress({ child: 'c1' });
      return { content: 'ok', structured: { id: 'c1' } };
    }),
  );
  const { agent } = await world.registry.create();
  agent.followup(say('go'));
  await agent.whenIdle();
  const events = agent.session.events();
  const types = events.map(({ type }) => type);
  expect(types.indexOf('tool/progress')).toBe(types.indexOf('tool/start') + 1);
  expect(events.find(({ type }) => type === 'tool/result')?.data).toMatchObject({
    structured: { id: 'c1' },
    outcome: 'ok',
  });
  expect([seen[0]?.agent === agent, seen[0]?.callId]).toEqual([true, 'call_1_1']);
});

it('answers the calls of an answer that was cut at the token limit, and runs none [A12][A14]', async () => {
  const world = await openWorld({ script: [{ calls: [{ tool: 't' }], finish: 'max-tokens' }, 'next'] });
  world.tools.register(tool('t', () => 'ran'));
  const { agent } = await world.registry.create();
  agent.followup(say('go'));
  await agent.whenIdle();
  expect(logOf(agent.session).slice(3)).toEqual([
    'result t not-started: Not started: the answer that holds this call was cut short.',
    'end 0 max-tokens',
  ]);
});

it('ends a turn at its step limit, with all calls answered [A18]', async () => {
  const world = await openWorld({ script: () => ({ calls: [{ tool: 't' }] }), limits: { steps: 3 } });
  world.tools.register(tool('t', () => 'ran'));
  const { agent } = await world.registry.create();
  agent.followup(say('go'));
  await agent.whenIdle();
  expect(world.model.requests).toHaveLength(3);
  expect(logOf(agent.session).slice(-2)).toEqual(['result t ok: ran', 'end 0 max-steps']);
});

it('shows the model the results as the log has them [A12]', async () => {
  const { model } = await turn([{ tool: 't' }], [tool('t', () => 'ran')]);
  const last = model.requests[1]?.messages.at(-1);
  expect([last?.role, textOf(last?.content ?? [])]).toEqual(['tool', 'ran']);
});
