/** Provides `ctx.tools`: the registry that other plugins put their tools into. */
import type { Context } from '@deepseek-ai/cordis';
import { createToolRegistry, type ToolRegistry } from '@deepseek-ai/dsh-agent';
import { z } from 'zod';

declare module '@deepseek-ai/cordis' {
  interface Context {
    readonly tools: ToolRegistry;
  }
}

const Config = z.strictObject({});

export const toolsPlugin = {
  name: 'tools',
  provide: ['tools'],
  Config,
  apply(ctx: Context): void {
    ctx.effect(() => ctx.provide('tools', createToolRegistry()), 'tools');
  },
};
