/**
 * The files of the page, as they were built.
 * I1. They are read once and served from memory: no path of a request reaches the file system.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its name changes with its content. */
  readonly hashed: boolean;
}

/** By path, such as `/assets/index-4f2a.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const indexPath = '/index.html';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Where the page lies beside the built program, and where beside its source. */
export function pageFolder(): string {
  const here = import.meta.dirname;
  return import.meta.filename.endsWith('.ts')
    ? join(here, '..', '..', '..', 'dist', 'page')
    : join(here, 'page');
}

/** Nothing where the page was not built. */
export async function readPage(folder: string): Promise<PageFiles> {
  const files = new Map<string, PageFile>();
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of names) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    const body = new Uint8Array(await readFile(file));
    files.set(path, { body, type, hashed: path.startsWith('/assets/') });
  }
  return files.has(indexPath) ? files : new Map<string, PageFile>();
}

const noPage =
  'The page of the inspector was not built. Run "pnpm build" in apps/harness, and start dsh again.\n';

export function pageAnswer(files: PageFiles, path: string): Response {
  const plain = { 'content-type': 'text/plain; charset=utf-8' };
  if (files.size === 0) return new Response(noPage, { status: 503, headers: plain });
  const named = files.get(path);
  // What looks like a file is one; every other path is a place in the page.
  if (named === undefined && /\.\w+$/.test(path))
    return new Response('There is no such file.\n', { status: 404, headers: plain });
  const file = named ?? files.get(indexPath);
  if (file === undefined) return new Response(noPage, { status: 503, headers: plain });
  return new Response(file.body, {
    headers: {
      'content-type': file.type,
      'cache-control': file.hashed ? 'private, max-age=31536000, immutable' : 'no-store',
    },
  });
}
