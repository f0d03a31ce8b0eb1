/** The medium of the conformance suite: a folder, with fake processes. */
import { open, readFile, writeFile } from 'node:fs/promises';
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import { leaseMs, logFiles, openStage, type Stage } from './stage.ts';

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
      if (kind === 'flipped-byte') return damageEvent(stage, id, seq);
      const path = await lastWith(await logFiles(stage, id), '"seq":');
      const bytes = await readFile(path);
      return writeFile(path, bytes.subarray(0, bytes.length - 5));
    },
    async dispose() {
      await Promise.all(drivers.map((made) => made[Symbol.asyncDispose]()));
      await stage.dispose();
    },
  };
}

/** Changes one byte of the line of an own event, in place. */
export async function damageEvent(stage: Stage, id: SessionId, seq: number): Promise<void> {
  const path = await lastWith(await logFiles(stage, id), `"seq":${seq},`);
  const at = (await readFile(path)).indexOf(`"seq":${seq},`) + 3;
  const file = await open(path, 'r+');
  await file.write(Buffer.from('!'), 0, 1, at);
  await file.close();
}

async function lastWith(paths: readonly string[], text: string): Promise<string> {
  for (const path of [...paths].reverse()) if ((await readFile(path)).includes(text)) return path;
  throw new Error(`no log holds ${text}`);
}
