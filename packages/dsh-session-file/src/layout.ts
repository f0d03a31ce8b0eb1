/** [pure] The names of what lies on the disk. */
import { join } from 'node:path';
import { folderNameOf } from './folder-names.ts';

export const HEADER = 'header.json';
export const PREFIX = 'prefix.json';
export const START = 'start.json';
export const ASIDE = 'set-aside';

const numbered = (kind: string, number: number, ending: string): string =>
  `${kind}-${String(number).padStart(8, '0')}.${ending}`;

export const epochName = (number: number): string => numbered('epoch', number, 'json');
/** Stands beside the epoch file once its holder gave the place back. */
export const releasedName = (number: number): string => numbered('epoch', number, 'released.json');
export const sealName = (number: number): string => numbered('seal', number, 'json');
export const segmentName = (number: number): string => numbered('log', number, 'jsonl');
/** What a repair wrote. No writer goes on in it, so a repair that came to nothing is in nobody's way. */
export const repairedName = (id: string): string => `repaired-${id}.jsonl`;
export const isRepaired = (name: string): boolean => /^repaired-.*\.jsonl$/.test(name);
export const prefixName = (number: number): string => numbered('prefix', number, 'jsonl');

/** The number in the name of an epoch file, or of the one beside it. */
export function epochOf(name: string): number | undefined {
  const found = /^epoch-(\d{8,15})(?:\.released)?\.json$/.exec(name);
  return found === null ? undefined : Number(found[1]);
}
/** The summary that the holder of that epoch keeps beside the log. */
export const summaryName = (number: number): string => numbered('summary', number, 'json');
export const isSummary = (name: string): boolean => /^summary-\d{8,15}\.json$/.test(name);

export interface Layout {
  readonly root: string;
  readonly sessions: string;
  /** One folder per parent, in it one empty file per child. Derived: it can be made again from the headers. */
  readonly byParent: string;
  /** One file per driver; the time of its last change shows that its process is awake. */
  readonly writers: string;
  /** What is being deleted. */
  readonly trash: string;
  folder(id: string): string;
  children(parent: string): string;
}

export function layoutOf(root: string): Layout {
  const sessions = join(root, 'sessions');
  const byParent = join(root, 'by-parent');
  return {
    root,
    sessions,
    byParent,
    writers: join(root, 'writers'),
    trash: join(root, 'trash'),
    folder: (id) => join(sessions, folderNameOf(id)),
    children: (parent) => join(byParent, folderNameOf(parent)),
  };
}
