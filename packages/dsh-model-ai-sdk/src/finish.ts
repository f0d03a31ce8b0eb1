/** [pure] The end of an answer: why it ended, and what it cost. */
import type { ModelError, ModelEvent, Usage } from '@deepseek-ai/dsh-agent';
import { modelError } from '@deepseek-ai/dsh-agent';
import { cutStream } from './failures.ts';
import { jsonMetadata } from './json.ts';
import type { StreamPart } from './spec.ts';

type FinishPart = Extract<StreamPart, { type: 'finish' }>;
type FinishEvent = Extract<ModelEvent, { readonly type: 'finish' }>;

/** Throws `CUT_STREAM` where the provider did not say why the answer ended (A15). */
export function finishEvent({ finishReason, usage, providerMetadata }: FinishPart): FinishEvent {
  const tokens = usageOf(usage);
  const metadata = jsonMetadata(providerMetadata);
  return {
    type: 'finish',
    reason: reasonOf(finishReason),
    ...(tokens === undefined ? {} : { usage: tokens }),
    ...(metadata === undefined ? {} : { providerMetadata: metadata }),
  };
}

/** An answer that is to be followed by results, and holds nothing that could have any. */
export function withoutCalls(): ModelError {
  return modelError('BAD_RESPONSE', 'the model ended its answer for tool calls, and none could be read', {
    retryable: true,
  });
}

function reasonOf({ unified, raw }: FinishPart['finishReason']): FinishEvent['reason'] {
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      return unified;
    case 'length':
      return 'max-tokens';
    case 'content-filter':
      return 'refused';
    case 'interrupted':
      throw cutStream('the answer was interrupted by the provider');
    case 'error':
      throw modelError('BAD_RESPONSE', `the model ended its answer with an error (${raw ?? 'unnamed'})`, {
        retryable: true,
      });
    case 'other':
      // Providers say `other` both for a reason that they do not know and for a stream that just ended.
      if (raw === undefined) throw cutStream('the stream ended without a finish reason');
      return 'other';
  }
}

function usageOf({ inputTokens, outputTokens }: FinishPart['usage']): Usage | undefined {
  const { total, noCache, cacheRead, cacheWrite } = inputTokens;
  const input = total ?? sum(noCache, cacheRead, cacheWrite);
  const output = outputTokens.total ?? sum(outputTokens.text, outputTokens.reasoning);
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(cacheRead === undefined ? {} : { cachedInputTokens: cacheRead }),
    ...(outputTokens.reasoning === undefined ? {} : { reasoningTokens: outputTokens.reasoning }),
  };
}

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0);
}
