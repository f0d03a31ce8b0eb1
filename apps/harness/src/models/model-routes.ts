/** Which model answers a route. A registered model goes before a real one of the same route. */
import type { Model } from '@deepseek-ai/dsh-agent';
import type { Registration } from '@deepseek-ai/dsh-session';
import { realModel, type RealModelOptions } from './real-models.ts';

export interface ModelRoutes {
  /** The same model each time; nothing for a route that nobody knows. */
  resolve(route: string): Model | undefined;
  /** Throws where another one is registered under that route. */
  register(route: string, model: Model): Registration;
}

export function modelRoutes(options: RealModelOptions): ModelRoutes {
  const registered = new Map<string, Model>();
  const made = new Map<string, Model>();
  return {
    resolve(route) {
      const known = registered.get(route) ?? made.get(route);
      if (known !== undefined) return known;
      const model = realModel(route, options);
      if (model !== undefined) made.set(route, model);
      return model;
    },
    register(route, model) {
      if (registered.has(route)) throw new Error(`another model is registered as ${route}`);
      registered.set(route, model);
      const dispose = (): void => {
        if (registered.get(route) === model) registered.delete(route);
      };
      return { dispose, [Symbol.dispose]: dispose };
    },
  };
}
