/** Runs the process until a random instant, kills it, and gives what it had said by then. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('process.ts', import.meta.url));

export interface Said {
  readonly accepted: readonly string[];
  /** The ids of each request. */
  readonly shown: readonly (readonly string[])[];
}

export interface Run {
  readonly driver: string;
  readonly root: string;
  /** The number of the first message that it accepts. */
  readonly first: number;
  readonly afterMs: number;
}

export async function killed({ driver, root, first, afterMs }: Run): Promise<Said> {
  const args = ['--conditions=@deepseek-ai/source', program, driver, root, String(first)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const ready = said.includes('ready\n');
    said += chunk;
    if (!ready && said.includes('ready\n')) setTimeout(() => child.kill('SIGKILL'), afterMs);
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
