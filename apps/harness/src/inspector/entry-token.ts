/**
 * The token of the first visit, and the cookie that it is turned into.
 * I1. The token is of this run of the server alone. The cookie follows from a key beside the store, so that a page
 *     which is open is still let in after a restart.
 * I2. Comparing takes the same time for every wrong value.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface EntryToken {
  readonly token: string;
  readonly cookie: string;
  isToken(given: string | undefined): boolean;
  isCookie(given: string | undefined): boolean;
}

/** `port` is part of the cookie's name, since a cookie counts for every port of a host. */
export function cookieName(port: number): string {
  return `dsh-inspector-${port}`;
}

export function createEntryToken(key: string): EntryToken {
  const token = randomBytes(32).toString('base64url');
  const cookie = createHmac('sha256', key).update('inspector cookie').digest('base64url');
  return {
    token,
    cookie,
    isToken: (given) => same(given, token),
    isCookie: (given) => same(given, cookie),
  };
}

function same(given: string | undefined, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(right));
}

const keyShape = /^[\w-]{43}$/;

/** Reads the key, or makes one that only the owner can read. Where the folder cannot be written it lasts for one run. */
export async function entryKey(file: string): Promise<string> {
  try {
    const known = (await readFile(file, 'utf8')).trim();
    if (keyShape.test(known)) return known;
    await rm(file, { force: true });
  } catch {
    // There is none yet.
  }
  const key = randomBytes(32).toString('base64url');
  try {
    // The store may not have been written to yet.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // Another server of the same store was faster, or nothing can be written here.
    const other = await readFile(file, 'utf8').catch(() => '');
    if (keyShape.test(other.trim())) return other.trim();
  }
  return key;
}
