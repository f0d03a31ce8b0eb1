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
import { invalidOutput } from './wording.ts';

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
export function readOutput(name: string, output: ToolOutput): CallResult {
  try {
    return checkedOutput(name, output);
  } catch (error) {
    return textResult('error', invalidOutput(name, messageOf(error)));
  }
}

function checkedOutput(name: string, output: ToolOutput): CallResult {
  const parts =
    typeof output === 'string' ? { content: output } : (output as Exclude<ToolOutput, string> | undefined);
  const content = blocksOf(parts?.content);
  const problem = contentProblem(content, 'tool');
  if (parts === undefined || problem !== undefined) {
    return textResult('error', invalidOutput(name, problem ?? 'it is neither a text nor content blocks'));
  }
  const { structured, isError } = parts;
  return freezeJson({
    content,
    outcome: isError === true ? 'error' : 'ok',
    ...(structured === undefined ? {} : { structured }),
  });
}
