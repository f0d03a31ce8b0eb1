/**
 * Loaded before each test of an example: whatever model the program gives its agents is asked only with what the log
 * of the asking agent gives (A13). Else the turn ends with an error, and the program says something else.
 */
import { vi } from 'vitest';
import type * as real from '@deepseek-ai/dsh-agent';
import { checkedModel } from '@deepseek-ai/dsh-agent/testing';

vi.mock('@deepseek-ai/dsh-agent', async (importOriginal) => {
  const original = await importOriginal<typeof real>();
  const createAgentRegistry: typeof real.createAgentRegistry = (options) => {
    const agents = original.createAgentRegistry({
      ...options,
      models(route) {
        const model = options.models(route);
        return model === undefined ? undefined : checkedModel(model, () => agents.list());
      },
    });
    return agents;
  };
  return { ...original, createAgentRegistry };
});
