/**
 * [pure] What must hold of content, so that history, models and displays can rely on it. One check for what is
 * accepted, what is logged, and what is read back. Members that are not named here are not looked at.
 */
import { isRecord } from '../json.ts';

/** Whose message the content stands in. */
export type ContentRole = 'user' | 'assistant' | 'tool';

type Block = Readonly<Record<string, unknown>>;
type BlockCheck = (block: Block, role: ContentRole) => string | undefined;

const text = (block: Block, member: string, of: string): string | undefined =>
  typeof block[member] === 'string' ? undefined : `${of}'s ${member} is no string`;

/** By type. A type that programs have added is theirs to check. */
const checks: ReadonlyMap<unknown, BlockCheck> = new Map<string, BlockCheck>([
  ['text', (block) => text(block, 'text', 'a text block')],
  ['reasoning', (block) => text(block, 'text', 'a reasoning block')],
  ['image', (block) => text(block, 'mediaType', 'an image') ?? text(block, 'data', 'an image')],
  [
    'tool-call',
    (block, role) => {
      if (role !== 'assistant') return `a tool call is no content of role ${role}`;
      const problem = text(block, 'callId', 'a call') ?? text(block, 'name', 'a call');
      return problem ?? ('input' in block ? undefined : "a call's input is missing");
    },
  ],
  [
    'tool-result',
    (block, role) => {
      if (role === 'user') return 'a tool result is no content of role user';
      return text(block, 'callId', 'a result') ?? contentProblem(block['content'], 'tool');
    },
  ],
]);

/**
 * What is wrong with content of that role, as a phrase; nothing where it can be logged and shown to a model.
 * An empty list is content too.
 */
export function contentProblem(content: unknown, role: ContentRole): string | undefined {
  if (!Array.isArray(content)) return 'content is no array';
  for (const block of content as readonly unknown[]) {
    if (!isRecord(block)) return 'a content block is no object';
    if (typeof block['type'] !== 'string') return "a content block's type is no string";
    const problem = checks.get(block['type'])?.(block, role);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
