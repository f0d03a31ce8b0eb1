/** A plugin of somebody else: a module that exports `plugin`, or has it as its default export. */
import { createRequire } from 'node:module';
import { isAbsolute, resolve, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Context } from '@deepseek-ai/cordis';
import type { StandardSchema } from '@deepseek-ai/dsh-session';

/** What such a module exports. Its options are checked by `Config`, a Standard Schema such as one of zod. */
export interface ModulePlugin {
  readonly name: string;
  readonly inject?: readonly string[];
  readonly provide?: readonly string[];
  readonly Config?: StandardSchema;
  apply(ctx: Context, options: unknown): void | Promise<void>;
}

/** Rejects with what is wrong in one sentence. `file`: the config that names it. */
export async function importPlugin(specifier: string, file: string): Promise<ModulePlugin> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = (await import(addressOf(specifier, file))) as typeof exported;
  } catch (cause) {
    const [why = ''] = (cause instanceof Error ? cause.message : String(cause)).split(/\n| imported from /);
    throw new Error(`the plugin ${JSON.stringify(specifier)} cannot be loaded: ${why}`, { cause });
  }
  const plugin = exported['plugin'] ?? exported['default'];
  if (isPlugin(plugin)) return plugin;
  throw new Error(
    `${JSON.stringify(specifier)} exports no plugin: { name, apply } under the name "plugin", with a Standard Schema as Config or none, and lists of names as inject and provide or none`,
  );
}

/** A path counts from the folder of the config, and so does the name of a module. */
function addressOf(specifier: string, file: string): string {
  if (specifier.startsWith('.') || isAbsolute(specifier))
    return pathToFileURL(resolve(dirname(file), specifier)).href;
  try {
    return pathToFileURL(createRequire(file).resolve(specifier)).href;
  } catch {
    // A module may be for `import` alone, which only the loader itself can find: beside this program.
    return specifier;
  }
}

/** The file of such a module; nothing where it is none. */
export function moduleFile(specifier: string, file: string): string | undefined {
  const address = addressOf(specifier, file);
  return address.startsWith('file:') ? fileURLToPath(address) : undefined;
}

function isPlugin(value: unknown): value is ModulePlugin {
  if (typeof value !== 'object' || value === null) return false;
  const { name, apply, Config, inject, provide } = value as Partial<ModulePlugin>;
  const shaped = typeof name === 'string' && name !== '' && typeof apply === 'function';
  return shaped && isConfig(Config) && isNames(inject) && isNames(provide);
}

function isNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function isConfig(value: unknown): boolean {
  if (value === undefined) return true;
  const { '~standard': standard } = Object(value) as Partial<StandardSchema>;
  return typeof standard?.validate === 'function';
}
