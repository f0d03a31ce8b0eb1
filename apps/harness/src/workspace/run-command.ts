/** The tool `run_command`. A command can reach whatever the person can: that is why somebody has to allow it. */
import { fromStandardSchema, type ToolDefinition } from '@deepseek-ai/dsh-agent';
import { z } from 'zod';
import type { Environment } from '../models/real-models.ts';
import { inside, type Bounds } from './bounds.ts';
import { runProcess, type CommandEnded } from './command-process.ts';

const runCommandName = 'run_command';

export interface RunCommandToolOptions {
  readonly environment: Environment;
  /** Every call waits until a person has said yes. */
  readonly ask: boolean;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

/** What a command needs to find programs and folders, and no key. */
const handedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];

const Input = z.strictObject({
  command: z.string().min(1).describe('For /bin/sh, in the workspace folder.'),
});

export function runCommandTool(
  bounds: Bounds,
  { environment, ask, timeoutMs, outputBytes }: RunCommandToolOptions,
): ToolDefinition<z.output<typeof Input>> {
  return {
    name: runCommandName,
    description: `Runs a shell command in the workspace folder, for at most ${Math.round(timeoutMs / 1_000)} seconds. Nothing that it starts goes on after it.`,
    inputSchema: fromStandardSchema(Input),
    approval: ask,
    async execute({ command }, { signal }) {
      const cwd = await inside(bounds, '.', 'read');
      const ended = await runProcess(command, {
        cwd,
        environment: scrubbed(environment),
        timeoutMs,
        outputBytes,
        signal,
      });
      return { content: textOf(ended, timeoutMs), isError: ended.code !== 0 };
    },
  };
}

function scrubbed(environment: Environment): Readonly<Record<string, string>> {
  const kept: Record<string, string> = { TERM: 'dumb' };
  for (const name of handedOn) {
    const value = environment(name);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function textOf({ code, cut, output, dropped }: CommandEnded, timeoutMs: number): string {
  const why = {
    time: `ended after ${timeoutMs} ms: its time was up`,
    signal: 'ended: the turn was interrupted',
  };
  const head = cut === undefined ? `exit code ${code ?? 'unknown: a signal ended it'}` : why[cut];
  return `${head}\n${output}${dropped === 0 ? '' : `\n(${dropped} more bytes were dropped)`}`;
}
