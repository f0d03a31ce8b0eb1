/**
 * Deleting whatever stands under an id.
 * 1. The place is taken first, so that no writer is at work; then the folder leaves the store in one step.
 * 2. What cannot be taken, since it is no folder or holds no file that could be an epoch, is removed as it is.
 */
import { join } from 'node:path';
import type { SessionId } from '@deepseek-ai/dsh-session';
import { lockedError } from './epoch.ts';
import { loadHeader } from './header-file.ts';
import { isDigestPlace, isPlainName, placeOf } from './places.ts';
import { notFound } from './taking.ts';
import type { Medium } from './medium.ts';

/** The place of the id; for a problem that `list` shows under the name of its place, that name. */
async function placeNamed(medium: Medium, id: SessionId): Promise<string | undefined> {
  const names = new Set((await medium.files.names(medium.layout.sessions)) ?? []);
  const place = placeOf(id);
  if (names.has(place)) return place;
  return isPlainName(id) && (isDigestPlace(id) || placeOf(id) !== id) && names.has(id) ? id : undefined;
}

export async function remove(medium: Medium, id: SessionId): Promise<void> {
  const { files, epochs, layout, children, newId } = medium;
  const place = await placeNamed(medium, id);
  if (place === undefined) throw notFound(id);
  const folder = join(layout.sessions, place);
  const isFolder = (await files.facts(folder))?.kind === 'folder';
  const names = isFolder ? ((await files.names(folder)) ?? []) : [];
  const found = await loadHeader(
    files,
    folder,
    place,
    async (list) => (await epochs.highest(folder, list))?.record,
  );
  if (isFolder) await takeForRemoval(medium, folder, names, id);
  const away = join(layout.trash, newId());
  await files.makeFolder(layout.trash);
  await files.rename(folder, away);
  if (found.kind === 'header' && found.parent !== undefined) await children.unmark(found.parent, found.id);
  await files.syncFolder(layout.sessions);
  await files.removeTree(away);
  if (found.kind === 'nothing') throw notFound(id);
}

async function takeForRemoval(
  medium: Medium,
  folder: string,
  names: readonly string[],
  id: SessionId,
): Promise<void> {
  const { epochs, newId } = medium;
  const holder = await epochs.holder(folder, names).catch(() => undefined);
  if (holder !== undefined) throw lockedError(id, holder);
  const taken = await epochs
    .take(folder, { id, token: newId(), creating: false })
    .catch((error: unknown) => error);
  if ((taken as { code?: unknown } | undefined)?.code === 'SESSION_LOCKED') throw taken;
  if (taken === 'missing') throw notFound(id);
}
