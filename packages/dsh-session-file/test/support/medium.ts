/** The medium of the conformance suite: a folder, with fake processes. */
import { readFile, writeFile } from 'node:fs/promises';
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import { leaseMs, logFiles, openStage } from './stage.ts';

type DamageKind = 'torn-tail' | 'flipped-byte' | 'garbage-header';

export async function openMedium() {
  const stage = await openStage();
  const drivers: SessionDriver[] = [];
  const driver = async (): Promise<SessionDriver> => {
    const made = stage.driver();
    drivers.push(made);
    return made;
  };
  return {
    driver,
    async reopen() {
      stage.crash();
      return driver();
    },
    async expire() {
      stage.sleep(leaseMs + 1);
    },
    async damage(id: SessionId, kind: DamageKind, seq = 0) {
      if (kind === 'garbage-header') return writeFile(stage.file(id, 'header.json'), 'garbage');
      const logs = await logFiles(stage, id);
      const path = await lastWith(logs, kind === 'torn-tail' ? '"seq":' : `"seq":${seq},`);
      const bytes = await readFile(path);
      if (kind === 'torn-tail') return writeFile(path, bytes.subarray(0, bytes.length - 5));
      bytes.writeUInt8(0x21, bytes.indexOf(`"seq":${seq},`) + 3);
      return writeFile(path, bytes);
    },
    async dispose() {
      await Promise.all(drivers.map((made) => made[Symbol.asyncDispose]()));
      await stage.dispose();
    },
  };
}

async function lastWith(paths: readonly string[], text: string): Promise<string> {
  for (const path of [...paths].reverse()) if ((await readFile(path)).includes(text)) return path;
  throw new Error(`no log holds ${text}`);
}
