/** [pure] JSON at the border to the SDK. */
import type { ContentBlockMap } from '@deepseek-ai/dsh-agent';

/** A JSON object, as the messages of a Session hold it. */
export type JsonObject = NonNullable<ContentBlockMap['text']['providerMetadata']>;

/** What a provider gave as metadata, as JSON keeps it: members without a value are left out. Nothing for none. */
export function jsonMetadata(metadata: unknown): JsonObject | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const kept = JSON.parse(JSON.stringify(metadata)) as JsonObject;
  return Object.keys(kept).length === 0 ? undefined : kept;
}
