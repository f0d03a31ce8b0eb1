/** A folder of its own, and processes and a clock that a test decides about. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, OnDiagnostic, SessionDriver } from '@deepseek-ai/dsh-session';
import type { ProcessView } from '@dsh-internal/processes';
import { createFileDriver, type FileDriverOptions } from '../../src/driver.ts';
import type { FilePort } from '../../src/file-port.ts';
import { folderNameOf } from '../../src/folder-names.ts';

export const leaseMs = 30_000;

export interface Stage {
  readonly root: string;
  folder(id: string): string;
  /** A driver of a new living process. */
  driver(more?: StageOptions): SessionDriver;
  /** All processes end without a word. */
  crash(): void;
  /** Time passes, and no timer fires: everybody sleeps. */
  sleep(ms: number): void;
  file(id: string, name: string): string;
  /** The names in the folder of a Session, or nothing. */
  names(id: string): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export interface StageOptions extends Partial<FileDriverOptions> {
  readonly files?: FilePort;
  readonly host?: string;
  readonly onDiagnostic?: OnDiagnostic;
}

export async function openStage(): Promise<Stage> {
  return stageAt(join(await mkdtemp(join(tmpdir(), 'dsh-session-file-')), 'store'));
}

export function stageAt(root: string): Stage {
  let now = Date.now();
  let pid = 1000;
  const living = new Set<number>();
  const clock: Clock = {
    now: () => now,
    timer: () => ({ dispose: () => undefined, [Symbol.dispose]: () => undefined }),
  };
  const view = (host: string): ProcessView => {
    pid += 1;
    living.add(pid);
    return {
      self: { pid, host, machine: host, startTime: `started ${pid}` },
      look: (other) =>
        living.has(other) ? { kind: 'there', startTime: `started ${other}` } : { kind: 'gone' },
    };
  };
  const folder = (id: string): string => join(root, 'sessions', folderNameOf(id));
  return {
    root,
    folder,
    driver({ files, host = 'here', ...more } = {}) {
      const ports = { processes: view(host), ...(files === undefined ? {} : { files }) };
      return createFileDriver({ root, clock, leaseMs, ...more }, ports);
    },
    crash() {
      living.clear();
    },
    sleep(ms) {
      now += ms;
    },
    file: (id, name) => join(folder(id), name),
    names: (id) => readdir(folder(id)).catch(() => []),
    dispose: () => rm(join(root, '..'), { recursive: true, force: true }),
  };
}

/** The files that hold the own records, in the order of their numbers. */
export async function logFiles(stage: Stage, id: string): Promise<readonly string[]> {
  const names = (await stage.names(id)).filter((name) => name.startsWith('log-'));
  return names.sort().map((name) => stage.file(id, name));
}
