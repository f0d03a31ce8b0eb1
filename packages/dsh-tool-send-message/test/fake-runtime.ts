/** A runtime that only writes down what it was asked, and a tool context. */
import type { Agent, MessageId, ToolContext } from '@deepseek-ai/dsh-agent';
import type { SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { codedError } from '@dsh-internal/contract';

type SendMessage = SubagentRuntime['sendMessage'];
export type SendingRuntime = Pick<SubagentRuntime, 'protocol' | 'sendMessage'>;

export interface FakeRuntime extends SendingRuntime {
  readonly calls: Parameters<SendMessage>[];
}

/** Accepts under the id that it is given, or does what `answer` does. */
export function fakeRuntime(answer?: () => Promise<MessageId>): FakeRuntime {
  const calls: Parameters<SendMessage>[] = [];
  return {
    protocol: { name: 'dsh-subagents/runtime', version: 1 },
    calls,
    sendMessage: async (...call) => {
      calls.push(call);
      if (answer !== undefined) return answer();
      return call[3]?.messageId ?? ('none' as MessageId);
    },
  };
}

export function context(given: Partial<ToolContext> = {}): ToolContext {
  return {
    agent: { id: 'sender' } as Agent,
    callId: 'call-1',
    signal: new AbortController().signal,
    progress: () => {},
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
