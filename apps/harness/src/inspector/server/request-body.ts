/** Reads the body of a request, up to a bound. */
import { apiFailure } from './api-failure.ts';
import type { ServerContext } from './guard.ts';

/** As JSON a prompt may be twice as long as its text, and more. */
const largestBody = 262_144;

/** Rejects `TOO_LARGE`: what is said to be too large is not read, and what turns out to be is not read on. */
export async function bodyOf({ req }: ServerContext): Promise<string> {
  const failure = apiFailure(
    'TOO_LARGE',
    `Nothing was done: the body of a request has at most ${largestBody} bytes.`,
  );
  if (Number(req.header('content-length') ?? 0) > largestBody) throw failure;
  const parts: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = req.raw.body;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > largestBody) throw failure;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
