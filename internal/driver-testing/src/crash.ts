/** A writer that is killed at some instant, and what must be there afterwards. */
import assert from 'node:assert/strict';
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import { entries, event, records } from './events.ts';
import type { WriterProcess } from './processes.ts';
import { seeded } from './seeded.ts';

/** Kills it at an instant that the seed decides, and gives what it had called durable. */
export async function killedWriter(writer: WriterProcess, seed: number): Promise<number> {
  const random = seeded(seed);
  if (random() < 0.8) await writer.said('holds');
  await new Promise((resolve) => setTimeout(resolve, random() * 120));
  writer.signal('SIGKILL');
  await writer.ended();
  const durable = writer.lines
    .filter((line) => line.startsWith('durable'))
    .map((line) => Number(line.split(' ')[1]));
  return durable.at(-1) ?? 0;
}

/** What was durable is there, and what follows is a prefix of what was appended. Gives the length. */
export async function expectPrefix(
  driver: SessionDriver,
  session: SessionId,
  durable: number,
): Promise<number> {
  const listed = await entries(driver);
  assert.deepEqual(
    listed.filter(({ kind }) => kind === 'problem'),
    [],
  );
  if (!listed.some((entry) => entry.id === session)) {
    assert.equal(durable, 0);
    return 0;
  }
  const found = await records(driver, session);
  assert.ok(found.length >= durable, `${found.length} events are there, ${durable} were durable`);
  assert.deepEqual(
    found,
    Array.from({ length: found.length }, (_, seq) => event(seq, session)),
  );
  assert.equal((await driver.head(session, {})).length, found.length);
  return found.length;
}
