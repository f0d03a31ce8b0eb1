import { checkedModel, scriptedModel, type ScriptedModel } from '@deepseek-ai/dsh-agent/testing';
import type { AgentHandle } from '@deepseek-ai/dsh-agent';
import { describe, expect, it } from 'vitest';
import { createApp, type App } from '../../src/app/create-app.ts';
import { temporaryFolder } from '../command-line.ts';

const task = { content: 'Go.', source: { kind: 'user' } } as const;

interface Running {
  readonly app: App;
  readonly model: ScriptedModel;
  readonly root: AgentHandle;
  readonly ended: readonly string[];
}

/** A root and a child, both in the middle of an answer. */
async function whileAgentsRun(store: string): Promise<Running> {
  const model = scriptedModel([
    { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'x' } }] },
    { text: 'At work.', hold: 'books' },
    { text: 'At work.', hold: 'books' },
  ]);
  const environment = () => undefined;
  const extraModels = { m: checkedModel(model, () => app.ctx.agents.list()) };
  const app: App = await createApp({ store, model: 'm', environment, extraModels, workspace: store });
  const { agents, subagents } = app.ctx;
  const ended: string[] = [];
  subagents.on('subagent/end', ({ label, outcome }) => ended.push(`${label} ${outcome}`));
  const bothHeld = new Promise<void>((resolve) => {
    let pieces = 0;
    agents.on('agent/stream', ({ event }) => {
      if (event.type === 'text' && (pieces += 1) === 6) resolve();
    });
  });
  const root = await agents.create();
  root.agent.followup(task);
  await bothHeld;
  expect(agents.list()).toHaveLength(2);
  return { app, model, root, ended };
}

const all = [
  'sessions',
  'models',
  'tools',
  'agents',
  'subagents',
  'send-message',
  'subagent-tools',
  'workspace-tools',
];

describe('a plugin that agents stand on', () => {
  const goes: readonly [plugin: string, left: readonly string[]][] = [
    ['sessions', ['models', 'tools', 'workspace-tools']],
    ['models', ['sessions', 'tools', 'workspace-tools']],
    ['tools', ['sessions', 'models']],
    ['agents', ['sessions', 'models', 'tools', 'workspace-tools']],
  ];
  it.each(goes)(
    '%s goes while agents run, after them, and comes back with what needs it [H3]',
    async (name, left) => {
      using folder = temporaryFolder();
      const { app, model, root, ended } = await whileAgentsRun(folder.path);
      const { agents } = app.ctx;
      await app.unload(name);
      expect(ended).toEqual(['pears aborted']);
      expect(agents.list()).toEqual([]);
      expect(app.names).toEqual(left);

      await app.reload(name);
      expect(app.names.toSorted()).toEqual(all.toSorted());
      const { agent } = await app.ctx.agents.resume({ id: root.agent.id });
      model.push({ text: 'Again.' });
      agent.followup(task);
      await agent.whenIdle();
      expect(JSON.stringify(agent.session.history().at(-1))).toContain('Again.');
      // Its child is woken from its log.
      for await (const entry of app.ctx.subagents.listChildren(agent.id))
        await app.ctx.subagents.sendMessage(agent, entry.id, [{ type: 'text', text: 'Go on.' }]);
      expect(app.ctx.agents.list()).toHaveLength(2);
      await app.stop();
    },
  );
});

describe('a plugin that gives tools to agents', () => {
  const gives: readonly [plugin: string, tool: string][] = [
    ['send-message', 'send_message'],
    ['subagent-tools', 'subagent'],
    ['workspace-tools', 'read_file'],
  ];
  it.each(gives)(
    '%s goes while agents run, which go on without it, and comes back [H3]',
    async (name, tool) => {
      using folder = temporaryFolder();
      const { app, model, root, ended } = await whileAgentsRun(folder.path);
      const { agents, tools } = app.ctx;
      await app.unload(name);
      expect(app.names).toEqual(all.filter((other) => other !== name));
      expect([agents.list().length, ended]).toEqual([2, []]);
      expect(tools.resolve(tool)).toBeUndefined();

      model.release('books');
      await app.ctx.subagents.whenQuiescent(root.agent.id);
      expect(ended).toEqual(['pears completed']);
      await app.reload(name);
      expect(tools.resolve(tool)?.name).toBe(tool);
      root.agent.followup(task);
      await root.agent.whenIdle();
      expect(model.requests.at(-1)?.tools.map((one) => one.name)).toContain(tool);
      await app.stop();
    },
  );
});

describe('unloading', () => {
  it('of what is not there is refused, and nothing is loaded after the end [H3]', async () => {
    using folder = temporaryFolder();
    const app = await createApp({ store: folder.path, model: 'm', environment: () => undefined });
    await expect(app.unload('pears')).rejects.toThrow('no plugin pears is loaded');
    await app.unload('subagents');
    await expect(app.unload('subagents')).rejects.toThrow('no plugin subagents is loaded');
    expect(() => app.host).toThrow('the plugin subagents is not loaded');
    const [stopped, reloaded] = await Promise.allSettled([app.stop(), app.reload('subagents')]);
    expect(stopped.status).toBe('fulfilled');
    expect(reloaded).toMatchObject({
      reason: { message: expect.stringContaining('the program stops') as string },
    });
  });
});
