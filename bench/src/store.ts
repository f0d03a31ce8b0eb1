/** The stores that are measured, and what is written to them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  memoryDriver,
  newMessageId,
  openSessionStore,
  parseSessionId,
  type Session,
  type SessionDriver,
  type SessionStore,
} from '@deepseek-ai/dsh-session';
import { fileDriver } from '@deepseek-ai/dsh-session-file';
import { sqliteDriver } from '@deepseek-ai/dsh-session-sqlite';

export const drivers = ['file', 'sqlite'] as const;

export const source = parseSessionId('source');

function openDriver(name: string, folder: string): SessionDriver {
  switch (name) {
    case 'file':
      return fileDriver({ root: join(folder, 'file') });
    case 'sqlite':
      return sqliteDriver({ path: join(folder, 'store.sqlite') });
    case 'memory':
      return memoryDriver();
    default:
      throw new RangeError(`there is no driver ${name}`);
  }
}

export function openStore(name: string, folder: string): Promise<SessionStore> {
  return openSessionStore({ driver: openDriver(name, folder) });
}

export function say(session: Session, text: string): void {
  session.append('user/message', {
    id: newMessageId(),
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  });
}

/** A turn of four events, with one message each way. */
function turn(session: Session, text: string): void {
  const ordinal = session.turns;
  session.append('turn/start', { turn: ordinal });
  say(session, text);
  session.append('assistant/message', {
    id: newMessageId(),
    role: 'assistant',
    content: [{ type: 'text', text }],
    finish: 'stop',
  });
  session.append('turn/end', { turn: ordinal, reason: { kind: 'completed' } });
}

/** A Session under the id `source` with about so many events, closed. */
export async function writeLog(driver: string, folder: string, events: number): Promise<void> {
  const store = await openStore(driver, folder);
  const session = await store.create({ id: source });
  const text = 'x'.repeat(120);
  for (let written = 0; written < events; written += 4) {
    turn(session, text);
    if (written % 4_000 === 0) await store.flush(session);
  }
  await store.close(session);
  await store[Symbol.asyncDispose]();
}

export const since = (start: number): number => performance.now() - start;

/**
 * The greatest that this process ever was, in MB. Where the system tells it of the program that runs: `maxRSS` begins
 * with the size of the process that started this one.
 */
export function peakMegabytes(): number {
  const path = '/proc/self/status';
  const found = existsSync(path) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8')) : null;
  return (found === null ? process.resourceUsage().maxRSS : Number(found[1])) / 1024;
}
