import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../src/node-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dsh-session-file-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('folders one below the other', () => {
  it('are made for their owner alone, and the first that was made is named [S28]', async () => {
    const deep = join(folder, 'a', 'b', 'c');
    expect(await nodeFiles.makeFolders(deep)).toBe(join(folder, 'a'));
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(await nodeFiles.makeFolders(deep)).toBeUndefined();
    expect(await nodeFiles.makeFolders(join(deep, 'd'))).toBe(join(deep, 'd'));
  });

  it('are refused below a file, and at one', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(nodeFiles.makeFolders(join(file, 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(nodeFiles.makeFolders(file)).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(process.platform === 'linux')(
    'are refused at once where the system makes none',
    { timeout: 30_000 },
    () => {
      const source = new URL('../src/node-files.ts', import.meta.url).href;
      const program = `const { nodeFiles } = await import(${JSON.stringify(source)});
        await nodeFiles.makeFolders('/proc/nope/store').catch((error) => console.log(error.code));`;
      // In a process of its own: a call that never returns would stop this one too.
      const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect([signal, stdout]).toEqual([null, 'ENOENT\n']);
    },
  );
});
