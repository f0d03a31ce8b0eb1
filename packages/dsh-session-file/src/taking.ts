/**
 * Taking the writer's place of a Session, new or stored.
 * I1. What was found before the epoch was taken is looked at again after it: only then it cannot change.
 */
import { join } from 'node:path';
import { SessionError, sessionError, type SeedPrefix, type SessionId } from '@deepseek-ai/dsh-session';
import { clear, syncNames } from './birth.ts';
import type { Epoch } from './epoch.ts';
import { SOMEWHERE } from './epoch-record.ts';
import { loadHeader, parseHeader, type HeaderFile } from './header-file.ts';
import { epochName, HEADER } from './layout.ts';
import type { Medium } from './medium.ts';
import { folderNameOf } from './folder-names.ts';
import { sharePrefix } from './prefix.ts';
import { writingPoint } from './sealing.ts';
import { Writer } from './writer.ts';

export const notFound = (id: SessionId): Error =>
  sessionError('SESSION_NOT_FOUND', `session ${id} is not stored`);
const exists = (id: SessionId): Error =>
  sessionError('SESSION_EXISTS', `session ${id} was not created: it is stored`);

const headerOf = (medium: Medium, id: SessionId): Promise<HeaderFile> => loadHeader(medium, folderNameOf(id));

/** The text of the header. Rejects `SESSION_NOT_FOUND` and, where something else stands there, its code. */
export async function requireHeader(medium: Medium, id: SessionId): Promise<string> {
  const found = await headerOf(medium, id);
  if (found.kind === 'nothing' || (found.kind === 'header' && found.id !== id)) throw notFound(id);
  if (found.kind === 'problem') throw sessionError(found.code, `session ${id} not read: ${found.message}`);
  return found.text;
}

export async function takeNew(
  medium: Medium,
  id: SessionId,
  prefix: SeedPrefix | undefined,
): Promise<Writer> {
  const { files, epochs, layout, newId } = medium;
  const folder = layout.folder(id);
  for (;;) {
    if ((await headerOf(medium, id)).kind !== 'nothing') throw exists(id);
    await files.makeFolder(folder);
    const epoch = await epochs.take(folder, { id, token: newId(), creating: true });
    // Another creator gave up and took the folder with it.
    if (epoch === 'missing') continue;
    if (epoch.before?.creating === false || (await files.facts(join(folder, HEADER))) !== undefined) {
      await leaveStored(medium, id, epoch);
      throw exists(id);
    }
    return startEmpty(medium, id, epoch, prefix);
  }
}

/** Another was faster, and has stored it: its place is given back as it was found. */
async function leaveStored(medium: Medium, id: SessionId, epoch: Epoch): Promise<void> {
  const point = await writingPointOf(medium, medium.layout.folder(id), epoch.before);
  await new Writer(medium, { id, epoch, creating: false, point }).finish();
}

/** With nothing in the folder but the prefix. */
async function startEmpty(
  medium: Medium,
  id: SessionId,
  epoch: Epoch,
  prefix: SeedPrefix | undefined,
): Promise<Writer> {
  const { files, layout } = medium;
  const folder = layout.folder(id);
  const point = { segment: 1, bytes: 0, length: prefix?.length ?? 0 };
  const writer = new Writer(medium, { id, epoch, creating: true, point });
  try {
    await clear(files, folder);
    if (prefix !== undefined) await sharePrefix(files, layout.folder(prefix.session), folder, prefix);
    return writer;
  } catch (error) {
    await writer.finish();
    throw error;
  }
}

const writingPointOf = (medium: Medium, folder: string, before: Parameters<typeof writingPoint>[3]) =>
  writingPoint(medium.files, medium.atomic, folder, before);

/** The caller has looked for the header: nothing is made for an id that is not stored. */
export async function takeStored(medium: Medium, id: SessionId): Promise<Writer> {
  const { epochs, layout, newId } = medium;
  const folder = layout.folder(id);
  const epoch = await epochs.take(folder, { id, token: newId(), creating: false });
  if (epoch === 'missing') throw notFound(id);
  try {
    const header = await requireHeader(medium, id);
    if (overtook(epoch)) await finishBirth(medium, id, header);
    const point = await writingPointOf(medium, folder, epoch.before);
    return new Writer(medium, { id, epoch, creating: false, point });
  } catch (error) {
    await giveUp(medium, folder, epoch, SessionError.is(error));
    throw error;
  }
}

/** Also where one before this did, and came no further. */
const overtook = ({ record }: Epoch): boolean => record.unsaid !== undefined;

/** Its creator may have been killed as soon as the header could be seen. */
async function finishBirth(medium: Medium, id: SessionId, header: string): Promise<void> {
  const parsed = parseHeader(header, folderNameOf(id));
  const parent = parsed.kind === 'header' ? parsed.parent : undefined;
  if (parent !== undefined) await medium.children.mark(parent, id);
  await syncNames(medium, id, parent);
}

/** `gone`: there is nothing that anybody could take after this. */
async function giveUp({ files, epochs }: Medium, folder: string, epoch: Epoch, gone: boolean): Promise<void> {
  if (!gone) {
    const { summary, unsaid } = epoch.record;
    await epochs.giveBack(folder, epoch, {
      released: SOMEWHERE,
      unsaid,
      ...(summary === undefined ? {} : { summary }),
    });
    return;
  }
  await files.remove(join(folder, epochName(epoch.number)));
  await files.removeFolder(folder);
}
