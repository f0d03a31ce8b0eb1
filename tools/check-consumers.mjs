/**
 * Packs the packages, installs the tarballs into clean programs, and type-checks and runs these.
 *   node tools/check-consumers.mjs [path of a Node ...]     runs on those too
 * The packages must have been built. `consumers/programs/types-*.ts` are type-checked with each lib alone,
 * `run-*.ts` are type-checked with @types/node and run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  checkOrigin,
  checkPeers,
  createConsumer,
  nestCopy,
  runOn,
  typecheck,
} from './consumers/consumer.mjs';
import { inspect, packAll } from './consumers/tarballs.mjs';
import { addResult, resultsFile } from './results.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const typesNode = JSON.parse(
  readFileSync(join(root, 'node_modules/@types/node/package.json'), 'utf8'),
).version;
const count = { passed: 0, failed: 0 };

/** Counts one check. A check that throws has failed with that. */
function check(title, find) {
  let problems;
  try {
    problems = find();
  } catch (error) {
    problems = [String(error.stderr ?? error.stack)];
  }
  count[problems.length === 0 ? 'passed' : 'failed'] += 1;
  console.log(`${problems.length === 0 ? 'ok' : 'FAILED'} ${title}`);
  for (const problem of problems) console.log(`   ${problem.replaceAll('\n', '\n   ')}`);
  return problems.length === 0;
}

// pins [Q8]
function checkConsumer(folder, kind, packages, nodes) {
  if (!check(`${kind}: install`, () => createConsumer(folder, kind, packages, typesNode))) return;
  check(`${kind}: everything of our scope came from the tarballs`, () => checkOrigin(folder));
  check(`${kind}: every peer is there and fits`, () => checkPeers(folder));
  for (const resolution of ['nodenext', 'bundler']) {
    check(`${kind}: types under ${resolution}`, () => typecheck(folder, resolution));
  }
  if (kind !== 'node') return;
  for (const node of nodes) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    check(`import and require() on ${version}`, () => runOn(node, folder));
  }
}

/** Beside a zod of its own, of whatever major version: ours is ours. */
function checkBesideZod(folder, range, packages) {
  const title = `beside zod ${range}`;
  if (!check(`${title}: install`, () => createConsumer(folder, 'node', packages, typesNode, { zod: range })))
    return;
  check(`${title}: every peer is there and fits`, () => checkPeers(folder));
  check(`${title}: types`, () => typecheck(folder, 'nodenext'));
  check(`${title}: import and require()`, () => runOn(process.execPath, folder));
}

/** Two copies of a core package at different patch versions work together. */
function checkTwoCopies(folder, copies) {
  for (const [name, inside] of copies) {
    check(`two copies of ${name}, one of them in ${inside}`, () => [
      ...nestCopy(folder, name, inside),
      ...runOn(process.execPath, folder),
    ]);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'dsh-consumers-'));
try {
  const packages = packAll(root, join(folder, 'tarballs'));
  for (const one of packages) check(`${one.name}: packed contents`, () => inspect(one));
  const nodes = [process.execPath, ...process.argv.slice(2).map((path) => resolve(path))];
  for (const kind of ['dom', 'node']) checkConsumer(join(folder, kind), kind, packages, nodes);
  for (const range of ['^3', '^4']) checkBesideZod(join(folder, `zod${range}`), range, packages);
  checkTwoCopies(join(folder, 'node'), [
    ['dsh-session', 'dsh-agent'],
    ['dsh-agent', 'dsh-subagents'],
    ['dsh-subagents', 'dsh-tool-send-message'],
  ]);
} finally {
  if (process.env.DSH_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
  else console.log(`kept ${folder}`);
}
addResult(resultsFile, { name: 'consumers', ...count });
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed > 0 ? 1 : 0;
