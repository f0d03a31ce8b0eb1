/**
 * Deleting whatever stands under an id.
 * I1. The place is taken first, so that no writer is at work; then the folder leaves the store in one step.
 * I2. What cannot be taken, since it is no folder or holds no file that could be an epoch, is removed as it is.
 */
import { join } from 'node:path';
import { SessionError, type SessionId } from '@deepseek-ai/dsh-session';
import { loadHeader } from './header-file.ts';
import { folderNameOf } from './folder-names.ts';
import { notFound } from './taking.ts';
import type { Medium } from './medium.ts';

export async function remove(medium: Medium, id: SessionId): Promise<void> {
  const { files, layout, children, newId } = medium;
  const there = new Set(await files.names(layout.sessions));
  // A problem whose id cannot be known is shown under the name of its folder.
  const name = [folderNameOf(id), id].find((one) => there.has(one));
  if (name === undefined) throw notFound(id);
  const folder = join(layout.sessions, name);
  const found = await loadHeader(medium, name);
  if (found.kind === 'header' && found.id !== id) throw notFound(id);
  await takeForRemoval(medium, folder, id);
  const away = join(layout.trash, newId());
  await files.makeFolder(layout.trash);
  await files.rename(folder, away);
  if (found.kind === 'header' && found.parent !== undefined) await children.unmark(found.parent, found.id);
  await files.syncFolder(layout.sessions);
  // What a deletion that was killed had left goes with it.
  for (const left of (await files.names(layout.trash)) ?? [])
    await files.removeTree(join(layout.trash, left));
  if (found.kind === 'nothing') throw notFound(id);
}

async function takeForRemoval(
  { files, epochs, newId }: Medium,
  folder: string,
  id: SessionId,
): Promise<void> {
  if ((await files.facts(folder))?.kind !== 'folder') return;
  try {
    await epochs.take(folder, { id, token: newId(), creating: false });
  } catch (error) {
    if (SessionError.is(error)) throw error;
    // I2.
  }
}
