/** Registers the tools for delegation: `subagent`, `subagent_fork`, and those that look after children. */
import type { Context } from '@deepseek-ai/cordis';
import type { Registration } from '@deepseek-ai/dsh-session';
import {
  interruptAgentTool,
  listAgentsTool,
  readAgentTool,
  subagentTool,
} from '@deepseek-ai/dsh-tool-subagent';
import { z } from 'zod';

const Config = z.strictObject({
  backgroundMode: z
    .enum(['continuable', 'one-shot'])
    .default('continuable')
    .describe(
      'continuable: children work in the background and can be written to. one-shot: they are waited for.',
    ),
});

export const subagentToolsPlugin = {
  name: 'subagent-tools',
  inject: ['tools', 'subagents'],
  Config,
  apply(ctx: Context, { backgroundMode }: z.output<typeof Config>): void {
    const { tools, subagents } = ctx;
    ctx.effect(function* () {
      const undo = (registration: Registration) => () => {
        registration.dispose();
      };
      yield undo(
        tools.register(subagentTool(subagents, { provider: 'spawn', toolName: 'subagent', backgroundMode })),
      );
      yield undo(
        tools.register(
          subagentTool(subagents, { provider: 'fork', toolName: 'subagent_fork', backgroundMode }),
        ),
      );
      yield undo(tools.register(listAgentsTool(subagents)));
      yield undo(tools.register(readAgentTool(subagents)));
      yield undo(tools.register(interruptAgentTool(subagents)));
    }, 'subagent-tools');
  },
};
