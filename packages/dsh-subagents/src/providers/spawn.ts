/** The provider of children that start fresh (M50). Holds no state. */
import type { SubagentProvider } from '../provider.ts';

/** Makes children that know only their task. `name` defaults to `spawn`. */
export function spawnProvider(options: { readonly name?: string } = {}): SubagentProvider {
  return {
    name: options.name ?? 'spawn',
    capabilities: { outputSchema: true, depthLimit: true, toolFilter: true, persona: true },
    start: async (request) => request.runAgent({}),
    prepareContinuable: async () => ({}),
  };
}
