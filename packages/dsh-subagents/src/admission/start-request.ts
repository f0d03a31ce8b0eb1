/**
 * What a caller asks of a start, checked and copied at once (M1).
 */
import type { ToolFilter } from '@deepseek-ai/dsh-agent';
import { contentProblem, freezeJson, type ContentBlock } from '@deepseek-ai/dsh-session';
import { z } from 'zod';
import { subagentError, type SubagentError } from '../errors.ts';

/** A filter that is not one would hide nothing: it is refused, never read as far as it goes (M11). */
const toolFilterSchema = z.strictObject({
  allow: z.array(z.string()).exactOptional(),
  deny: z.array(z.string()).exactOptional(),
});

const schema = z.object({
  provider: z.string().min(1),
  label: z.string().min(1),
  model: z.string().min(1).optional(),
  persona: z.string().optional(),
  maxDepth: z.int().min(0).optional(),
  toolFilter: toolFilterSchema.optional(),
});

export interface CheckedRequest {
  readonly provider: string;
  readonly label: string;
  readonly model?: string | undefined;
  readonly persona?: string | undefined;
  readonly maxDepth?: number | undefined;
  readonly toolFilter?: ToolFilter | undefined;
}

/** Throws `INVALID_REQUEST`, naming the member. `what` says what then did not happen. */
export function readRequest(
  members: Readonly<Record<keyof CheckedRequest, unknown>>,
  what: string,
): CheckedRequest {
  const result = schema.safeParse(members);
  if (result.success) return freezeJson(withoutUndefined(result.data)) as CheckedRequest;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw invalid(what, problems.join('; '));
}

/** Throws `INVALID_REQUEST`. A text is one block; a blank one is none. */
export function readContent(content: unknown, what: string): readonly ContentBlock[] {
  const blocks: unknown = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (Array.isArray(blocks) && blocks.length === 0) throw invalid(what, 'it has no content');
  if (typeof content === 'string' && content.trim() === '') throw invalid(what, 'its text is blank');
  const problem = contentProblem(blocks, 'user');
  if (problem !== undefined) throw invalid(what, problem);
  return freezeJson(blocks as readonly ContentBlock[]);
}

export function invalid(what: string, problem: string): SubagentError {
  return subagentError('INVALID_REQUEST', `${what}: ${problem}.`);
}

function withoutUndefined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
