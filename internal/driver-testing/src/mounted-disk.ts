/**
 * A disk of a few MiB that is really full, where the machine allows that: a process of its own mounts it in a
 * namespace that nobody else sees, and it is gone with that process.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullDiskScenarios, type FullDisk } from './full-disk.ts';

/** The first argument of a program is then the folder of the disk. */
function mounted(mebibytes: number, command: readonly string[]): readonly [string, readonly string[]] {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-full-disk-'));
  const script = `mount -t tmpfs -o size=${String(mebibytes)}m,mode=700 tmpfs "$0" && exec "$@"`;
  return [folder, ['-m', 'sh', '-c', script, folder, ...command]];
}

function run(mebibytes: number, command: (folder: string) => readonly string[]): string | undefined {
  const [folder, args] = mounted(mebibytes, []);
  const { status, stdout, stderr, error } = spawnSync('unshare', [...args, ...command(folder)], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  rmdirSync(folder);
  return status === 0 ? undefined : `${String(error ?? status)}\n${stdout}${stderr}`;
}

/** Linux, and the right to mount. */
export function canMount(): boolean {
  return process.platform === 'linux' && run(1, () => ['true']) === undefined;
}

/**
 * Runs `program FOLDER SCENARIO` on a disk of its own. It calls {@link playOnDisk}. Gives what it said where that
 * ended badly.
 */
export function runOnDisk(program: string, scenario: string, mebibytes = 2): string | undefined {
  return run(mebibytes, (folder) => [
    ...[process.execPath, '--conditions=@deepseek-ai/source', '--no-warnings', program],
    ...[folder, scenario],
  ]);
}

/** The whole program: the scenario that the command line names, on the disk of its folder. */
export async function playOnDisk(
  open: (folder: string) => Pick<FullDisk, 'driver' | 'crash' | 'damage'>,
): Promise<void> {
  const [folder = '', name = ''] = process.argv.slice(2);
  const scenario = fullDiskScenarios[name];
  if (scenario === undefined) throw new Error(`no scenario is called ${name}`);
  await scenario({ ...open(folder), ...filler(folder) });
}

/** Fills the disk of a folder by a file in it. */
function filler(folder: string): { fill(left: number): Promise<void>; free(): Promise<void> } {
  const path = join(folder, 'filler');
  const free = async (): Promise<void> => {
    rmSync(path, { force: true });
  };
  return {
    free,
    async fill(left) {
      await free();
      const { bavail, bsize } = statfsSync(folder);
      const file = openSync(path, 'w');
      for (let size = bavail * bsize - left; size > 0; size -= bsize) writeSync(file, Buffer.alloc(bsize));
      closeSync(file);
    },
  };
}
