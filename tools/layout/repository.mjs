/** What check-layout looks at: the files of the checkout, without git, since a copy may have none. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const skipped = new Set(['node_modules', 'dist', 'coverage', 'temp', '.turbo', '.tools', '.git', '.dsh']);
const binary = /\.(?:png|jpe?g|gif|ico|webp|woff2?|tgz|db|sqlite)$/;

function* walk(root, folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* walk(root, path);
    else if (entry.isFile() && !/\.(?:tgz|tsbuildinfo)$/.test(entry.name)) yield path;
  }
}

/** Path (with `/`) -> text; the text of a binary file is empty. */
export function readRepository(root) {
  const files = new Map();
  for (const path of walk(root, '')) {
    const large = statSync(join(root, path)).size > 2_000_000;
    files.set(path, large || binary.test(path) ? '' : readFileSync(join(root, path), 'utf8'));
  }
  return files;
}

/** The folders that are packages: `{ folder, manifest }`. */
export function packagesOf(files) {
  const found = [];
  for (const [path, text] of files) {
    const folder = /^((?:internal|packages|apps)\/[^/]+)\/package\.json$/.exec(path)?.[1];
    if (folder !== undefined) found.push({ folder, name: basename(folder), manifest: JSON.parse(text) });
  }
  return found;
}

export const lineCount = (text) => text.replace(/\n$/, '').split('\n').length;

export const isSource = (path) => /^(?:internal|packages|apps)\/[^/]+\/(?:page\/)?src\/.+\.tsx?$/.test(path);
