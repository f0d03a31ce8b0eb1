/**
 * Real models, by `provider/model`, through the packages of the AI SDK. Keys come from the environment of this
 * program, are read when a model is made, and are kept nowhere else.
 */
import { modelError, type Model, type ModelEvent } from '@deepseek-ai/dsh-agent';
import { aiSdkModel } from '@deepseek-ai/dsh-model-ai-sdk';

/** Reads one variable. */
export type Environment = (name: string) => string | undefined;

export interface RealModelOptions {
  readonly environment: Environment;
  readonly baseUrl?: string;
}

interface Provider {
  readonly keyVariable: string;
  readonly needsBaseUrl?: true;
  /** Loads the package when it is needed: each takes a while. */
  load(modelId: string, options: { apiKey: string; baseUrl: string | undefined }): Promise<Model>;
}

const providers: Readonly<Record<string, Provider>> = {
  deepseek: {
    keyVariable: 'DEEPSEEK_API_KEY',
    async load(modelId, { apiKey, baseUrl }) {
      const { createDeepSeek } = await import('@ai-sdk/deepseek');
      return aiSdkModel(createDeepSeek({ apiKey, ...base(baseUrl) }).languageModel(modelId));
    },
  },
  anthropic: {
    keyVariable: 'ANTHROPIC_API_KEY',
    async load(modelId, { apiKey, baseUrl }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return aiSdkModel(createAnthropic({ apiKey, ...base(baseUrl) }).languageModel(modelId));
    },
  },
  'openai-compatible': {
    keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
    needsBaseUrl: true,
    async load(modelId, { apiKey, baseUrl = '' }) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const provider = createOpenAICompatible({
        name: 'openai-compatible',
        apiKey,
        baseURL: baseUrl,
        includeUsage: true,
      });
      return aiSdkModel(provider.languageModel(modelId));
    },
  },
};

function base(baseUrl: string | undefined): { baseURL?: string } {
  return baseUrl === undefined ? {} : { baseURL: baseUrl };
}

function parseRoute(route: string): { provider: Provider; modelId: string } | undefined {
  const at = route.indexOf('/');
  const name = route.slice(0, Math.max(at, 0));
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  const modelId = route.slice(at + 1);
  return provider === undefined || modelId === '' ? undefined : { provider, modelId };
}

/**
 * What keeps `route` from naming a model of a provider that is known; nothing where it does. `others`: a plugin may
 * register a model of another one, which shows when it is loaded.
 */
export function routeProblem(route: string, others = false): string | undefined {
  if (parseRoute(route) !== undefined || (others && /^[^/]+\/./.test(route))) return undefined;
  const known = Object.keys(providers).join(', ');
  return `${JSON.stringify(route)} is no model: write provider/model, with one of the providers ${known}`;
}

/** What keeps it from being the place of a server; nothing where it is left out. */
export function baseUrlProblem(baseUrl: string | undefined, called = '--base-url'): string | undefined {
  if (baseUrl === undefined) return undefined;
  const url = URL.parse(baseUrl);
  // Not repeated: what it holds would be shown, and stored with the failure of each request.
  if (baseUrl.includes('@') && [url?.username, url?.password].some((part) => part !== ''))
    return `${called} holds a name or a password: leave them out, keys come from the environment`;
  if (/^https?:$/.test(url?.protocol ?? '')) return undefined;
  return `${called} ${JSON.stringify(baseUrl)} is no URL of a server: write one such as https://host/v1`;
}

/** What keeps `route` from being a model that can be asked, in one line; nothing where it is one. `others`: as above. */
export function realModelProblem(
  route: string,
  { environment, baseUrl }: RealModelOptions,
  others = false,
): string | undefined {
  const parsed = parseRoute(route);
  if (parsed === undefined) return routeProblem(route, others);
  const { keyVariable, needsBaseUrl } = parsed.provider;
  const wrongUrl = baseUrlProblem(baseUrl);
  if (wrongUrl !== undefined) return wrongUrl;
  if (needsBaseUrl === true && baseUrl === undefined) return `the model ${route} needs --base-url`;
  return (environment(keyVariable) ?? '') === ''
    ? `the model ${route} needs a key: set ${keyVariable}`
    : undefined;
}

/** The model of a route; nothing where the route names no provider that is known. */
export function realModel(route: string, options: RealModelOptions): Model | undefined {
  const parsed = parseRoute(route);
  if (parsed === undefined) return undefined;
  let loading: Promise<Model> | undefined;
  const load = (): Promise<Model> => {
    const problem = realModelProblem(route, options);
    if (problem !== undefined) throw modelError('UNAUTHORIZED', problem, { retryable: false });
    const apiKey = options.environment(parsed.provider.keyVariable) ?? '';
    return parsed.provider.load(parsed.modelId, { apiKey, baseUrl: options.baseUrl });
  };
  return {
    id: route,
    async *stream(request, streamOptions): AsyncIterable<ModelEvent> {
      const model = await (loading ??= load());
      yield* model.stream(request, streamOptions);
    },
  };
}
