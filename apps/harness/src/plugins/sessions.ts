/** Provides `ctx.sessions`: the store of Sessions, in a folder. The only place that names a store driver. */
import type { Context } from '@deepseek-ai/cordis';
import { openSessionStore, type SessionStore } from '@deepseek-ai/dsh-session';
import { fileDriver } from '@deepseek-ai/dsh-session-file';
import { z } from 'zod';
import { diagnosticsOf, reported } from './diagnostics.ts';

declare module '@deepseek-ai/cordis' {
  interface Context {
    readonly sessions: SessionStore;
  }
}

const Config = z.strictObject({
  root: z.string().min(1).describe('The folder that holds the Sessions. It is made where it does not exist.'),
});

export const sessionsPlugin = {
  name: 'sessions',
  provide: ['sessions'],
  Config,
  async apply(ctx: Context, { root }: z.output<typeof Config>): Promise<void> {
    await ctx.effect(async function* () {
      const store = await openSessionStore({
        driver: fileDriver({ root }),
        onDiagnostic: diagnosticsOf(ctx),
      });
      yield reported(ctx, 'the store', async () => store[Symbol.asyncDispose]());
      yield ctx.provide('sessions', store);
    }, 'sessions');
  },
};
