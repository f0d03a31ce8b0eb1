/**
 * Behind `npm start`, `npm test` and the other npm scripts: gets what is needed, then does the job.
 * Runs on Node 18 with nothing installed.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, toolchain, ToolchainError } from './toolchain.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

/** Runs a step that only matters when it fails: then its output is shown. */
function quietly(tools, title, command, args) {
  say(title);
  const done = spawnSync(command, args, { cwd: root, env: tools.env, encoding: 'utf8' });
  if (done.status === 0) return;
  say(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}`);
  throw new ToolchainError(`failed: ${command} ${args.join(' ')}`);
}

function install(tools) {
  const args = [
    'install',
    '--frozen-lockfile',
    '--reporter=append-only',
    '--config.confirm-modules-purge=false',
  ];
  quietly(tools, 'Installing dependencies ...', 'pnpm', args);
}

function build(tools) {
  quietly(tools, 'Building ...', 'turbo', ['run', 'build', '--output-logs=errors-only', '--ui=stream']);
}

const cli = join('apps', 'harness', 'dist', 'cli.js');
const fromSource = ['--conditions=@deepseek-ai/source'];
const jobs = {
  start: { build: true, run: [cli, 'demo'] },
  check: { run: [join('tools', 'check.mjs')] },
  long: { run: [join('tools', 'check.mjs'), '--only=long'] },
  mutants: { run: [join('tools', 'check.mjs'), '--only=mutants'] },
  bench: { run: [...fromSource, join('bench', 'src', 'main.ts')] },
};

function main([name, ...args]) {
  const job = jobs[name];
  if (job === undefined) throw new ToolchainError(`one of ${Object.keys(jobs).join(', ')} is needed`);
  const tools = toolchain(say);
  install(tools);
  if (job.build) build(tools);
  const done = spawnSync(tools.node, [...job.run, ...args], { cwd: root, env: tools.env, stdio: 'inherit' });
  return done.status ?? 1;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ToolchainError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
