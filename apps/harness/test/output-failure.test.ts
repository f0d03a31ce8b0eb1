import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dsh, scenarioFile, temporaryFolder } from './command-line.ts';

const cli = join(import.meta.dirname, '..', 'src', 'cli.ts');

/** `dsh run` of a scenario in a shell that sends its output to `target`; then its exit code, and what stderr held. */
function runInto(target: string, store: string): Promise<{ readonly code: string; readonly err: string }> {
  const line = `"$0" --conditions=@deepseek-ai/source --no-warnings "$@" ${target}; echo "\${PIPESTATUS[0]}" >&2`;
  const args = [cli, 'run', '--scenario', scenarioFile('held'), '--json', '--store', store];
  const child = spawn('bash', ['-c', line, process.execPath, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      const lines = said.trimEnd().split('\n');
      resolve({ code: lines.at(-1) ?? '', err: lines.slice(0, -1).join('\n') });
    });
  });
}

const withoutWarning = (err: string): string =>
  err
    .split('\n')
    .filter((line) => !line.startsWith('dsh: warning: '))
    .join('\n');

/** The run was ended in order: its root holds the end of its turn. */
async function endsOfTurns(store: string): Promise<number> {
  const listed = await dsh(['sessions', 'list', '--json', '--store', store]);
  const { id } = JSON.parse(listed.out) as { readonly id: string };
  const { out } = await dsh(['sessions', 'show', id, '--store', store]);
  return out.split('\n').filter((line) => line.includes(' turn/end ')).length;
}

describe('output that has nowhere to go', { timeout: 90_000 }, () => {
  it('at a closed pipe ends the run in order, without a word [H5 H10]', async () => {
    using folder = temporaryFolder();
    const { code, err } = await runInto('| head -1 >/dev/null', folder.path);
    expect([code, withoutWarning(err)]).toEqual(['141', '']);
    expect(await endsOfTurns(folder.path)).toBe(1);
  });

  it.runIf(existsSync('/dev/full'))('on a full disk ends it in order, with one line [H5 H10]', async () => {
    using folder = temporaryFolder();
    const { code, err } = await runInto('> /dev/full', folder.path);
    expect(code).toBe('1');
    expect(withoutWarning(err)).toMatch(/^dsh: the output could not be written: ENOSPC: [^\n]*$/);
    expect(await endsOfTurns(folder.path)).toBe(1);
  });
});
