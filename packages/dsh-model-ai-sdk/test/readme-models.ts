/** The models of the README, line by line. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Model } from '@deepseek-ai/dsh-agent';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';

const apiKey = 'k';
const baseURL = 'https://api.openai.com/v1';

const provider = createOpenAICompatible({ name: 'openai', baseURL, apiKey, includeUsage: true });
const model = aiSdkModel(provider('gpt-5'), { settings: { maxOutputTokens: 1000 } });

const claude = aiSdkModel(createAnthropic({ apiKey })('claude-sonnet-4-5'), {
  settings: { maxOutputTokens: 8000 },
  providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 4000 } } },
  cacheHint: { anthropic: { cacheControl: { type: 'ephemeral' } } },
});
const deepseek = aiSdkModel(createDeepSeek({ apiKey })('deepseek-v4-flash'), {
  providerOptions: { deepseek: { thinking: { type: 'enabled' } } },
});

const byRoute: Readonly<Record<string, Model>> = { claude, deepseek };
export const models = (route: string): Model | undefined => byRoute[route];
export const openai = model;
