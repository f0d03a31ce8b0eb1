/** What an agent runs with, whatever today's defaults say: A29. */
import { expect, it } from 'vitest';
import type { AgentSpec } from '../src/registry.ts';
import type { ToolFilter } from '../src/tool.ts';
import { scriptedModel } from '../src/testing/index.ts';
import { id, logOf, openWorld, say, tool, type WorldOptions } from './agent-world.ts';

const pinned = {
  model: 'then',
  effort: 'high',
  system: 'Be brief.',
  toolFilter: { allow: ['read'] },
} as const satisfies AgentSpec;

/** A stored Session `s`, and a program whose defaults are others than when it was made. */
async function stored(options: WorldOptions = {}) {
  const models = { then: scriptedModel([]), now: scriptedModel([]) };
  const world = await openWorld({
    models: (route) => models[route as keyof typeof models],
    defaults: { model: 'now', effort: 'low', system: 'Be long.' },
    ...options,
  });
  for (const name of ['read', 'write']) world.tools.register(tool(name, () => name));
  const handle = await world.registry.create({ id: id('s') });
  handle.agent.session.append('session/recovered', { damaged: 0 });
  await handle.dispose();
  const ask = async (spec: AgentSpec) => {
    const resumed = await world.registry.resume({ id: id('s'), ...spec });
    resumed.agent.followup(say(`m${resumed.agent.session.turns}`));
    await resumed.agent.whenIdle();
    const { requests } = models[resumed.agent.options.model as keyof typeof models];
    return { ...resumed, request: requests.at(-1)! };
  };
  return { ...world, models, ask };
}

it.each(['model', 'effort', 'system', 'toolFilter'] as const)(
  'resumes with the %s that it is given, and with the defaults for the rest [A29]',
  async (name) => {
    const { ask } = await stored();
    const { request } = await ask({ [name]: pinned[name] });
    expect([request.route, request.effort, request.system, request.tools.map((each) => each.name)]).toEqual([
      name === 'model' ? 'then' : 'now',
      name === 'effort' ? 'high' : 'low',
      name === 'system' ? 'Be brief.' : 'Be long.',
      name === 'toolFilter' ? ['read'] : ['read', 'write'],
    ]);
  },
);

it('is asked with no default at all where everything is pinned [A29]', async () => {
  const { ask, models } = await stored();
  const { agent, request } = await ask(pinned);
  expect(request).toMatchObject({ route: 'then', effort: 'high', system: 'Be brief.' });
  expect(agent.options).toEqual(pinned);
  expect(models.now.requests).toEqual([]);
});

it('is not made with another model where its own is gone [A29]', async () => {
  const { registry, sessions, told } = await stored();
  const resuming = registry.resume({ id: id('s'), ...pinned, model: 'gone' });
  await expect(resuming).rejects.toMatchObject({ code: 'NO_MODEL' });
  expect([sessions.get(id('s')), told.filter((line) => line === 'created')]).toEqual([
    undefined,
    ['created'],
  ]);
});

it.each<readonly [ToolFilter, readonly string[]]>([
  [{ allow: ['gone'] }, []],
  [{ allow: ['gone', 'read'] }, ['read']],
  [{ allow: [] }, []],
  [{ deny: ['gone', 'write'] }, ['read']],
])('a filter of a tool that is gone is said, and %j allows %j [A29]', async (toolFilter, visible) => {
  const { ask, diagnostics, registry, tools } = await stored();
  const handle = await ask({ toolFilter });
  expect(handle.request.tools.map(({ name }) => name)).toEqual(visible);
  const said = diagnostics.filter(({ code }) => code === 'unknown-tool-in-filter');
  const gone = [...(toolFilter.allow ?? []), ...(toolFilter.deny ?? [])].includes('gone');
  expect(said).toHaveLength(gone ? 1 : 0);
  if (gone) expect(said[0]).toMatchObject({ level: 'warning', sessionId: 's', message: containing('gone') });
  // What is registered later is not allowed either, unless it has the name.
  tools.register(tool('later', () => ''));
  expect(tools.schemas(registry.get(id('s'))).map(({ name }) => name)).toEqual(
    toolFilter.allow === undefined ? [...visible, 'later'] : visible,
  );
});

it('a call of a tool that the filter does not allow is answered with the ones that exist [A29 A14]', async () => {
  const { registry, tools } = await openWorld({ script: [{ calls: [{ tool: 'write' }] }, 'done'] });
  for (const name of ['read', 'write']) tools.register(tool(name, () => name));
  const { agent } = await registry.create({ toolFilter: { allow: ['gone', 'read'] } });
  agent.followup(say('m1'));
  await agent.whenIdle();
  expect(logOf(agent.session)).toContain('result write error: Unknown tool "write". Known tools: read.');
});

const containing = (part: string): string => expect.stringContaining(part) as string;
