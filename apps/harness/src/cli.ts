#!/usr/bin/env node
/** The program `dsh`: the one place that touches the process itself. */
import { spawn } from 'node:child_process';
import { runCommandLine } from './commands/program.ts';
import { watchOutput } from './output/output-failure.ts';

const again = (args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      resolve(code ?? 1);
    });
  });

// Without listeners for it, what runs ends by itself.
const output = watchOutput({ out: process.stdout, err: process.stderr }, () => {
  process.emit('SIGTERM', 'SIGTERM');
});

const done = { yet: false };
// A promise that nobody will ever settle, such as one of a plugin that is being imported, holds no process open.
process.on('beforeExit', () => {
  if (done.yet) return;
  done.yet = true;
  process.exitCode = 1;
  process.stderr.write('dsh: the command has not ended, and there is nothing left that it could wait for\n');
});

runCommandLine(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  input: process.stdin,
  environment: (name) => process.env[name],
  cwd: process.cwd(),
  signals: process,
  kill: () => {
    process.kill(process.pid, 'SIGKILL');
  },
  again,
}).then(
  (code) => {
    done.yet = true;
    process.exitCode = output.code(code);
  },
  (error: unknown) => {
    done.yet = true;
    process.exitCode = 1;
    process.stderr.write(`dsh: ${String(error)}\n`);
  },
);
