/**
 * [pure] What a one-shot request asks of its provider, and which of it the provider does not have (M49).
 */
import type { OneShotRequest, ProviderCapabilities } from '../provider.ts';

/** The first capability that is asked for and missing. */
export function missingCapability(
  capabilities: ProviderCapabilities,
  request: Pick<OneShotRequest, 'outputSchema' | 'maxDepth' | 'toolFilter' | 'persona'>,
): keyof ProviderCapabilities | undefined {
  const asked: readonly (readonly [keyof ProviderCapabilities, unknown])[] = [
    ['outputSchema', request.outputSchema],
    ['depthLimit', request.maxDepth],
    ['toolFilter', request.toolFilter],
    ['persona', request.persona],
  ];
  return asked.find(([name, value]) => value !== undefined && !capabilities[name])?.[0];
}
