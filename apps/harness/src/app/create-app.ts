/**
 * The program: every plugin, loaded in the order of its needs.
 * I1. A plugin that fails to load unwinds those before it.
 */
import { Context } from '@deepseek-ai/cordis';
import manifest from '../../package.json' with { type: 'json' };
import type { Model } from '@deepseek-ai/dsh-agent';
import type { HostControls } from '@deepseek-ai/dsh-subagents';
import { optionsOf } from '../config/effective.ts';
import type { MorePlugin } from '../config/read-config.ts';
import type { PluginSettings } from '../config/schema.ts';
import { routeProblem, type Environment } from '../models/real-models.ts';
import { agentsPlugin, type Approve } from '../plugins/agents.ts';
import { inspectorPlugin } from '../plugins/inspector.ts';
import { modelsPlugin } from '../plugins/models.ts';
import { sendMessagePlugin } from '../plugins/send-message.ts';
import { sessionsPlugin } from '../plugins/sessions.ts';
import type { StoreDriver } from '../plugins/store-driver.ts';
import { subagentToolsPlugin } from '../plugins/subagent-tools.ts';
import { subagentsPlugin } from '../plugins/subagents.ts';
import { toolsPlugin } from '../plugins/tools.ts';
import { workspaceToolsPlugin } from '../plugins/workspace-tools.ts';
import { UsageError } from '../run/usage-error.ts';
import { historyFile, inspectorKeyFile } from './beside-store.ts';
import { tellContainerLog } from './container-log.ts';
import { createPluginRack, type PluginRack } from './plugin-rack.ts';
import { systemPrompt } from './system-prompt.ts';

export interface AppOptions {
  /** The folder of the Sessions. */
  readonly store: string;
  /** Default: what has made the store, and `file` for a new one. */
  readonly driver?: StoreDriver | undefined;
  /** The route of agents that name none. */
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly environment: Environment;
  /** Models under routes of their own. */
  readonly extraModels?: Readonly<Record<string, Model>>;
  readonly random?: (() => number) | undefined;
  /** The folder that the tools for files are bounded to. Without it there are none. */
  readonly workspace?: string | undefined;
  /** Default `off`. */
  readonly commands?: 'off' | 'ask' | 'allow' | undefined;
  /** Says whether a tool may run that needs approval. */
  readonly approve?: Approve | undefined;
  /** What the config says of the plugins of this program, and which others it names. */
  readonly plugins?: PluginSettings;
  readonly more?: readonly MorePlugin[];
  /** The config, and the code that it names: no tool writes them, since the next start obeys them. */
  readonly configFiles?: readonly string[];
  /** Serves the page of the inspector. */
  readonly inspect?: Inspect | undefined;
}

export interface Inspect {
  /** Default: what the config says, else 7333. */
  readonly port?: number | undefined;
  /** Another port will do, where this one is in use. */
  readonly orAnyPort?: boolean;
  /** Default: loopback. */
  readonly address?: string | undefined;
  /** Names of this machine under which others reach it. */
  readonly names?: readonly string[];
  /** The route of roots that are made or woken from the page; without it there are none. */
  readonly model?: string | undefined;
  /** Where the built page lies. Default: beside this program. */
  readonly page?: string | undefined;
  /** It listens. The link lets its owner in. */
  readonly opened: (url: string) => void;
}

export interface App extends PluginRack {
  readonly ctx: Context;
  /** A person's controls over children: for the command line, not in the context. Throws while `subagents` is not loaded. */
  readonly host: HostControls;
}

/** Rejects with what the first plugin that cannot be loaded says (I1). `ctx`: a context of the caller's own. */
export async function createApp(options: AppOptions, ctx: Context = new Context()): Promise<App> {
  tellContainerLog(ctx);
  const rack = createPluginRack(ctx);
  let host: HostControls | undefined;
  const controls = (): HostControls => {
    if (host === undefined) throw new Error('the plugin subagents is not loaded');
    return host;
  };
  try {
    await loadAll(rack, options, (given) => {
      host = given;
    });
    refuseUnknownModel(ctx, options.model);
    await loadInspector(rack.load, options, controls);
  } catch (error) {
    await rack.stop();
    throw error;
  }
  return {
    ...rack,
    ctx,
    get names() {
      return rack.names;
    },
    get host() {
      return controls();
    },
  };
}

/** A route without a slash is one of this program's own. */
function refuseUnknownModel({ models }: Context, route: string): void {
  if (route.includes('/') && models.resolve(route) === undefined)
    throw new UsageError(`${routeProblem(route) ?? route}, and no plugin has registered it`);
}

async function loadAll(
  { load }: PluginRack,
  options: AppOptions,
  onHost: (host: HostControls | undefined) => void,
): Promise<void> {
  const {
    store,
    driver,
    model,
    baseUrl,
    environment,
    random,
    extraModels = {},
    plugins = {},
    more = [],
  } = options;
  const { system = systemPrompt } = optionsOf(plugins.agents) ?? {};
  await load(sessionsPlugin, { root: store, driver });
  await load(modelsPlugin, { baseUrl, environment, extra: extraModels });
  await load(toolsPlugin, {});
  await load(agentsPlugin, { model, system, approve: options.approve, random });
  await load(subagentsPlugin(onHost), optionsOf(plugins.subagents) ?? {});
  if (plugins['send-message'] !== false) await load(sendMessagePlugin, plugins['send-message'] ?? {});
  if (plugins['subagent-tools'] !== false)
    await load(subagentToolsPlugin, { backgroundMode: 'continuable', ...plugins['subagent-tools'] });
  await loadWorkspaceTools(load, options);
  for (const { plugin, options: given, failed } of more)
    await load(pluginObject(plugin), given).catch((error: unknown) => {
      throw failed(error);
    });
}

async function loadWorkspaceTools(load: PluginRack['load'], options: AppOptions): Promise<void> {
  const { store, workspace, commands = 'off', environment, plugins = {}, configFiles = [] } = options;
  if (workspace === undefined || plugins['workspace-tools'] === false) return;
  const { commandMs = 120_000, commandBytes = 65_536 } = plugins['workspace-tools'] ?? {};
  // The record of what happened is not a model's to change, and what lets a person in is not its to know.
  const closed = [store, inspectorKeyFile(store), historyFile(store)];
  await load(workspaceToolsPlugin, {
    root: workspace,
    closed,
    readOnly: [...configFiles],
    commands,
    environment,
    commandMs,
    commandBytes,
  });
}

/** Last, so that it shows everything and is gone before anything else is. */
async function loadInspector(
  load: PluginRack['load'],
  { store, inspect, plugins = {} }: AppOptions,
  host: () => HostControls,
): Promise<void> {
  if (inspect === undefined) return;
  const { opened, names = [], orAnyPort = false, port, ...given } = inspect;
  const said = optionsOf(plugins.inspector) ?? {};
  await load(inspectorPlugin({ host, opened }), {
    ...said,
    ...given,
    ...(port === undefined ? {} : { port }),
    names: [...names],
    orAnyPort,
    store,
    version: manifest.version,
    cwd: process.cwd(),
  });
}

/** The container wants arrays of its own. */
function pluginObject(plugin: MorePlugin['plugin']) {
  const { name, inject, provide, Config } = plugin;
  return {
    name,
    ...(inject === undefined ? {} : { inject: [...inject] }),
    ...(provide === undefined ? {} : { provide: [...provide] }),
    ...(Config === undefined ? {} : { Config }),
    apply: (ctx: Context, given: unknown) => plugin.apply(ctx, given),
  };
}
