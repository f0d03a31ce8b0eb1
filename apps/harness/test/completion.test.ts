/** The scripts are run by the shells themselves, where they are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dsh, temporaryFolder } from './command-line.ts';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out, err } = await dsh(['completion', shell]);
    expect([code, err]).toEqual([0, '']);
    scripts.set(shell, out);
  }
});

/** What makes each shell print what it offers after these words, the last of which is being typed. */
const asked: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    '--norc',
    '-c',
    `eval "$DSH_SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dsh; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    ...words,
  ],
  // The line editor of zsh stands only in a terminal: what it would be given is printed.
  zsh: (words) => [
    '-f',
    '-c',
    `compdef() { :; }; compadd() { shift; print -l -- "$@"; }
_files() { [[ $1 == -/ ]] && print -l -- *(/) || print -l -- *; }
eval "$DSH_SCRIPT"; words=("$@"); CURRENT=$#; _dsh`,
    'zsh',
    ...words,
  ],
  fish: (words) => ['--no-config', '-c', 'eval "$DSH_SCRIPT"; complete -C "$argv"', words.join(' ')],
};

function offers(shell: string, words: readonly string[], cwd: string): readonly string[] {
  const args = asked[shell]?.(words) ?? [];
  const out = execFileSync(shell, args, { cwd, encoding: 'utf8', env: environment(shell) });
  // What follows a tab is the description.
  return out.split('\n').map((line) => line.replace(/\t.*$/, '').replace(/\/$/, ''));
}

function environment(shell: string) {
  return { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', DSH_SCRIPT: scripts.get(shell) ?? '' };
}

describe.each(['bash', 'zsh', 'fish'])('completion in %s', (shell) => {
  const offered = (...words: readonly string[]): readonly string[] => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'a store'));
    writeFileSync(join(folder.path, 'a.yaml'), '');
    return offers(shell, words, folder.path);
  };

  it.runIf(has(shell))('offers commands, and the commands and options of a command [H10]', () => {
    expect(offered('dsh', '')).toEqual(expect.arrayContaining(['demo', 'run', 'chat', 'serve', 'sessions']));
    expect(offered('dsh', 'sessions', '')).toEqual(expect.arrayContaining(['list', 'delete-tree']));
    expect(offered('dsh', 'run', '--')).toEqual(
      expect.arrayContaining(['--scenario', '--json', '--inspect']),
    );
    expect(offered('dsh', 'sessions', 'delete', '--')).toContain('--keep-children');
    expect(offered('dsh', 'run', '--')).not.toContain('--keep-children');
    expect(offered('dsh', 'demo', '--')).not.toContain('--second-act');
    expect(offered('dsh', 'completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });

  it.runIf(has(shell))('offers what an option takes: names, files, folders, or nothing [H10]', () => {
    expect(offered('dsh', 'run', '--driver', '')).toEqual(expect.arrayContaining(['file', 'sqlite']));
    expect(offered('dsh', 'run', '--json', '--scenario', '')).toEqual(expect.arrayContaining(['a.yaml']));
    const folders = offered('dsh', 'run', '--store', '');
    expect(folders.map((one) => one.replace('\\', ''))).toContain('a store');
    expect(folders).not.toContain('a.yaml');
    expect(offered('dsh', 'run', '--resume', '').filter((one) => one !== '')).toEqual([]);
  });
});

it('says which shells there are [H10]', async () => {
  expect(await dsh(['completion', 'pears'])).toMatchObject({
    code: 2,
    out: '',
    err: "dsh: command-argument value 'pears' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n",
  });
});
