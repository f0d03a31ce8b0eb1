/**
 * One command in a process group of its own.
 * I1. When the shell has ended, or time is up, or the signal has fired, the whole group is ended.
 * I2. The result comes even where a process that has left the group keeps the pipes open.
 * I3. A program that ends at once, as at a second Ctrl-C, ends the group too.
 */
import { spawn } from 'node:child_process';
import { deferred } from '@dsh-internal/async';

export interface CommandOptions {
  readonly cwd: string;
  /** All of it: nothing else is handed on. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly signal: AbortSignal;
}

export interface CommandEnded {
  readonly code: number | undefined;
  /** What ended it, where it did not end by itself. */
  readonly cut?: 'time' | 'signal';
  /** Both streams, in the order in which they came. */
  readonly output: string;
  /** How many bytes came after the most. */
  readonly dropped: number;
}

const graceMs = 2_000;
const pipesMs = 500;

/** Rejects where there is no shell. */
export async function runProcess(command: string, options: CommandOptions): Promise<CommandEnded> {
  const { cwd, environment: env, timeoutMs, outputBytes, signal } = options;
  signal.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = deferred<number | undefined>();
  const output = collect(outputBytes);
  let cut: CommandEnded['cut'];
  const timers: NodeJS.Timeout[] = [];
  const end = (why: 'time' | 'signal') => (): void => {
    cut ??= why;
    endGroup(child.pid, 'SIGTERM');
    timers.push(
      setTimeout(() => {
        endGroup(child.pid, 'SIGKILL');
      }, graceMs),
    );
  };
  const onAbort = end('signal');
  const release = endAtExit(child.pid);
  timers.push(setTimeout(end('time'), timeoutMs));
  signal.addEventListener('abort', onAbort, { once: true });
  child.stdout.on('data', output.add);
  child.stderr.on('data', output.add);
  child.on('error', ended.reject);
  child.on('exit', (code) => {
    endGroup(child.pid, 'SIGKILL');
    timers.push(
      setTimeout(() => {
        ended.resolve(code ?? undefined);
      }, pipesMs),
    );
  });
  child.on('close', (code) => {
    ended.resolve(code ?? undefined);
  });
  try {
    const code = await ended.promise;
    return { code, ...(cut === undefined ? {} : { cut }), ...output.taken() };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    release();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** The leaders of the groups that run. One listener serves them all: Node warns of many. */
const running = new Set<number>();

function endRunning(): void {
  for (const pid of running) endGroup(pid, 'SIGKILL');
}

function endAtExit(pid: number | undefined): () => void {
  if (pid === undefined) return () => undefined;
  if (running.size === 0) process.on('exit', endRunning);
  running.add(pid);
  return () => {
    running.delete(pid);
    if (running.size === 0) process.off('exit', endRunning);
  };
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

function collect(most: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let dropped = 0;
  return {
    add: (chunk: Buffer): void => {
      const kept = chunk.subarray(0, Math.max(0, most - size));
      size += kept.length;
      dropped += chunk.length - kept.length;
      if (kept.length > 0) chunks.push(kept);
    },
    taken: () => ({ output: Buffer.concat(chunks).toString('utf8'), dropped }),
  };
}
