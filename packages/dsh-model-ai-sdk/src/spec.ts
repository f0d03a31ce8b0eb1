/** [pure] Which of the SDK's provider interfaces are understood. */
import type {
  LanguageModelV3,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';

/** A model object of any provider package of the AI SDK, of specification version 4 or 3. */
export type LanguageModel = LanguageModelV4 | LanguageModelV3;
export type StreamPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart;
