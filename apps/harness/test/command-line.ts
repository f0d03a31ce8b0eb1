/** Runs `dsh` in this process, and from its source in one of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { ChatInput } from '../src/chat/line-input.ts';
import { runCommandLine } from '../src/commands/program.ts';
import type { StopSignal } from '../src/app/stop-on-signals.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface LineOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** Is given a function that sends a signal. */
  readonly onStart?: (send: (signal: StopSignal) => void) => void;
  readonly onText?: (text: string) => void;
  readonly onError?: (text: string) => void;
  /** What a person types, and the terminal that shows it. */
  readonly input?: ChatInput;
  readonly screen?: Writable;
  readonly cwd?: string;
}

/** A run in this process. `exits` are the codes with which it wanted to end at once. */
export async function dsh(
  args: readonly string[],
  {
    environment = {},
    isTTY = false,
    onStart,
    onText,
    onError,
    input,
    screen,
    cwd = tmpdir(),
  }: LineOptions = {},
): Promise<Ended & { readonly exits: readonly number[] }> {
  let out = '';
  let err = '';
  const exits: number[] = [];
  const listeners = new Map<StopSignal, () => void>();
  onStart?.((signal) => listeners.get(signal)?.());
  const code = await runCommandLine(args, {
    ...(input === undefined ? {} : { input }),
    out: screen ?? {
      isTTY,
      write: (text) => {
        out += text;
        onText?.(text);
      },
    },
    err: {
      write: (text) => {
        err += text;
        onError?.(text);
      },
    },
    environment: (name) => environment[name],
    cwd,
    signals: {
      on: (signal, listener) => listeners.set(signal, listener),
      off: (signal) => listeners.delete(signal),
      exit: (given) => exits.push(given),
    },
    kill: () => {},
    // The longest delay before a model is asked again.
    random: () => 0.999,
    again: () => Promise.reject(new Error('no second process here')),
  });
  return { code, out, err, exits };
}

const cli = join(import.meta.dirname, '..', 'src', 'cli.ts');

/** A process of its own. It gets no key. */
export function spawnDsh(args: readonly string[]): {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
} {
  const child = spawn(process.execPath, ['--conditions=@deepseek-ai/source', '--no-warnings', cli, ...args], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });
  return { process: child, ended };
}

/** A folder that is gone when the test has ended, with what was put beside it: a store has files there. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const made = mkdtempSync(join(tmpdir(), 'dsh-test-'));
  const path = join(made, 'folder');
  mkdirSync(path);
  return {
    path,
    [Symbol.dispose]: () => {
      rmSync(made, { recursive: true, force: true });
    },
  };
}

export function scenarioFile(name: string): string {
  return join(import.meta.dirname, '..', 'scenarios', `${name}.yaml`);
}
