import { Context } from '@deepseek-ai/cordis';
import { checkedModel, scriptedModel } from '@deepseek-ai/dsh-agent/testing';
import { describe, expect, it } from 'vitest';
import { createApp, type App } from '../../src/app/create-app.ts';
import { temporaryFolder } from '../command-line.ts';

async function openApp(store: string, turns: Parameters<typeof scriptedModel>[0] = []) {
  const model = scriptedModel(turns);
  const extraModels = { m: checkedModel(model, () => app.ctx.agents.list()) };
  const app: App = await createApp({ store, model: 'm', environment: () => undefined, extraModels });
  return { app, model };
}

const order = ['sessions', 'models', 'tools', 'agents', 'subagents', 'send-message', 'subagent-tools'];

/** The order in which the plugins are gone. */
function watchUnloading(ctx: Context): readonly string[] {
  const gone: string[] = [];
  ctx.on('internal/plugin', (fiber) => {
    if (fiber.uid === null) gone.push(fiber.name);
  });
  return gone;
}

describe('the program', () => {
  it('loads one plugin per package, in the order of their needs, and provides the services [H1]', async () => {
    using folder = temporaryFolder();
    const { app } = await openApp(folder.path);
    expect(app.names).toEqual(order);
    const { sessions, models, agents, tools, subagents } = app.ctx;
    expect(sessions.protocol.name).toBe('dsh-session/store');
    expect(agents.protocol.name).toBe('dsh-agent/registry');
    expect(tools.protocol.name).toBe('dsh-agent/tools');
    expect(subagents.protocol.name).toBe('dsh-subagents/runtime');
    expect(models.resolve('m')?.id).toBe('scripted');
    expect(tools.schemas().map(({ name }) => name)).toEqual([
      'send_message',
      'subagent',
      'subagent_fork',
      'list_agents',
      'read_agent',
      'interrupt_agent',
    ]);
    await app.stop();
  });

  it('keeps the host controls out of the context [H1]', async () => {
    using folder = temporaryFolder();
    const { app } = await openApp(folder.path);
    const { host } = app;
    expect(Object.keys(host).toSorted()).toEqual([
      'deleteTree',
      'disposeRoot',
      'interrupt',
      'prompt',
      'stopChildren',
    ]);
    for (const name of Object.keys(app.ctx.reflect.props)) {
      expect(app.ctx.reflect.get(name)).not.toBe(host);
    }
    await app.stop();
    expect(() => app.host).toThrow('the plugin subagents is not loaded');
  });

  it('unwinds in reverse order, each plugin awaited, and once [H3]', async () => {
    using folder = temporaryFolder();
    const { app } = await openApp(folder.path);
    const gone = watchUnloading(app.ctx);
    expect(app.stop()).toBe(app.stop());
    await app.stop();
    expect(gone).toEqual(order.toReversed());
  });

  it('unwinds what was loaded before a plugin that cannot be loaded [H1 H3]', async () => {
    using folder = temporaryFolder();
    const options = { store: folder.path, model: '', environment: () => undefined };
    const ctx = new Context();
    const gone = watchUnloading(ctx);
    await expect(createApp(options, ctx)).rejects.toThrow(/model/);
    expect(gone).toEqual(['agents', 'tools', 'models', 'sessions']);
  });
});

describe('unloading the runtime of children while the program runs', () => {
  it('drains child-first, keeps the Sessions, and lets a parent wake them after loading it again [H3]', async () => {
    using folder = temporaryFolder();
    const { app } = await openApp(folder.path, [
      { calls: [{ tool: 'subagent', input: { description: 'fruit', prompt: 'x' } }] },
      { calls: [{ tool: 'subagent', input: { description: 'pears', prompt: 'y' } }] },
      ...Array.from({ length: 3 }, () => ({ text: 'At work.', hold: 'for ever' })),
    ]);
    const { agents } = app.ctx;
    const { agent: root } = await agents.create();
    const held = new Promise<void>((resolve) => {
      let pieces = 0;
      agents.on('agent/stream', ({ event }) => {
        if (event.type === 'text' && (pieces += 1) === 9) resolve();
      });
    });
    const ended: string[] = [];
    const started: string[] = [];
    const { subagents } = app.ctx;
    subagents.on('subagent/start', ({ label }) => started.push(label));
    subagents.on('subagent/end', ({ label, outcome }) => ended.push(`${label} ${outcome}`));
    root.followup({ content: 'Go.', source: { kind: 'user' } });
    await held;
    expect(started).toEqual(['fruit', 'pears']);

    await app.unload('subagents');
    expect(ended).toEqual(['pears aborted', 'fruit aborted']);
    expect(agents.list()).toEqual([root]);
    expect(app.ctx.tools.schemas()).toEqual([]);

    root.cancel('user');
    await root.whenIdle();
    await app.reload('subagents');
    expect(app.ctx.subagents).not.toBe(subagents);
    const children: string[] = [];
    for await (const entry of app.ctx.subagents.listChildren(root.id)) {
      if (entry.kind !== 'child') continue;
      children.push(entry.label);
      await app.ctx.subagents.sendMessage(root, entry.id, [{ type: 'text', text: 'Go on.' }]);
    }
    expect(children).toEqual(['fruit']);
    expect(agents.list()).toHaveLength(2);
    expect(app.ctx.tools.schemas()).toHaveLength(6);
    await app.stop();
  });
});
