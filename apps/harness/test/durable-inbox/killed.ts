/** Runs the process until a random instant, kills it, and gives what it had said by then. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('process.ts', import.meta.url));

export interface Said {
  readonly accepted: readonly string[];
  /** The ids of each request. */
  readonly shown: readonly (readonly string[])[];
}

export interface Place {
  readonly driver: string;
  readonly root: string;
  /** A folder in which the processes share what they have compiled: so most of them start at once. */
  readonly compiled: string;
}

export interface Run {
  /** The number of the first message that it accepts. */
  readonly first: number;
  /** How much it has said when the time begins to run: so a slow machine gets as far as a quick one. */
  readonly facts: number;
  readonly afterMs: number;
}

export async function killed(
  { driver, root, compiled }: Place,
  { first, facts, afterMs }: Run,
): Promise<Said> {
  const args = ['--conditions=@deepseek-ai/source', program, driver, root, String(first)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(compiled, 'compiled') },
  });
  let said = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
    // `ready` is a line too.
    if (timer === undefined && said.split('\n').length - 1 > facts)
      timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  const signal = await new Promise((resolve) => {
    child.on('close', (_code, by) => {
      resolve(by);
    });
  });
  if (signal !== 'SIGKILL') throw new Error(`the process ended by itself: ${said}`);
  const lines = said
    .slice(0, said.lastIndexOf('\n'))
    .split('\n')
    .map((line) => line.split(' '));
  return {
    accepted: lines.flatMap(([word, id]) => (word === 'accepted' && id !== undefined ? [id] : [])),
    shown: lines.flatMap(([word, ...ids]) => (word === 'shown' ? [ids] : [])),
  };
}
