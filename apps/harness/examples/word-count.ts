/** A plugin of somebody else: a tool that counts words. In `dsh.config.yaml`: `- plugin: ./word-count.ts`. */
import type { Context } from '@deepseek-ai/cordis';
import { fromStandardSchema, type ToolRegistry } from '@deepseek-ai/dsh-agent';
import { z } from 'zod';

const Config = z.strictObject({
  /** What the tool is called. */
  toolName: z.string().min(1).default('count_words'),
});

export const plugin = {
  name: 'word-count',
  inject: ['tools'],
  Config,
  apply(ctx: Context & { readonly tools: ToolRegistry }, { toolName }: z.output<typeof Config>): void {
    const { tools } = ctx;
    ctx.effect(() => {
      const registration = tools.register({
        name: toolName,
        description: 'Counts the words of a text.',
        inputSchema: fromStandardSchema(z.strictObject({ text: z.string() })),
        execute: ({ text }) => `${text.split(/\s+/).filter((word) => word !== '').length} words`,
      });
      return () => {
        registration.dispose();
      };
    }, 'word-count');
  },
};
