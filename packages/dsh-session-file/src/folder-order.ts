/**
 * The folder names of all Sessions of the store, or of the children of one parent, in order.
 * Owns: the order that the last listing stopped in. Going on with a page would else cost reading and sorting all
 * names again, and all pages of many names the square of it.
 * I1. A listing from the start reads the names anew.
 * I2. One that goes on takes the kept order where the folder has not changed since, as the time of its last change
 *     tells, and where this driver has stored nothing new. Where that time is coarse, a Session that another process
 *     stored in the same instant may be missing in the rest of this listing.
 */
import type { SessionId } from '@deepseek-ai/dsh-session';
import type { Children } from './children.ts';
import type { FilePort } from './file-port.ts';
import type { Layout } from './layout.ts';

export interface FolderOrder {
  /** The names behind `after`, from `first` on. */
  behind(
    after: string | undefined,
    parent: SessionId | undefined,
  ): Promise<{ readonly names: readonly string[]; readonly first: number }>;
  /** Something was stored, or nobody goes on from here. */
  forget(): void;
}

interface Kept {
  /** Which folder it was, and when that was last changed, before its names were read. */
  readonly version: string | undefined;
  readonly names: readonly string[];
}

export function createFolderOrder(files: FilePort, layout: Layout, children: Children): FolderOrder {
  let kept: Kept | undefined;

  const read = async (parent: SessionId | undefined): Promise<readonly string[]> => {
    const names = parent === undefined ? await files.names(layout.sessions) : await children.names(parent);
    return [...(names ?? [])].sort();
  };

  return {
    async behind(after, parent) {
      const folder = parent === undefined ? layout.sessions : layout.children(parent);
      const facts = await files.facts(folder);
      const version = facts === undefined ? undefined : `${facts.identity} ${String(facts.changedAt)}`;
      if (after === undefined || version === undefined || kept?.version !== version)
        kept = { version, names: await read(parent) };
      const { names } = kept;
      return { names, first: after === undefined ? 0 : firstBehind(names, after) };
    },
    forget() {
      kept = undefined;
    },
  };
}

function firstBehind(names: readonly string[], after: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
