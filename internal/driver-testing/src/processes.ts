/** Real processes that run a writer program, and what they say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

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

export interface WriterSettings {
  readonly leaseMs?: number;
  readonly umask?: string;
  /** With a seed it writes without end, until it is killed. */
  readonly seed?: number;
}

/** `program` calls `runWriter` with its driver; `at` is the place of the store. */
export function startWriter(
  program: string,
  at: string,
  session: string,
  { leaseMs = 30_000, umask = '022', seed }: WriterSettings = {},
): WriterProcess {
  const args = [at, session, String(leaseMs), umask, ...(seed === undefined ? [] : [String(seed)])];
  const child = spawn(process.execPath, ['--conditions=@deepseek-ai/source', program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(() => undefined);
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  let read = 0;
  return {
    pid: child.pid ?? 0,
    lines,
    async said(word) {
      for (;;) {
        while (read < lines.length) {
          const line = lines[read] ?? '';
          read += 1;
          if (line.split(' ')[0] === word) return line.slice(word.length + 1);
        }
        const gone = await Promise.race([once(output, 'line'), ended.then(() => 'gone')]);
        if (gone === 'gone' && read === lines.length)
          throw new Error(`the process ended before it said ${word}`);
      }
    },
    tell(word) {
      child.stdin.write(`${word}\n`);
    },
    signal(name) {
      child.kill(name);
    },
    ended: () => ended,
  };
}
