/** Provides `ctx.models`: which model answers a route. Real ones by `provider/model`, others as registered. */
import type { Context } from '@deepseek-ai/cordis';
import type { Model } from '@deepseek-ai/dsh-agent';
import { z } from 'zod';
import { modelRoutes, type ModelRoutes } from '../models/model-routes.ts';

declare module '@deepseek-ai/cordis' {
  interface Context {
    readonly models: ModelRoutes;
  }
}

const Config = z.strictObject({
  baseUrl: z.url().optional().describe('Where the server of the model listens.'),
  /** Reads one variable: the keys of the providers are read when they are needed, and kept nowhere. */
  environment: z.custom<(name: string) => string | undefined>((value) => typeof value === 'function'),
  /** Models under routes of their own. */
  extra: z.record(z.string(), z.custom<Model>()).default({}),
});

export const modelsPlugin = {
  name: 'models',
  provide: ['models'],
  Config,
  apply(ctx: Context, { baseUrl, environment, extra }: z.output<typeof Config>): void {
    ctx.effect(function* () {
      const routes = modelRoutes({ environment, ...(baseUrl === undefined ? {} : { baseUrl }) });
      for (const [route, model] of Object.entries(extra)) routes.register(route, model);
      yield ctx.provide('models', routes);
    }, 'models');
  },
};
