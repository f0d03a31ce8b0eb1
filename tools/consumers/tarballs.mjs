/** Packs every published package and looks into what a user would get. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { portable, scope } from '../boundaries.mjs';

/** `{ folder, name, file, unpacked, manifest }` of each package. */
export function packAll(root, into) {
  return readdirSync(join(root, 'packages')).map((folder) => {
    const target = join(into, folder);
    mkdirSync(target, { recursive: true });
    const cwd = join(root, 'packages', folder);
    execFileSync('pnpm', ['pack', '--pack-destination', target], { cwd, stdio: 'pipe' });
    const tarball = readdirSync(target).find((name) => name.endsWith('.tgz'));
    const file = join(target, tarball);
    execFileSync('tar', ['-xzf', file, '-C', target]);
    const unpacked = join(target, 'package');
    const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
    return { folder, name: manifest.name, file, unpacked, manifest };
  });
}

/** The names that a program imports from one package. */
export function entriesOf({ name, manifest }) {
  const keys = Object.keys(manifest.exports).filter((key) => key !== './package.json');
  return keys.map((key) => posix.join(name, key));
}

const packageName = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
const isBuiltin = (specifier) => specifier.startsWith('node:') || builtinModules.includes(specifier);

function importsOf(file) {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map((found) => found.fileName);
}

function checkImports({ unpacked, manifest }) {
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
  const files = readdirSync(join(unpacked, 'dist')).filter((name) => /\.(?:js|d\.ts)$/.test(name));
  return files.flatMap((name) =>
    importsOf(join(unpacked, 'dist', name))
      .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
      .filter((specifier) => declared[packageName(specifier)] === undefined)
      .map((specifier) => `dist/${name} imports ${specifier}, which the manifest does not name`),
  );
}

/** Node's built-ins among what the main entry loads, chunks included. */
function checkPortable({ folder, unpacked }) {
  if (!portable.includes(`packages/${folder}`)) return [];
  const seen = new Set();
  const problems = [];
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const specifier of importsOf(join(unpacked, 'dist', name))) {
      if (specifier.startsWith('./')) visit(specifier.slice(2));
      else if (isBuiltin(specifier)) problems.push(`the main entry loads ${specifier} (dist/${name})`);
    }
  };
  visit('index.js');
  return problems;
}

function checkManifest({ manifest }) {
  const text = JSON.stringify(manifest);
  const problems = ['workspace:', 'catalog:', `${scope}source`, '@dsh-internal/']
    .filter((word) => JSON.stringify({ ...manifest, devDependencies: {}, scripts: {} }).includes(word))
    .map((word) => `the packed manifest contains ${word}`);
  if (text.includes('"private":true')) problems.push('is private');
  for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
    if (name.startsWith(scope) && !/^\^\d+\.\d+\.\d+$/.test(range))
      problems.push(`peer range ${name}@${range}`);
  }
  return problems;
}

/** What is wrong with one packed package, in sentences. */
export function inspect(one) {
  const missing = ['README.md', 'LICENSE', 'CHANGELOG.md', 'dist/index.js', 'dist/index.d.ts']
    .filter((path) => !existsSync(join(one.unpacked, path)))
    .map((path) => `${path} is not packed`);
  const problems = [...missing, ...checkManifest(one)];
  if (existsSync(join(one.unpacked, 'dist'))) problems.push(...checkImports(one), ...checkPortable(one));
  return problems;
}
