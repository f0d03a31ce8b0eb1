/** A clean program that installs the tarballs, is type-checked and runs. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreign, scope } from '../boundaries.mjs';
import { entriesOf } from './tarballs.mjs';

const programs = join(dirname(fileURLToPath(import.meta.url)), 'programs');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Runs a command; returns what it said when it failed. */
function attempt(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return done.status === 0 ? [] : [`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`.trim()];
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

function programsFor(kind) {
  if (!existsSync(programs)) return [];
  // What runs may need Node's types; what is only type-checked must do without either lib.
  return readdirSync(programs).filter(
    (name) => name.endsWith('.ts') && (kind === 'node' || name.startsWith('types-')),
  );
}

function writeProgram(folder, kind, packages) {
  const entries = packages.flatMap(entriesOf);
  const imports = entries.map((entry, index) => `import * as e${index} from '${entry}';\n`).join('');
  const list = entries.map((entry, index) => `  '${entry}': e${index},\n`).join('');
  writeFileSync(join(folder, 'every-entry.ts'), `${imports}\nexport const entries = {\n${list}};\n`);
  const names = JSON.stringify(entries);
  const print = 'console.log(JSON.stringify(found));\n';
  const keys = 'Object.keys(loaded).filter((key) => key !== "module.exports").sort()';
  writeFileSync(
    join(folder, 'load.mjs'),
    `const found = {};\nfor (const name of ${names}) { const loaded = await import(name); found[name] = ${keys}; }\n${print}`,
  );
  writeFileSync(
    join(folder, 'load.cjs'),
    `const found = {};\nfor (const name of ${names}) { const loaded = require(name); found[name] = ${keys}; }\n${print}`,
  );
  for (const name of programsFor(kind)) copyFileSync(join(programs, name), join(folder, name));
}

const resolutions = {
  nodenext: { module: 'NodeNext', moduleResolution: 'NodeNext' },
  bundler: { module: 'ESNext', moduleResolution: 'Bundler' },
};

function writeConfigs(folder, kind) {
  const env = kind === 'node' ? { lib: ['ES2023'], types: ['node'] } : { lib: ['ES2023', 'DOM'], types: [] };
  for (const [name, resolution] of Object.entries(resolutions)) {
    const options = { target: 'ES2023', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
    const compilerOptions = { ...options, ...resolution, ...env, noEmit: true };
    writeFileSync(join(folder, `tsconfig.${name}.json`), json({ compilerOptions, include: ['*.ts'] }));
  }
}

/**
 * Makes the program and installs what it needs; `kind` is the one lib it has: `dom` or `node`.
 * `others`: what the program itself depends on besides, by name and range.
 */
export function createConsumer(folder, kind, packages, typesNode, others = {}) {
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.fromEntries(packages.map(({ name, file }) => [name, `file:${file}`]));
  Object.assign(dependencies, others, kind === 'node' ? { '@types/node': typesNode } : {});
  writeFileSync(join(folder, 'package.json'), json({ private: true, type: 'module', dependencies }));
  // Nothing listens there: a package of our scope that is not among the tarballs cannot be installed.
  writeFileSync(
    join(folder, '.npmrc'),
    `${scope.slice(0, -1)}:registry=http://127.0.0.1:9/\nfetch-retries=1\n`,
  );
  writeProgram(folder, kind, packages);
  writeConfigs(folder, kind);
  return attempt('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

/** Peers that are missing or do not fit. */
export function checkPeers(folder) {
  return attempt('npm', ['ls', '--all', '--loglevel=error'], folder);
}

/** Gives one package a copy of its own of another one, with a later patch version. */
export function nestCopy(folder, name, inside) {
  const from = join(folder, 'node_modules', scope + name);
  const copy = join(folder, 'node_modules', scope + inside, 'node_modules', scope + name);
  cpSync(from, copy, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  const [major, minor, patch] = manifest.version.split('.');
  const version = [major, minor, Number(patch) + 1].join('.');
  writeFileSync(join(copy, 'package.json'), json({ ...manifest, version }));
  return [];
}

/** Packages of our scope that came from anywhere but the tarballs. */
export function checkOrigin(folder) {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path]) => path.includes(`node_modules/${scope}`))
    .filter(([path]) => !foreign.some((name) => path.endsWith(`node_modules/${scope}${name}`)))
    .filter(([, { resolved }]) => resolved?.startsWith('file:') !== true)
    .map(([path, { resolved }]) => `${path} came from ${resolved}`);
}

export function typecheck(folder, resolution) {
  return attempt(process.execPath, [tsc, '-p', `tsconfig.${resolution}.json`], folder);
}

/** Loads every entry by `import` and by `require()`, which must give the same names, and runs the programs. */
export function runOn(node, folder) {
  const load = (file) => spawnSync(node, [file], { cwd: folder, encoding: 'utf8' });
  const [imported, required] = [load('load.mjs'), load('load.cjs')];
  const failed = [imported, required]
    .filter((done) => done.status !== 0)
    .map((done) => String(done.error ?? done.stderr));
  if (failed.length > 0) return failed;
  if (imported.stdout !== required.stdout) return [`import: ${imported.stdout}require: ${required.stdout}`];
  const runs = programsFor('node').filter((name) => name.startsWith('run-'));
  return runs.flatMap((name) => attempt(node, [name], folder).map((said) => `${name}: ${said}`));
}
