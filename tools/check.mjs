/**
 * `npm test`: runs the checks one after the other, all of them, and says at the end which ones failed.
 *   --only=a,b   these groups or steps      --list   names the steps
 * Where DSH_RESULTS names a file, the counts go there for the caller to add up.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addResult, readResults, total } from './results.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);

const turbo = (task) => ['turbo', 'run', task, '--continue', '--output-logs=errors-only', '--ui=stream'];
const tool = (name) => ['node', join('tools', `${name}.mjs`)];

/**
 * `counts`: the step adds its own numbers to the results; the others count as one check.
 * The long run is the heavy tests with DSH_LONG_TESTS=1, by which they do more rounds.
 */
const steps = [
  { name: 'build', command: turbo('build') },
  { name: 'layout', command: tool('check-layout') },
  { name: 'rules', command: tool('check-rules') },
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  { name: 'knip', command: ['knip', '--no-progress'] },
  { name: 'typecheck', command: turbo('typecheck') },
  { name: 'typecheck of the root', command: ['tsc'] },
  { name: 'lint', command: turbo('lint') },
  { name: 'lint of the root', command: ['eslint', '*.ts', '*.js', 'tools', 'scripts'] },
  { name: 'pack', command: turbo('check:pack') },
  { name: 'api', command: turbo('api') },
  { name: 'tests', command: ['vitest', 'run'], counts: true, shown: true },
  { name: 'mutants', command: tool('run-mutants'), shown: true, long: true },
  {
    name: 'long',
    command: ['vitest', 'run', '.heavy.test'],
    env: { DSH_LONG_TESTS: '1' },
    counts: true,
    shown: true,
    long: true,
  },
];

function select(only) {
  if (only === undefined) return steps.filter((step) => !step.long);
  const names = only.split(',');
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) throw new Error(`no such step: ${unknown.join(', ')}`);
  return steps.filter((step) => names.includes(step.name));
}

/** Runs one step and returns whether it passed. */
function run(step, results) {
  const started = performance.now();
  const [command, ...args] = step.command;
  if (step.shown) console.log(`-- ${step.name}`);
  const done = spawnSync(command, args, {
    stdio: step.shown ? 'inherit' : 'pipe',
    cwd: root,
    env: { ...process.env, PATH: path, CI: 'true', DSH_RESULTS: results, ...step.env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const passed = done.status === 0;
  if (!passed) console.log(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`);
  console.log(
    `${passed ? 'ok' : 'FAILED'} ${step.name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
  return passed;
}

/** Runs the steps; a step that fails without having counted a failure counts as one. */
function runAll(chosen, results) {
  const failed = [];
  for (const step of chosen) {
    const before = total(readResults(results)).failed;
    const passed = run(step, results);
    const counted = step.counts === true && (passed || total(readResults(results)).failed > before);
    if (!counted) addResult(results, { name: step.name, passed: passed ? 1 : 0, failed: passed ? 0 : 1 });
    if (!passed) failed.push(step.name);
  }
  return failed;
}

function main(args) {
  if (args.includes('--list')) {
    console.log(steps.map((step) => step.name).join('\n'));
    return 0;
  }
  const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
  const folder = mkdtempSync(join(tmpdir(), 'dsh-check-'));
  const results = process.env.DSH_RESULTS ?? join(folder, 'results');
  try {
    const before = readResults(results).length;
    const failed = runAll(select(only), results);
    const { passed, failed: count } = total(readResults(results).slice(before));
    if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`);
    console.log(`${passed} passed, ${count} failed`);
    return failed.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = main(process.argv.slice(2));
