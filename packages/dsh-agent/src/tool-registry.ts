/**
 * One global layer of tools and one layer per scope (A30).
 * I1. What a scope sees is worked out from the layers; nothing but `views` remembers it, and every change empties that.
 * I2. A layer lives as long as its scope: the exact object counts, and nothing here keeps it.
 */
import { freezeJson, type Registration, type ToolSchema } from '@deepseek-ai/dsh-session';
import { agentError } from './errors.ts';
import { checkFilter, checkObject } from './options.ts';
import type { ToolDefinition, ToolFilter, ToolRegistry, ToolScope } from './tool.ts';

interface Entry {
  readonly tool: ToolDefinition;
  readonly schema: ToolSchema;
}
type Layer = Map<string, Entry>;

interface Scoped {
  readonly own: Layer;
  readonly adopted: Layer;
  readonly filters: ToolFilter[];
}

interface View {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly schemas: readonly ToolSchema[];
}

/** An empty registry of tools. */
export function createToolRegistry(): ToolRegistry {
  const global: Layer = new Map();
  const scopes = new WeakMap<ToolScope, Scoped>();
  let views = new WeakMap<ToolScope, View>();
  let globalView: View | undefined;

  const changed = (): void => {
    views = new WeakMap();
    globalView = undefined;
  };
  const scopedOf = (scope: ToolScope): Scoped => {
    checkObject('no tools given or hidden', 'the scope', scope);
    const found = scopes.get(scope) ?? { own: new Map(), adopted: new Map(), filters: [] };
    scopes.set(scope, found);
    return found;
  };
  const viewOf = (scope: ToolScope | undefined): View => {
    if (scope === undefined) return (globalView ??= makeView(global, undefined));
    checkObject('no tools found', 'the scope', scope);
    const view = views.get(scope) ?? makeView(global, scopes.get(scope));
    views.set(scope, view);
    return view;
  };

  return {
    protocol: { name: 'dsh-agent/tools', version: 1 },
    register(tool, scope) {
      const entry = readTool(tool);
      const layer = scope === undefined ? global : scopedOf(scope).own;
      if (layer.has(tool.name))
        throw agentError('DUPLICATE_TOOL', `tool ${tool.name} not registered: it exists`);
      layer.set(tool.name, entry);
      changed();
      return registration(() => {
        if (layer.get(tool.name) === entry) layer.delete(tool.name);
        changed();
      });
    },
    schemas: (scope) => viewOf(scope).schemas,
    resolve: (name, scope) => viewOf(scope).entries.get(name)?.tool,
    filter(scope, filter) {
      const own = copyFilter(filter);
      const scoped = scopedOf(scope);
      scoped.filters.push(own);
      changed();
      const layers = [global, scoped.adopted, scoped.own];
      return namesIn(own).filter((name) => !layers.some((layer) => layer.has(name)));
    },
    filterOf: (scope) => merged(scopes.get(scope)?.filters ?? []),
    adopt(scope, from, only) {
      const source = scopes.get(from);
      const all = source === undefined ? [] : [...source.adopted, ...source.own];
      const taken = all.filter(([name]) => only === undefined || only.includes(name));
      const { adopted } = scopedOf(scope);
      for (const [name, entry] of taken) adopted.set(name, entry);
      changed();
      return [...new Set(taken.map(([name]) => name))];
    },
  };
}

/** A shadowing tool stands in the place of the one that it shadows. */
function makeView(global: Layer, scoped: Scoped | undefined): View {
  const inherited = new Map([...global, ...(scoped?.adopted ?? [])]);
  for (const name of [...inherited.keys()]) if (!passes(name, scoped?.filters ?? [])) inherited.delete(name);
  const entries = new Map([...inherited, ...(scoped?.own ?? [])]);
  return { entries, schemas: Object.freeze(Array.from(entries.values(), ({ schema }) => schema)) };
}

function copyFilter(filter: ToolFilter): ToolFilter {
  checkFilter('no tools hidden', filter);
  const { allow, deny } = filter;
  return { ...(allow && { allow: [...allow] }), ...(deny && { deny: [...deny] }) };
}

function namesIn({ allow = [], deny = [] }: ToolFilter): readonly string[] {
  return [...new Set([...allow, ...deny])];
}

function passes(name: string, filters: readonly ToolFilter[]): boolean {
  return filters.every(({ allow, deny }) => (allow?.includes(name) ?? true) && deny?.includes(name) !== true);
}

/** One filter that hides what any of them hides. */
function merged(filters: readonly ToolFilter[]): ToolFilter | undefined {
  if (filters.length === 0) return undefined;
  const allows = filters.flatMap(({ allow }) => (allow === undefined ? [] : [allow]));
  const deny = [...new Set(filters.flatMap((filter) => filter.deny ?? []))];
  const [first, ...rest] = allows;
  return {
    ...(first && { allow: first.filter((name) => rest.every((allow) => allow.includes(name))) }),
    ...(deny.length > 0 && { deny }),
  };
}

/** The schema is fixed here, so that later changes to the tool's own objects change no request. */
function readTool(tool: ToolDefinition): Entry {
  if (typeof (tool as unknown) !== 'object' || (tool as unknown) === null)
    throw agentError('INVALID_TOOL', 'tool not registered: it is no object');
  const { name, description, inputSchema } = tool as Partial<ToolDefinition>;
  const refuse = (why: string, cause?: unknown): Error =>
    agentError('INVALID_TOOL', `tool ${String(name)} not registered: ${why}`, { cause });
  if (typeof name !== 'string' || name === '') throw refuse('it has no name');
  if (typeof description !== 'string') throw refuse('it has no description');
  if (typeof tool.execute !== 'function') throw refuse('it has no execute');
  if (typeof inputSchema?.parse !== 'function') throw refuse('its inputSchema has no parse');
  try {
    return { tool, schema: freezeJson({ name, description, inputSchema: inputSchema.json }) };
  } catch (cause) {
    throw refuse('its JSON Schema is no JSON', cause);
  }
}

function registration(undo: () => void): Registration {
  let done = false;
  const dispose = (): void => {
    if (done) return;
    done = true;
    undo();
  };
  return { dispose, [Symbol.dispose]: dispose };
}
