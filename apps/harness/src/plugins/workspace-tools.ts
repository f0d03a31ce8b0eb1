/** Registers the tools for real work, bounded to one folder: for files, and where it is allowed for commands. */
import type { Context } from '@deepseek-ai/cordis';
import type { Registration } from '@deepseek-ai/dsh-session';
import { z } from 'zod';
import { listFilesTool, readFileTool, searchFilesTool, writeFileTool } from '../workspace/file-tools.ts';
import { runCommandTool } from '../workspace/run-command.ts';

/** Clocks take no longer wait: a longer one would be none at all. */
const longestMs = 2_147_483_647;

const Config = z.strictObject({
  root: z.string().min(1).describe('The workspace folder. Default: the current one.'),
  commandMs: z
    .int()
    .min(1)
    .max(longestMs)
    .default(120_000)
    .describe('How long a command may run, in milliseconds.'),
  commandBytes: z.int().min(1).default(65_536).describe('How much of its output is kept, in bytes.'),
  /** Folders and files inside the workspace folder that the tools may not touch. */
  closed: z.array(z.string()).default([]),
  /** Files that the tools may read and not write. */
  readOnly: z.array(z.string()).default([]),
  /** `off`: there is no such tool. `ask`: the agents' `approve` decides each time. `allow`: nobody is asked. */
  commands: z.enum(['off', 'ask', 'allow']).default('off'),
  /** Reads one variable: what a command may see of the environment is taken from here. */
  environment: z.custom<(name: string) => string | undefined>((value) => typeof value === 'function'),
});

export const workspaceToolsPlugin = {
  name: 'workspace-tools',
  inject: ['tools'],
  Config,
  apply(ctx: Context, config: z.output<typeof Config>): void {
    const { root, closed, readOnly, commands, environment, commandMs, commandBytes } = config;
    const { tools } = ctx;
    ctx.effect(function* () {
      const undo = (registration: Registration) => () => {
        registration.dispose();
      };
      const bounds = { root, closed, readOnly };
      yield undo(tools.register(readFileTool(bounds)));
      yield undo(tools.register(listFilesTool(bounds)));
      yield undo(tools.register(searchFilesTool(bounds)));
      yield undo(tools.register(writeFileTool(bounds)));
      if (commands === 'off') return;
      const limits = { timeoutMs: commandMs, outputBytes: commandBytes };
      yield undo(tools.register(runCommandTool(bounds, { environment, ask: commands === 'ask', ...limits })));
    }, 'workspace-tools');
  },
};
