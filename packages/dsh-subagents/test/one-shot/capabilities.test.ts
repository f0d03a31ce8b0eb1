import { describe, expect, it } from 'vitest';
import { missingCapability } from '../../src/one-shot/capabilities.ts';

const none = { outputSchema: false, depthLimit: false, toolFilter: false, persona: false };

describe('capabilities of a provider', () => {
  it.each([
    [{}, undefined],
    [{ persona: 'x' }, 'persona'],
    [{ maxDepth: 0 }, 'depthLimit'],
    [{ toolFilter: {} }, 'toolFilter'],
    [{ outputSchema: null }, 'outputSchema'],
  ])('[M49] are missed where they are asked for: %j', (request, missing) => {
    expect(missingCapability(none, request)).toBe(missing);
    const all = { outputSchema: true, depthLimit: true, toolFilter: true, persona: true };
    expect(missingCapability(all, request)).toBeUndefined();
  });
});
