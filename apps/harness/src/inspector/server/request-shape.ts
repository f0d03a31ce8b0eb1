/** [pure] What a request may say. */
import { z } from 'zod';
import { apiFailure } from './api-failure.ts';

const longestText = 65_536;

const promptSchema = z.strictObject({
  text: z.string().refine((text) => text.trim() !== '', 'is blank'),
  messageId: z.string().regex(/^[\w-]{8,64}$/, 'is not 8 to 64 of A-Z a-z 0-9 _ -'),
});

const emptySchema = z.strictObject({});

export const transcriptQuery = z.object({
  from: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export const flowQuery = z.object({
  root: z.string().min(1),
  limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
});
export const searchQuery = z.object({
  q: z.string().min(1).max(200),
  cursor: z.string().max(200).optional(),
});

export const readPrompt = (text: string): z.output<typeof promptSchema> => {
  const prompt = checked(promptSchema, parsed(text));
  if (new TextEncoder().encode(prompt.text).length > longestText)
    throw apiFailure('TOO_LARGE', `Nothing was sent: a message has at most ${longestText} bytes.`);
  return prompt;
};

export const readNothing = (text: string): void => {
  checked(emptySchema, parsed(text));
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw apiFailure('INVALID_REQUEST', 'Nothing was done: the body of the request is no JSON.');
  }
}

export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the request' : issue.path.join('.');
  throw apiFailure('INVALID_REQUEST', `Nothing was done: ${where} ${issue?.message ?? 'is wrong'}.`);
}
