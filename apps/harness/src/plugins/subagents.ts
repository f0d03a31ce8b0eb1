/**
 * Provides `ctx.subagents`: the runtime of continuable children, with the providers `spawn` and `fork`.
 * Unloading drains every Activation child-first; the Sessions stay. The host controls go to whoever made this
 * plugin, never into the context (M45).
 */
import type { Context } from '@deepseek-ai/cordis';
import {
  createSubagents,
  forkProvider,
  spawnProvider,
  type HostControls,
  type SubagentRuntime,
} from '@deepseek-ai/dsh-subagents';
import { z } from 'zod';
import { diagnosticsOf } from './diagnostics.ts';

declare module '@deepseek-ai/cordis' {
  interface Context {
    readonly subagents: SubagentRuntime;
  }
}

export const SubagentsConfig = z.strictObject({
  maxDepth: z.int().min(0).optional().describe('The deepest level of children below a root.'),
  maxHops: z.int().min(0).optional().describe('How many messages may follow on the last one of a person.'),
});

export function subagentsPlugin(onHost: (host: HostControls | undefined) => void) {
  return {
    name: 'subagents',
    inject: ['sessions', 'agents', 'tools'],
    provide: ['subagents'],
    Config: SubagentsConfig,
    async apply(ctx: Context, { maxDepth, maxHops }: z.output<typeof SubagentsConfig>): Promise<void> {
      const { sessions, agents, tools } = ctx;
      await ctx.effect(async function* () {
        const { runtime, host } = createSubagents({
          sessions,
          agents,
          tools,
          limits: {
            ...(maxDepth === undefined ? {} : { maxDepth }),
            ...(maxHops === undefined ? {} : { maxHops }),
          },
          onDiagnostic: diagnosticsOf(ctx),
        });
        runtime.registerProvider(spawnProvider());
        runtime.registerProvider(forkProvider());
        yield () => runtime.drain();
        onHost(host);
        yield () => {
          onHost(undefined);
        };
        yield ctx.provide('subagents', runtime);
      }, 'subagents');
    },
  };
}
