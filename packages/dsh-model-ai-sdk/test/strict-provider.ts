import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerText, type Wire } from './wire.ts';

/** What the stub once said: the reasoning that belongs to its calls. */
export interface Said {
  readonly callIds: readonly string[];
  readonly thinking: string;
  readonly signature: string;
}

interface Part {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly thinking?: string;
  readonly signature?: string;
}
interface SentMessage {
  readonly role: string;
  readonly content: string | readonly Part[] | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** A message as both families of providers show it: reasoning, calls, results, text, in their order. */
function tokensOf(message: SentMessage): readonly string[] {
  if (message.role === 'tool') return [`result ${message.tool_call_id ?? ''}`];
  const parts = Array.isArray(message.content) ? (message.content as readonly Part[]) : [];
  const tokens = parts.map(({ type, id, tool_use_id, thinking, signature }) => {
    if (type === 'thinking') return `thinking ${thinking ?? ''} ${signature ?? ''}`;
    if (type === 'tool_use') return `call ${id ?? ''}`;
    return type === 'tool_result' ? `result ${tool_use_id ?? ''}` : message.role;
  });
  if (message.reasoning_content !== undefined) tokens.push(`thinking ${message.reasoning_content}`);
  if (typeof message.content === 'string' && message.content !== '') tokens.push(message.role);
  return [...tokens, ...(message.tool_calls ?? []).map(({ id }) => `call ${id}`)];
}

function sentTokens(body: unknown): readonly string[] {
  return (body as { messages: readonly SentMessage[] }).messages.flatMap(tokensOf);
}

/** What is wrong with a request, for a provider that wants everything back in its place. */
function complaint(wire: Wire, tokens: readonly string[], said: readonly Said[]): string | undefined {
  for (const { callIds, thinking, signature } of said) {
    const calls = callIds.map((id) => `call ${id}`);
    const at = tokens.indexOf(calls[0] ?? '');
    if (at < 0) continue;
    const wanted = [
      `thinking ${thinking}${wire.name === 'anthropic' ? ` ${signature}` : ''}`,
      ...calls,
      ...callIds.map((id) => `result ${id}`),
    ];
    const found = tokens.slice(at - 1, at - 1 + wanted.length);
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      return `wanted ${wanted.join(', ')}; found ${found.join(', ')}`;
  }
  return undefined;
}

export interface StrictProvider {
  readonly answer: (response: ServerResponse, request: IncomingMessage, body: unknown) => void;
  readonly refused: readonly string[];
  readonly requests: readonly (readonly string[])[];
  readonly said: readonly Said[];
}

/** Thinks and asks for two calls, twice; then answers. Refuses what lacks the reasoning of any earlier calls. */
export function strictProvider(wire: Wire): StrictProvider {
  const said: Said[] = [];
  const refused: string[] = [];
  const requests: (readonly string[])[] = [];
  const think = (): string => {
    const step = said.length;
    const callIds = [`c${step}-a`, `c${step}-b`];
    const thinking = `Thought ${step}: "é\\n" \u{1F914} <x>`;
    const signature = `sig/${step}+==`;
    said.push({ callIds, thinking, signature });
    const calls = callIds.map((id, index) =>
      wire.call(index + 1, { id, name: 'weather', pieces: ['{"city":', '"Rome"}'] }),
    );
    return answerText(wire, 'tool-calls', wire.reasoning(0, thinking, signature), ...calls);
  };
  return {
    refused,
    requests,
    said,
    answer(response, _request, body) {
      const tokens = sentTokens(body);
      requests.push(tokens);
      const problem = complaint(wire, tokens, said);
      if (problem !== undefined) {
        refused.push(problem);
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify(wire.error(problem)));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(said.length < 2 ? think() : answerText(wire, 'stop', wire.text(0, 'Warm.')));
    },
  };
}
