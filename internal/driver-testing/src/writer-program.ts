/**
 * A process of its own that writes to a store. It says on stdout what happened, and obeys single words on stdin.
 *   <program> <place of the store> <session> <leaseMs> <umask> [seed]
 * With a seed it writes without end, in batches of random size, until it is killed.
 */
import { createInterface } from 'node:readline';
import type { SessionDriver, SessionId, WriterPlace } from '@deepseek-ai/dsh-session';
import { append, events, headerText } from './events.ts';
import { seeded } from './seeded.ts';

function say(...words: readonly (string | number)[]): void {
  process.stdout.write(`${words.join(' ')}\n`);
}

async function write(
  driver: SessionDriver,
  place: WriterPlace,
  base: number,
  count: number,
  header?: string,
): Promise<void> {
  const result = await append(driver, place, base, events(base, base + count, place.id), header);
  say(result.ok ? 'durable' : result.error.code, base + count);
}

async function takeOrCreate(driver: SessionDriver, id: SessionId): Promise<WriterPlace> {
  try {
    return await driver.take(id, 'open', {});
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SESSION_NOT_FOUND') throw error;
  }
  const place = await driver.take(id, 'create', {});
  await write(driver, place, 0, 1, headerText(id, { parentSession: 'parent' }));
  return place;
}

/** The whole program. `open` makes the driver of the store that the arguments name. */
export async function runWriter(open: (at: string, leaseMs: number) => SessionDriver): Promise<void> {
  const [at = '', session = '', leaseMs = '', umask = '', seed] = process.argv.slice(2);
  process.umask(Number.parseInt(umask, 8));
  const driver = open(at, Number(leaseMs));
  const place = await takeOrCreate(driver, session as SessionId);
  let length = Math.max(1, place.length);
  say('holds', length);
  const random = seeded(Number(seed));
  while (seed !== undefined) {
    const count = 1 + Math.floor(random() * 20);
    await write(driver, place, length, count);
    length += count;
  }
  for await (const word of createInterface({ input: process.stdin })) {
    if (word === 'append') await write(driver, place, length, 1);
    if (word === 'append') length += 1;
    if (word === 'dispose') await driver[Symbol.asyncDispose]();
    say(word, 'done');
  }
}
