/** Each plugin goes at the worst moments: in the middle of tool calls, of a drain, of a write to the store. */
import { checkedModel, scriptedModel, type ScriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { fromJsonSchema, type AgentHandle, type ToolDefinition } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import { createApp, type App } from '../../src/app/create-app.ts';
import { dsh, temporaryFolder } from '../command-line.ts';
import { jsonLines } from '../stable-transcript.ts';

const task = { content: 'Go.', source: { kind: 'user' } } as const;

/** Runs until its turn is ended. */
function waitTool(called: () => void): ToolDefinition {
  return {
    name: 'wait',
    description: 'Waits.',
    inputSchema: fromJsonSchema({ type: 'object' }),
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        called();
        signal.addEventListener('abort', () => {
          reject(new Error('ended'));
        });
      }),
  };
}

interface Running {
  readonly app: App;
  readonly model: ScriptedModel;
  readonly root: AgentHandle;
  readonly ended: readonly string[];
}

/** A root and a child, both in the middle of a tool call. */
async function whileToolsRun(store: string): Promise<Running> {
  const wait = { calls: [{ tool: 'wait', input: {} }] };
  const model = scriptedModel([
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'x' } }] },
    wait,
    wait,
  ]);
  const extraModels = { m: checkedModel(model, () => app.ctx.agents.list()) };
  const options = { store, model: 'm', environment: () => undefined, extraModels, workspace: store };
  const app: App = await createApp(options);
  const ended: string[] = [];
  app.ctx.subagents.on('subagent/end', ({ label, outcome }) => ended.push(`${label} ${outcome}`));
  const root = await app.ctx.agents.create();
  await new Promise<void>((resolve) => {
    let calls = 0;
    const tool = waitTool(() => {
      if ((calls += 1) === 2) resolve();
    });
    app.ctx.tools.register(tool);
    root.agent.followup(task);
  });
  expect(app.ctx.agents.list()).toHaveLength(2);
  return { app, model, root, ended };
}

const all = ['sessions', 'models', 'tools', 'agents', 'subagents', 'send-message', 'subagent-tools'];
all.push('workspace-tools');
const underChildren = ['sessions', 'models', 'tools', 'agents', 'subagents'];

/** Everything is back, the root answers again, and every stored record is whole. */
async function goesOn({ app, model, root }: Running, store: string): Promise<void> {
  expect(app.names.toSorted()).toEqual(all.toSorted());
  const { agents } = app.ctx;
  const { id } = root.agent;
  const agent = agents.get(id) ?? (await agents.resume({ id })).agent;
  agent.cancel('user');
  await agent.whenIdle();
  model.push({ text: 'Again.' });
  agent.followup(task);
  await agent.whenIdle();
  expect(JSON.stringify(agent.session.history().at(-1))).toContain('Again.');
  await app.stop();
  const listed = await dsh(['sessions', 'list', '--all', '--json', '--store', store]);
  const ids = jsonLines(listed.out).map((line) => String(line['id']));
  expect(ids).toHaveLength(2);
  for (const one of ids) {
    const { code, out } = await dsh(['sessions', 'verify', one, '--store', store]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ events, 0 damaged\n$/)]);
  }
}

describe('a plugin goes and comes back', () => {
  it.each(all)('while a root and a child are in the middle of tool calls: %s [H3]', async (name) => {
    using folder = temporaryFolder();
    const running = await whileToolsRun(folder.path);
    const { app, ended } = running;
    await app.unload(name);
    expect(ended).toEqual(underChildren.includes(name) ? ['pears aborted'] : []);
    await app.reload(name);
    await goesOn(running, folder.path);
  });

  it.each(underChildren)('while a drain is under way: %s [H3]', async (name) => {
    using folder = temporaryFolder();
    const running = await whileToolsRun(folder.path);
    const { app, root, ended } = running;
    const drained = app.ctx.subagents.drainContinuableDescendants([root.agent]);
    await Promise.all([drained, app.unload(name)]);
    expect(ended).toEqual(['pears aborted']);
    await app.reload(name);
    await goesOn(running, folder.path);
  });

  it.each(underChildren)('while the log of a root is written out: %s [H3]', async (name) => {
    using folder = temporaryFolder();
    const running = await whileToolsRun(folder.path);
    const { app, root } = running;
    const { session } = root.agent;
    root.agent.followup({ content: 'p'.repeat(1_000_000), source: { kind: 'user' } });
    const flushed = app.ctx.sessions.flush(session);
    const length = session.events.length;
    await Promise.all([flushed, app.unload(name)]);
    expect(session.durableLength).toBeGreaterThanOrEqual(length);
    await app.reload(name);
    await goesOn(running, folder.path);
  });

  it('while another one goes, and while the program stops: one after the other [H3]', async () => {
    using folder = temporaryFolder();
    const { app, ended } = await whileToolsRun(folder.path);
    const [first, second, third, fourth] = await Promise.allSettled([
      app.unload('subagents'),
      app.reload('subagents'),
      app.stop(),
      app.unload('tools'),
    ]);
    expect([first.status, third.status]).toEqual(['fulfilled', 'fulfilled']);
    const stopping = { message: expect.stringContaining('the program stops') as string };
    expect(second).toMatchObject({ reason: stopping });
    expect(fourth).toMatchObject({ reason: { message: 'no plugin tools is loaded' } });
    expect(ended).toEqual(['pears aborted']);
    expect(app.names).toEqual([]);
  });
});
