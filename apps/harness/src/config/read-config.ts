/** Reads `dsh.config.yaml` with the plugins that it names. A mistake is one message with its place (H2). */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../run/usage-error.ts';
import { checked, readYaml, type CheckedYaml, type Path } from './checked-yaml.ts';
import { optionProblem } from './option-problem.ts';
import { importPlugin, moduleFile, type ModulePlugin } from './plugin-module.ts';
import {
  builtInEntry,
  builtInNames,
  isBuiltIn,
  listSchema,
  moduleEntry,
  type PluginSettings,
} from './schema.ts';

export const configName = 'dsh.config.yaml';

/** A plugin of somebody else, with its checked options. */
export interface MorePlugin {
  /** As the file names it. */
  readonly from: string;
  /** The error for what it fails with, with its place in the file. */
  readonly failed: (error: unknown) => UsageError;
  readonly plugin: ModulePlugin;
  readonly options: unknown;
}

export interface Config {
  /** Nothing where there is no file. */
  readonly file?: string;
  readonly plugins: PluginSettings;
  /** In the order of the file. */
  readonly more: readonly MorePlugin[];
  /** The file itself, and the modules that it names, as far as they are files. */
  readonly files: readonly string[];
}

/** `given`: the file that was asked for; without it the one of `folder` counts, where there is one. */
export async function readConfig(given: string | undefined, folder: string): Promise<Config> {
  const path = given ?? configName;
  const file = resolve(folder, path);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    if (given === undefined && code === 'ENOENT') return { plugins: {}, more: [], files: [] };
    throw new UsageError(`${path}: the config cannot be read (${code})`);
  }
  return parseConfig(text, path, file);
}

/** `path` is how the file is called in messages. */
async function parseConfig(text: string, path: string, file: string): Promise<Config> {
  const yaml = readYaml(text, path);
  const settings: Record<string, unknown> = {};
  const more: MorePlugin[] = [];
  const seen = new Set<string>();
  const entries = checked(yaml, listSchema).plugins;
  const others = entries.some(({ plugin }) => !isBuiltIn(plugin));
  for (const [index, entry] of entries.entries()) {
    const at = ['plugins', index];
    const { plugin: name } = entry;
    if (seen.has(name)) throw yaml.mistake({ path: [...at, 'plugin'], message: `${name} is listed twice` });
    seen.add(name);
    if (isBuiltIn(name)) {
      const one = checked(yaml, builtInEntry(name), entry, at);
      settings[name] = 'enabled' in one && one.enabled === false ? false : (one.options ?? {});
      const problem = await optionProblem({ [name]: settings[name] }, file, others);
      if (problem !== undefined) throw yaml.mistake({ ...problem, path: [...at, ...problem.path] });
    } else {
      const { options = {} } = checked(yaml, moduleEntry, entry, at);
      more.push(await readModule(yaml, { name, options, at, file }));
    }
  }
  const modules = more.flatMap(({ from }) => moduleFile(from, file) ?? []);
  return { file, plugins: settings, more, files: [file, ...modules] };
}

interface Named {
  readonly name: string;
  readonly options: unknown;
  readonly at: Path;
  readonly file: string;
}

async function readModule(yaml: CheckedYaml, { name, options, at, file }: Named): Promise<MorePlugin> {
  let plugin: ModulePlugin;
  try {
    plugin = await importPlugin(name, file);
  } catch (error) {
    const own = /^[./]/.test(name) ? '' : `. Plugins of this program: ${builtInNames.join(', ')}`;
    throw yaml.mistake({ path: [...at, 'plugin'], message: `${sentenceOf(error)}${own}` });
  }
  const result = await validated(plugin, options).catch((error: unknown) => {
    const message = `the plugin ${JSON.stringify(name)} could not check its options: ${sentenceOf(error)}`;
    throw yaml.mistake({ path: [...at, 'plugin'], message });
  });
  const [issue] = result?.issues ?? [];
  if (issue !== undefined) {
    const inside = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
    throw yaml.mistake({ ...issue, path: [...at, 'options', ...inside] });
  }
  const failed = (error: unknown): UsageError => {
    const message = `the plugin ${JSON.stringify(name)} was not loaded: ${sentenceOf(error)}`;
    return yaml.mistake({ path: [...at, 'plugin'], message });
  };
  return { from: name, plugin, options, failed };
}

async function validated({ Config }: ModulePlugin, options: unknown) {
  return Config?.['~standard'].validate(options);
}

function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return said === '' ? 'it does not say why' : said;
}
