/**
 * The program: every plugin, loaded in the order of its needs.
 * Owns: the order of loading and of unwinding.  Does not own: what a plugin makes and disposes.
 * I1. Unwinding happens once, in reverse order, each plugin awaited before the next: a container that is
 *     disposed as a whole starts its disposers in order, but waits for none of them.
 * I2. A plugin that fails to load unwinds those before it.
 */
import { Context, type Plugin } from '@deepseek-ai/cordis';
import type { Model } from '@deepseek-ai/dsh-agent';
import type { HostControls } from '@deepseek-ai/dsh-subagents';
import type { Environment } from '../models/real-models.ts';
import { agentsPlugin } from '../plugins/agents.ts';
import { modelsPlugin } from '../plugins/models.ts';
import { sendMessagePlugin } from '../plugins/send-message.ts';
import { sessionsPlugin } from '../plugins/sessions.ts';
import { subagentToolsPlugin } from '../plugins/subagent-tools.ts';
import { subagentsPlugin } from '../plugins/subagents.ts';
import { toolsPlugin } from '../plugins/tools.ts';
import { systemPrompt } from './system-prompt.ts';

export interface AppOptions {
  /** The folder of the Sessions. */
  readonly store: string;
  /** The route of agents that name none. */
  readonly model: string;
  readonly baseUrl?: string;
  readonly environment: Environment;
  /** Models under routes of their own. */
  readonly extraModels?: Readonly<Record<string, Model>>;
  readonly random?: () => number;
  readonly backgroundMode?: 'continuable' | 'one-shot';
}

/** One loaded plugin. Its `dispose` resolves when everything that it made is gone. */
export interface LoadedPlugin {
  readonly name: string;
  dispose(): Promise<void>;
}

export interface App {
  readonly ctx: Context;
  /** A person's controls over children: for the command line, not in the context. Throws while `subagents` is not loaded. */
  readonly host: HostControls;
  /** In the order of loading. */
  readonly plugins: readonly LoadedPlugin[];
  /** Loads one more plugin, which is unwound before those that are there. */
  load<T>(plugin: Plugin.Object<T>, config: T): Promise<LoadedPlugin>;
  /** Loads the runtime of children again after it was unloaded. */
  reloadSubagents(): Promise<LoadedPlugin>;
  /** Memoized (I1). */
  stop(): Promise<void>;
}

/** Rejects with what the first plugin that cannot be loaded says (I2). `ctx`: a context of the caller's own. */
export async function createApp(options: AppOptions, ctx: Context = new Context()): Promise<App> {
  const loaded: LoadedPlugin[] = [];
  let host: HostControls | undefined;
  let stopping: Promise<void> | undefined;
  const subagents = subagentsPlugin((given) => {
    host = given;
  });

  const load: App['load'] = async (plugin, config) => {
    const fiber = ctx.plugin(plugin, config);
    const one: LoadedPlugin = { name: fiber.name, dispose: () => fiber.dispose() };
    loaded.push(one);
    await fiber;
    return one;
  };
  const app: App = {
    ctx,
    get host() {
      if (host === undefined) throw new Error('the plugin subagents is not loaded');
      return host;
    },
    plugins: loaded,
    load,
    reloadSubagents: () => load(subagents, {}),
    stop: () => (stopping ??= unwind(loaded)),
  };
  try {
    await loadAll(load, subagents, options);
  } catch (error) {
    await app.stop();
    throw error;
  }
  return app;
}

async function loadAll(
  load: App['load'],
  subagents: ReturnType<typeof subagentsPlugin>,
  options: AppOptions,
): Promise<void> {
  const { store, model, baseUrl, environment, random, extraModels = {} } = options;
  await load(sessionsPlugin, { root: store });
  await load(modelsPlugin, { baseUrl, environment, extra: extraModels });
  await load(toolsPlugin, {});
  await load(agentsPlugin, { model, system: systemPrompt, random });
  await load(subagents, {});
  await load(sendMessagePlugin, {});
  await load(subagentToolsPlugin, { backgroundMode: options.backgroundMode ?? 'continuable' });
}

async function unwind(loaded: readonly LoadedPlugin[]): Promise<void> {
  for (const plugin of loaded.toReversed()) await plugin.dispose();
}
