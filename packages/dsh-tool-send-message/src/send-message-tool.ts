/**
 * The tool `send_message`: puts one call of a model into one call of the runtime, and its answer into words.
 * It holds no state, and decides nothing about who may write to whom.
 */
import {
  AgentError,
  fromJsonSchema,
  type SessionId,
  type ToolContext,
  type ToolDefinition,
  type ToolOutput,
} from '@deepseek-ai/dsh-agent';
import {
  SEND_MESSAGE_TOOL,
  SubagentError,
  subagentError,
  type SubagentRuntime,
} from '@deepseek-ai/dsh-subagents';
import { protocolProblem } from '@dsh-internal/contract';
import { messageIdOf } from './message-id.ts';
import {
  accepted,
  agentIdDescription,
  blankMessage,
  mayHaveArrived,
  messageDescription,
  noCaller,
  refusal,
  tooLarge,
  toolDescription,
  toolName,
} from './wording.ts';

/** What a model hands over: both members, and nothing else (T1). */
export interface SendMessageInput {
  /** Whom it is for: the parent, or a direct child. */
  readonly agent_id: string;
  /** What is sent. Blank: refused. */
  readonly message: string;
}

/** The options of {@link sendMessageTool}. */
export interface SendMessageOptions {
  /** The longest message, in bytes of UTF-8. Default 64 KiB (T5). */
  readonly maxBytes?: number;
}

const inputSchema = {
  type: 'object',
  properties: {
    agent_id: { type: 'string', description: agentIdDescription },
    message: { type: 'string', description: messageDescription },
  },
  required: ['agent_id', 'message'],
  additionalProperties: false,
} as const;

/**
 * Makes the standard message tool. Register it once and globally: parents and children use the same one (T1, T2).
 * Its result is `{ messageId }`, and promises acceptance only. Throws a `SubagentError`: `INCOMPATIBLE` for a runtime of
 * another kind, and `INVALID_REQUEST` for a `maxBytes` that bounds nothing.
 */
export function sendMessageTool(
  runtime: Pick<SubagentRuntime, 'protocol' | 'sendMessage'>,
  options: SendMessageOptions = {},
): ToolDefinition<SendMessageInput> {
  const problem = protocolProblem(runtime, { name: 'dsh-subagents/runtime', version: 1 });
  if (problem !== undefined) throw notMade('INCOMPATIBLE', problem);
  const maxBytes = options.maxBytes ?? 64 * 1024;
  if (typeof maxBytes !== 'number' || !(maxBytes > 0))
    throw notMade('INVALID_REQUEST', `maxBytes is ${String(maxBytes)}, and not a number above 0`);
  return {
    name: toolName,
    description: toolDescription,
    inputSchema: fromJsonSchema<SendMessageInput>(inputSchema),
    identity: SEND_MESSAGE_TOOL,
    async execute(input, context) {
      const refused = problemOf(input.message, maxBytes);
      return refused === undefined ? send(runtime, input, context) : { content: refused, isError: true };
    },
  };
}

function notMade(code: SubagentError['code'], why: string): SubagentError {
  return subagentError(code, `the tool ${toolName} was not made: ${why}`);
}

function problemOf(message: string, maxBytes: number): string | undefined {
  if (message.trim() === '') return blankMessage;
  const bytes = new TextEncoder().encode(message).length;
  return bytes > maxBytes ? tooLarge(bytes, maxBytes) : undefined;
}

async function send(
  runtime: Pick<SubagentRuntime, 'sendMessage'>,
  { agent_id: target, message }: SendMessageInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { callId, signal } = context;
  // A host in plain JavaScript may call the tool without an agent.
  const sender = context.agent as ToolContext['agent'] | undefined;
  if (sender === undefined) throw new TypeError(noCaller);
  const messageId = messageIdOf({ sender: sender.id, callId, target, message });
  try {
    // What is no session id names nobody: the runtime has one answer for all of those.
    const content = [{ type: 'text', text: message }] as const;
    const id = await runtime.sendMessage(sender, target as SessionId, content, { messageId, signal });
    return { content: accepted(target), structured: { messageId: id } };
  } catch (error) {
    return { content: failure(error, target, signal), isError: true };
  }
}

function failure(error: unknown, target: string, signal: AbortSignal): string {
  if (SubagentError.is(error)) {
    return refusal({ code: error.code, target, reachable: error.reachable ?? [], message: error.message });
  }
  // An inbox that refuses has inserted nothing.
  if (AgentError.is(error)) return refusal({ code: error.code, target, reachable: [], message: '' });
  return mayHaveArrived(target, signal.aborted ? 'cancelled' : 'failed');
}
