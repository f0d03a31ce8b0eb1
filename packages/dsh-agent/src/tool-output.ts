/** [pure] From what a tool gave back to what the log keeps. */
import {
  contentProblem,
  freezeJson,
  type ContentBlock,
  type JsonValue,
  type ToolOutcome,
} from '@deepseek-ai/dsh-session';
import { blocksOf } from './message-input.ts';
import { messageOf } from './thrown.ts';
import type { ToolOutput } from './tool.ts';

/** What stands in a `tool/result`, but for the call that it answers. */
export interface CallResult {
  readonly content: readonly ContentBlock[];
  readonly outcome: ToolOutcome;
  readonly structured?: JsonValue;
}

export function textResult(outcome: ToolOutcome, text: string): CallResult {
  return { content: [{ type: 'text', text }], outcome };
}

/** Never throws: an output that cannot be kept is an error that the model can read. */
export function readOutput(output: ToolOutput, invalid: (why: string) => string): CallResult {
  try {
    return checkedOutput(output);
  } catch (error) {
    return textResult('error', invalid(messageOf(error)));
  }
}

function checkedOutput(output: ToolOutput): CallResult {
  const parts = typeof output === 'string' ? { content: output } : output;
  const given: unknown = parts;
  if (typeof given !== 'object' || given === null)
    throw new Error(`it is ${String(given)}, and neither a text nor content`);
  const content = blocksOf(parts.content);
  const problem = contentProblem(content, 'tool');
  if (problem !== undefined) throw new Error(problem);
  const { structured, isError } = parts;
  return freezeJson({
    content,
    outcome: isError === true ? 'error' : 'ok',
    ...(structured === undefined ? {} : { structured }),
  });
}
