/** The tool `read_agent`: a page of the transcript of an agent below the caller (T8). It holds no state. */
import {
  fromJsonSchema,
  type SessionId,
  type ToolContext,
  type ToolDefinition,
  type ToolOutput,
} from '@deepseek-ai/dsh-agent';
import type { SubagentRuntime } from '@deepseek-ai/dsh-subagents';
import { refusedResult } from './refused-result.ts';
import { checkRuntime } from './runtime-check.ts';
import { transcriptLines } from './transcript-lines.ts';
import {
  descriptionOfFrom,
  descriptionOfLimit,
  descriptionOfReadId,
  emptyPage,
  lastPage,
  nextPage,
  readDescription,
} from './wording.ts';

export interface ReadAgentInput {
  /** A child, or one below it. */
  readonly agent_id: string;
  /** The record to begin with. Default: where the agent's own work begins. */
  readonly from?: number;
  /** The most records. Default: 50. One alone is shown whole. */
  readonly limit?: number;
}

type ReadingRuntime = Pick<SubagentRuntime, 'protocol' | 'readTranscript'>;

/** Makes `read_agent`. Reading resumes nobody and asks no model. Throws `INCOMPATIBLE`. */
export function readAgentTool(
  runtime: Pick<SubagentRuntime, 'protocol' | 'readTranscript'>,
): ToolDefinition<ReadAgentInput> {
  const name = 'read_agent';
  checkRuntime(runtime, name);
  return {
    name,
    description: readDescription,
    inputSchema: fromJsonSchema<ReadAgentInput>({
      type: 'object',
      properties: {
        agent_id: { type: 'string', description: descriptionOfReadId },
        from: { type: 'integer', minimum: 0, description: descriptionOfFrom },
        limit: { type: 'integer', minimum: 1, maximum: 200, description: descriptionOfLimit },
      },
      required: ['agent_id'],
      additionalProperties: false,
    }),
    execute: (input, context) => read(runtime, input, context),
  };
}

async function read(
  runtime: ReadingRuntime,
  input: ReadAgentInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { agent_id: target, from, limit = 50 } = input;
  try {
    // What is no session id names nobody: the runtime has one answer for all of those.
    const page = await runtime.readTranscript(context.agent, target as SessionId, {
      ...(from === undefined ? {} : { from }),
      limit,
      signal: context.signal,
    });
    const lines = transcriptLines(page.records, { alone: limit === 1 });
    const end = page.next === undefined ? lastPage : nextPage(page.next);
    const content = [...(lines.length === 0 ? [emptyPage] : lines), end].join('\n');
    return { content, structured: page.next === undefined ? {} : { next: page.next } };
  } catch (error) {
    return refusedResult(error, { what: 'Nothing was read', target, agent: context.agent });
  }
}
