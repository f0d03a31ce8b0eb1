/**
 * [pure] The one folder name of each id.
 * I1. No two ids share a name, also where `A` and `a` are one (S1).
 * I2. A name is a single, ordinary path segment on POSIX and on Windows.
 */
import { createHash } from 'node:crypto';

const READABLE = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;

/** The id itself where that is safe, else `~` and a digest: no readable name begins with `~`. */
export function folderNameOf(id: string): string {
  if (READABLE.test(id) && !id.endsWith('.') && !RESERVED.test(id)) return id;
  // UTF-16, so that a lone surrogate is not the same as its replacement in UTF-8.
  return `~${createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex')}`;
}

/** The id that a name shows; `undefined` where it shows only a digest, or is no name of ours. */
export function idOfFolderName(name: string): string | undefined {
  return folderNameOf(name) === name ? name : undefined;
}
