/** The files below a folder, in the order of their names. Links are shown and not followed. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { inside, type Bounds } from './bounds.ts';

export interface Found {
  /** From the workspace folder, with `/` between its parts. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** What is large and not a person's own work. */
const skipped = new Set(['.git', 'node_modules']);

export async function* walk(bounds: Bounds, folder: string, signal: AbortSignal): AsyncGenerator<Found> {
  const top = await inside(bounds, '.', 'read');
  yield* below(bounds, top, await inside(bounds, folder, 'read'), signal);
}

async function* below(
  bounds: Bounds,
  top: string,
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  signal.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const whole = join(folder, entry.name);
    const path = relative(top, whole).replaceAll('\\', '/');
    if (entry.isSymbolicLink()) yield { path, kind: 'link' };
    else if (entry.isFile()) yield { path, kind: 'file' };
    else if (!entry.isDirectory()) yield { path, kind: 'other' };
    else {
      yield { path, kind: 'folder' };
      if (!skipped.has(entry.name) && (await isOpen(bounds, path))) yield* below(bounds, top, whole, signal);
    }
  }
}

async function isOpen(bounds: Bounds, path: string): Promise<boolean> {
  return inside(bounds, path, 'read').then(
    () => true,
    () => false,
  );
}
