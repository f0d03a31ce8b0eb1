/** Real processes, and what they say. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deferred } from '@dsh-internal/async';

export interface WriterProcess {
  readonly pid: number;
  /** The next line that begins with this word; the rest of it. Rejects when the process ends without. */
  said(word: string): Promise<string>;
  /** Everything that was said so far. */
  readonly lines: readonly string[];
  tell(word: string): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  ended(): Promise<void>;
}

const program = fileURLToPath(new URL('writer-process.ts', import.meta.url));

export function startWriter(
  root: string,
  session: string,
  { leaseMs = 30_000, umask = '022', seed }: { leaseMs?: number; umask?: string; seed?: number } = {},
): WriterProcess {
  const args = [root, session, String(leaseMs), umask, ...(seed === undefined ? [] : [String(seed)])];
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=@deepseek-ai/source', program, ...args],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'close').then(() => undefined);
  const lines: string[] = [];
  let read = 0;
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    for (const listener of listeners) listener();
  });
  return {
    pid: child.pid!,
    lines,
    async said(word) {
      for (;;) {
        while (read < lines.length) {
          const line = lines[read]!;
          read += 1;
          if (line.split(' ')[0] === word) return line.slice(word.length + 1);
        }
        const more = deferred<undefined>();
        const listener = (): void => {
          more.resolve(undefined);
        };
        listeners.add(listener);
        const gone = await Promise.race([more.promise, ended.then(() => 'gone')]);
        listeners.delete(listener);
        if (gone !== undefined && read === lines.length)
          throw new Error(`the process ended before it said ${word}`);
      }
    },
    tell(word) {
      child.stdin!.write(`${word}\n`);
    },
    signal(name) {
      child.kill(name);
    },
    ended: () => ended,
  };
}
