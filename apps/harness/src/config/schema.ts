/** The shape of `dsh.config.yaml`: a list of plugins with their options (H2). */
import type { JsonObject } from '@deepseek-ai/dsh-session';
import { z } from 'zod';
import { agentsPlugin } from '../plugins/agents.ts';
import { InspectorConfig } from '../plugins/inspector.ts';
import { modelsPlugin } from '../plugins/models.ts';
import { sendMessagePlugin } from '../plugins/send-message.ts';
import { sessionsPlugin } from '../plugins/sessions.ts';
import { subagentToolsPlugin } from '../plugins/subagent-tools.ts';
import { workspaceToolsPlugin } from '../plugins/workspace-tools.ts';
import { SubagentsConfig } from '../plugins/subagents.ts';

/** Of each plugin of this program, what a file may say. What a file cannot say is given by the command line. */
export const fileOptions = {
  sessions: sessionsPlugin.Config.partial(),
  models: modelsPlugin.Config.pick({ baseUrl: true }),
  agents: agentsPlugin.Config.pick({ model: true, system: true }).partial(),
  subagents: SubagentsConfig,
  'send-message': sendMessagePlugin.Config,
  'subagent-tools': subagentToolsPlugin.Config,
  'workspace-tools': workspaceToolsPlugin.Config.pick({
    root: true,
    commandMs: true,
    commandBytes: true,
  }).partial(),
  inspector: InspectorConfig,
} as const;

export type BuiltInName = keyof typeof fileOptions;
export const builtInNames = Object.keys(fileOptions) as readonly BuiltInName[];

/** What the others do not need. */
const optionalNames: readonly BuiltInName[] = ['send-message', 'subagent-tools', 'workspace-tools'];

export type PluginSettings = {
  readonly [N in BuiltInName]?: z.output<(typeof fileOptions)[N]> | false;
};

export const isBuiltIn = (name: string): name is BuiltInName => Object.hasOwn(fileOptions, name);

/** One entry of the list, for a plugin of this program. */
export function builtInEntry(name: BuiltInName) {
  const options = fileOptions[name].optional();
  const base = { plugin: z.literal(name), options };
  if (!optionalNames.includes(name)) return z.strictObject(base);
  return z.strictObject({ ...base, enabled: z.boolean().optional().describe('false: it is not loaded.') });
}

/** One entry of the list, for a plugin of somebody else. */
export const moduleEntry = z.strictObject({
  plugin: z
    .string()
    .regex(new RegExp(`^(?!(?:${builtInNames.join('|')})$).+`))
    .describe('The name of a module, or a path that begins with a dot, from the folder of this file.'),
  options: z.record(z.string(), z.json()).optional().describe('What the plugin takes.'),
});

/** The list before its entries are looked at one by one. */
export const listSchema = z.strictObject({
  $schema: z.string().optional(),
  plugins: z.array(z.looseObject({ plugin: z.string().min(1) })).default([]),
});

/** All of it in one, for editors. */
export function configJsonSchema(): JsonObject {
  const entries = z.union([...builtInNames.map(builtInEntry), moduleEntry]);
  const whole = listSchema.extend({ plugins: z.array(entries).default([]) });
  return { title: 'dsh.config.yaml', ...(z.toJSONSchema(whole, { io: 'input' }) as JsonObject) };
}
