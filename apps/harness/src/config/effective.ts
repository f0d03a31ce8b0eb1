/** What counts in the end: the command line goes before the file, and the file before the defaults. */
import { dirname, resolve } from 'node:path';
import { systemPrompt } from '../app/system-prompt.ts';
import { storeDriverOf, type StoreDriver } from '../plugins/store-driver.ts';
import type { Config } from './read-config.ts';

export const defaultStore = '.dsh/sessions';

/** What a command line may say. */
export interface Flags {
  readonly store?: string | undefined;
  readonly driver?: StoreDriver | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** What the program is opened with. */
export interface Effective {
  readonly store: string;
  /** What is asked for. A store that is there says itself what has made it. */
  readonly driver: StoreDriver | undefined;
  /** The folder that the tools for files are bounded to. */
  readonly workspace: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly config: Config;
}

export function effective(flags: Flags, config: Config, cwd: string): Effective {
  const { sessions, models, agents } = config.plugins;
  const root = optionsOf(sessions)?.root;
  // A path of the file counts from the folder of the file.
  const fromFile = (path: string): string => resolve(dirname(config.file ?? ''), path);
  const stored = root === undefined ? defaultStore : fromFile(root);
  const work = optionsOf(config.plugins['workspace-tools'])?.root;
  return {
    store: resolve(cwd, flags.store ?? stored),
    driver: flags.driver ?? optionsOf(sessions)?.driver,
    workspace: work === undefined ? cwd : fromFile(work),
    model: flags.model ?? optionsOf(agents)?.model,
    baseUrl: flags.baseUrl ?? optionsOf(models)?.baseUrl,
    config,
  };
}

/** The list of plugins as a file would say it, with everything that counts. Looks at what has made the store. */
export function effectiveList({ store, driver, workspace, model, baseUrl, config }: Effective): object {
  const { plugins, more } = config;
  const optional = (
    plugin: 'send-message' | 'subagent-tools' | 'workspace-tools',
    defaults: object,
  ): object =>
    plugins[plugin] === false
      ? { plugin, enabled: false }
      : { plugin, options: { ...defaults, ...plugins[plugin] } };
  return {
    plugins: [
      { plugin: 'sessions', options: { root: store, driver: storeDriverOf(store, driver) } },
      { plugin: 'models', options: baseUrl === undefined ? {} : { baseUrl } },
      {
        plugin: 'agents',
        options: {
          ...(model === undefined ? {} : { model }),
          system: optionsOf(plugins.agents)?.system ?? systemPrompt,
        },
      },
      { plugin: 'subagents', options: optionsOf(plugins.subagents) ?? {} },
      optional('send-message', {}),
      optional('subagent-tools', { backgroundMode: 'continuable' }),
      optional('workspace-tools', { commandMs: 120_000, commandBytes: 65_536, root: workspace }),
      ...(plugins.inspector === undefined ? [] : [{ plugin: 'inspector', options: plugins.inspector }]),
      ...more.map(({ from, options }) => ({ plugin: from, options })),
    ],
  };
}

export function optionsOf<T extends object>(settings: T | false | undefined): T | undefined {
  return settings === false ? undefined : settings;
}
