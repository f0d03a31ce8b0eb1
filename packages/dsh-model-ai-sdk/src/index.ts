/** Any language model of the AI SDK as the model of an agent. */
export { aiSdkModel, type AiSdkModelOptions } from './ai-sdk-model.ts';
export type { ModelSettings, ProviderOptions } from './call-options.ts';
export type { JsonObject } from './json.ts';
export type { LanguageModel } from './spec.ts';
