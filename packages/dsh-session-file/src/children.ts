/**
 * Which Sessions have which parent: one empty file per child, so that a listing by parent opens no other header.
 * Owns: the folder `by-parent`. It is derived from the headers and made again where it is missing.
 * I1. The mark of a child is written before its header, and durable with it: a listing may find a mark too
 *     many, never one too few. Whoever reads a mark checks the header.
 */
import { dirname, join } from 'node:path';
import { errnoOf, type FilePort } from './file-port.ts';
import { HEADER, type Layout } from './layout.ts';
import { parseHeader } from './header-file.ts';
import { folderNameOf } from './folder-names.ts';

export interface Children {
  /** Makes the folders of the store and, where only the index is missing, the index. */
  prepare(): Promise<void>;
  mark(parent: string, child: string): Promise<void>;
  /** Makes the marks of this parent durable. */
  sync(parent: string, syncFolder: (path: string) => Promise<void>): Promise<void>;
  unmark(parent: string, child: string): Promise<void>;
  /** The folder names of the children, in no order. */
  names(parent: string): Promise<readonly string[]>;
}

const isMissing = (error: unknown): boolean => errnoOf(error) === 'ENOENT';

export function createChildren(files: FilePort, layout: Layout, newId: () => string): Children {
  const makeIndex = async (): Promise<void> => {
    if ((await files.facts(layout.byParent)) !== undefined) return;
    if ((await files.names(layout.sessions)) === undefined) await files.makeFolder(layout.byParent);
    else await rebuildIndex(files, layout, newId);
  };
  let prepared = false;
  const put = async (parent: string, child: string): Promise<void> => {
    await (await files.openWrite(join(layout.children(parent), folderNameOf(child)))).close();
  };

  return {
    async prepare() {
      if (prepared) return;
      const made = await files.makeFolders(layout.root);
      await makeIndex();
      for (const folder of [layout.sessions, layout.writers, layout.trash]) await files.makeFolder(folder);
      await files.syncFolder(layout.root);
      for (
        let above = layout.root;
        made !== undefined && above.length >= made.length;
        above = dirname(above)
      ) {
        await files.syncFolder(dirname(above));
      }
      prepared = true;
    },
    async mark(parent, child) {
      try {
        await put(parent, child);
      } catch (error) {
        if (!isMissing(error)) throw error;
        // The first child of this parent, or the index went away in between.
        await makeIndex();
        await files.makeFolder(layout.children(parent));
        await put(parent, child);
      }
    },
    async sync(parent, syncFolder) {
      await Promise.all([syncFolder(layout.children(parent)), syncFolder(layout.byParent)]);
    },
    async unmark(parent, child) {
      await files.remove(join(layout.children(parent), folderNameOf(child)));
      await files.removeFolder(layout.children(parent));
    },
    async names(parent) {
      if ((await files.names(layout.sessions)) !== undefined) await makeIndex();
      return (await files.names(layout.children(parent))) ?? [];
    },
  };
}

async function rebuildIndex(files: FilePort, layout: Layout, newId: () => string): Promise<void> {
  const draft = join(layout.root, `by-parent-${newId()}`);
  await files.makeFolder(draft);
  for (const name of (await files.names(layout.sessions)) ?? []) {
    const text = await files.load(join(layout.sessions, name, HEADER)).catch(() => undefined);
    const header = text === undefined ? undefined : parseHeader(text.toString('utf8'), name);
    if (header?.kind !== 'header' || header.parent === undefined) continue;
    const folder = join(draft, folderNameOf(header.parent));
    await files.makeFolder(folder);
    await files.touch(join(folder, name), 0);
  }
  try {
    await files.rename(draft, layout.byParent);
  } catch (error) {
    await files.removeTree(draft);
    // Another process was faster, and may have marks in it already.
    if ((await files.facts(layout.byParent)) === undefined) throw error;
  }
}
