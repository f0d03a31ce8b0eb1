/**
 * How a new Session comes to be stored, or leaves nothing.
 * I1. Its first events are durable before its header can be seen, and nothing is listed without a header (S4).
 * I2. The names are durable before it is said to be stored.
 */
import { join } from 'node:path';
import type { SessionId } from '@deepseek-ai/dsh-session';
import { PASSING } from './atomic.ts';
import type { Epoch } from './epoch.ts';
import type { FilePort } from './file-port.ts';
import { parseHeader, publishHeader } from './header-file.ts';
import { epochName, epochOf, HEADER } from './layout.ts';
import type { Medium } from './medium.ts';
import { folderNameOf } from './folder-names.ts';

export interface Birth {
  /** `syncEvents` makes the first events durable, which are written already. Rejects where the place is lost. */
  complete(header: string, syncEvents: () => Promise<void>): Promise<void>;
  /** Takes away what was written, the place with it. */
  undo(): Promise<void>;
}

export function createBirth(medium: Medium, id: SessionId, epoch: Epoch): Birth {
  const { files, children, order, layout, epochs } = medium;
  const folder = layout.folder(id);
  let parent: string | undefined;
  return {
    async complete(header, syncEvents) {
      const parsed = parseHeader(header, folderNameOf(id));
      parent = parsed.kind === 'header' ? parsed.parent : undefined;
      const draft = join(folder, `${PASSING}${medium.newId()}`);
      const marked = parent === undefined ? undefined : children.mark(parent, id);
      await Promise.all([files.put(draft, Buffer.from(header), true), syncEvents(), marked]);
      if (!(await publishHeader(files, folder, draft, () => epochs.holds(folder, epoch)))) {
        throw new Error(`the header of session ${id} was not put in its place`);
      }
      order.forget();
      await syncNames(medium, id, parent);
    },
    async undo() {
      if (parent !== undefined) await children.unmark(parent, id);
      await files.remove(join(folder, HEADER));
      await clear(files, folder);
      await files.remove(join(folder, epochName(epoch.number)));
      await files.removeFolder(folder);
    },
  };
}

/** Makes durable under which names a Session is found (I2). */
export async function syncNames(
  { children, layout, syncFolder }: Medium,
  id: SessionId,
  parent: string | undefined,
): Promise<void> {
  const marks = parent === undefined ? undefined : children.sync(parent, syncFolder);
  await Promise.all([syncFolder(layout.folder(id)), syncFolder(layout.sessions), marks]);
}

/** Removes all files of a folder but its epochs. */
export async function clear(files: FilePort, folder: string): Promise<void> {
  for (const name of (await files.names(folder)) ?? []) {
    if (epochOf(name) === undefined) await files.remove(join(folder, name));
  }
}
