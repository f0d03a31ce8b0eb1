/**
 * The header of a stored Session: what stands in its folder under that name, and what is wrong with it.
 * I1. A folder without a header is nothing while its holder is still creating; after that it is a problem (S18).
 * I2. A header that stands there is replaced only by who still holds the place.
 */
import { join } from 'node:path';
import { errnoOf, type FilePort } from './file-port.ts';
import { epochOf, HEADER } from './layout.ts';
import { PASSING } from './atomic.ts';
import { folderNameOf } from './folder-names.ts';
import type { Medium } from './medium.ts';

export type HeaderFile =
  | { readonly kind: 'header'; readonly text: string; readonly id: string; readonly parent?: string }
  /** Something that is not a Session stands there. */
  | { readonly kind: 'problem'; readonly code: string; readonly message: string }
  | { readonly kind: 'nothing' };

const problem = (message: string, code = 'INVALID_HEADER'): HeaderFile => ({
  kind: 'problem',
  code,
  message,
});

/** What stands in the folder of that name. Who holds the place is asked only where there is no header. */
export async function loadHeader({ files, layout, epochs }: Medium, name: string): Promise<HeaderFile> {
  const folder = join(layout.sessions, name);
  const facts = await files.facts(folder);
  if (facts === undefined) return { kind: 'nothing' };
  let bytes: Buffer | undefined;
  try {
    bytes = await files.load(join(folder, HEADER));
  } catch (error) {
    return unreadable(error);
  }
  if (bytes !== undefined) return parseHeader(bytes.toString('utf8'), name);
  const names = await files.names(folder);
  // A link to nowhere has the name, so nothing can be made there.
  if (names === undefined) return facts.kind === 'folder' ? { kind: 'nothing' } : problem('not a folder');
  const rest = names.filter((other) => epochOf(other) === undefined && !other.startsWith(PASSING));
  if (rest.length === 0) return { kind: 'nothing' };
  if ((await epochs.newest(folder, names))?.record.creating === true) return { kind: 'nothing' };
  return problem('there is no header, but there are other files');
}

function unreadable(error: unknown): HeaderFile {
  switch (errnoOf(error)) {
    case 'ENOTDIR':
      return problem('not a folder');
    case 'EISDIR':
      return problem('the header is a folder');
    case undefined:
      return problem('the header cannot be read');
    default:
      return problem(`the header cannot be read: ${String(errnoOf(error))}`);
  }
}

export function parseHeader(text: string, name: string): HeaderFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problem(text === '' ? 'the header is empty' : 'the header is not JSON');
  }
  const { id, parentSession: parent } = (value ?? {}) as {
    readonly id?: unknown;
    readonly parentSession?: unknown;
  };
  if (typeof id !== 'string') return problem('the header names no session');
  if (folderNameOf(id) !== name) return problem('the header names a session that does not belong here');
  return { kind: 'header', text, id, ...(typeof parent === 'string' ? { parent } : {}) };
}

/** Makes the header visible. `holds` says whether a header that stands there already may be replaced. */
export async function publishHeader(
  files: FilePort,
  folder: string,
  draft: string,
  holds: () => Promise<boolean>,
): Promise<boolean> {
  const path = join(folder, HEADER);
  const linked = (await holds()) ? await files.link(draft, path) : 'missing';
  // A writer that was overtaken while it created may still have come first.
  if (linked === 'exists' && (await holds())) {
    await files.rename(draft, path);
    return true;
  }
  await files.remove(draft);
  return linked === 'linked';
}
