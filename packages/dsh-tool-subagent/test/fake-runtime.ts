/** A runtime that writes down what it was asked, and answers as it is told. */
import type { Agent, ToolContext } from '@deepseek-ai/dsh-agent';
import type { MessageId, SessionId } from '@deepseek-ai/dsh-session';
import type {
  OneShotRequest,
  StartContinuable,
  SubagentProvider,
  SubagentResult,
  SubagentRun,
} from '@deepseek-ai/dsh-subagents';
import { codedError } from '@dsh-internal/contract';

const childId = 'kiwi' as SessionId;

export const capabilities = { outputSchema: true, depthLimit: true, toolFilter: true, persona: true };
export const spawn: SubagentProvider = {
  name: 'spawn',
  capabilities,
  start: () => Promise.reject(new Error('not asked')),
  prepareContinuable: async () => ({}),
};

export interface Answers {
  readonly continuable?: () => Promise<{ readonly childId: SessionId; readonly messageId: MessageId }>;
  readonly oneShot?: () => Promise<SubagentRun>;
  readonly providers?: readonly SubagentProvider[];
}

export function fakeRuntime(answers: Answers = {}) {
  const { continuable, oneShot, providers = [spawn, { ...spawn, name: 'fork' }] } = answers;
  const started: StartContinuable[] = [];
  const runs: (OneShotRequest & { readonly provider: string })[] = [];
  return {
    protocol: { name: 'dsh-subagents/runtime', version: 1 } as const,
    started,
    runs,
    getProvider: (name: string) => providers.find((provider) => provider.name === name),
    startContinuable: async (start: StartContinuable) => {
      started.push(start);
      return continuable === undefined ? { childId, messageId: 'm' as MessageId } : continuable();
    },
    start: async (provider: string, request: OneShotRequest) => {
      runs.push({ ...request, provider });
      return oneShot === undefined ? fakeRun({ stopReason: 'completed', output: 'Done.' }) : oneShot();
    },
  };
}

export interface FakeRun extends SubagentRun {
  readonly disposals: number;
}

export function fakeRun(result: SubagentResult | Promise<SubagentResult>): FakeRun {
  let disposals = 0;
  const dispose = async (): Promise<void> => {
    disposals += 1;
  };
  return {
    id: childId,
    result: Promise.resolve(result),
    dispose,
    [Symbol.asyncDispose]: dispose,
    get disposals() {
      return disposals;
    },
  };
}

/** `kept` is what the call kept by `progress`. */
export function context(given: Partial<ToolContext> = {}) {
  const kept: unknown[] = [];
  const agent = { id: 'parent', session: { header: { parentSession: 'grandparent' } } } as unknown as Agent;
  return {
    agent,
    callId: 'call-1',
    signal: new AbortController().signal,
    progress: (data: unknown) => {
      kept.push(data);
    },
    kept,
    ...given,
  };
}

/** An error of the runtime, as another installed copy would make it. */
export function refusalOf(
  code: string,
  data: Readonly<Record<string, unknown>> = {},
  message = 'inside',
): Error {
  return codedError('SubagentError', '@deepseek-ai/dsh-subagents/error').create(code, message, { data });
}
