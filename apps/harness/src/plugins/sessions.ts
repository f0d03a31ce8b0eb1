/** Provides `ctx.sessions`: the store of Sessions, in a folder. */
import type { Context } from '@deepseek-ai/cordis';
import { openSessionStore, type SessionStore } from '@deepseek-ai/dsh-session';
import { z } from 'zod';
import { diagnosticsOf } from './diagnostics.ts';
import { openDriver, storeDrivers } from './store-driver.ts';

declare module '@deepseek-ai/cordis' {
  interface Context {
    readonly sessions: SessionStore;
  }
}

const Config = z.strictObject({
  root: z.string().min(1).describe('The folder that holds the Sessions. It is made where it does not exist.'),
  driver: z
    .enum(storeDrivers)
    .optional()
    .describe(
      'What keeps the Sessions: file (a folder for each) or sqlite (one file for all). Default: what has made the store, and file for a new one.',
    ),
});

export const sessionsPlugin = {
  name: 'sessions',
  provide: ['sessions'],
  Config,
  async apply(ctx: Context, { root, driver }: z.output<typeof Config>): Promise<void> {
    await ctx.effect(async function* () {
      const onDiagnostic = diagnosticsOf(ctx);
      const store = await openSessionStore({ driver: openDriver(root, driver, onDiagnostic), onDiagnostic });
      yield () => store[Symbol.asyncDispose]();
      yield ctx.provide('sessions', store);
    }, 'sessions');
  },
};
