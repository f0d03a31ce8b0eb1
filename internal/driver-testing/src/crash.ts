/** A writer that is killed at some instant, and what must be there afterwards. */
import assert from 'node:assert/strict';
import type { SessionDriver, SessionId } from '@deepseek-ai/dsh-session';
import { entries, event, records } from './events.ts';
import type { WriterProcess } from './processes.ts';
import { seeded } from './seeded.ts';

async function secondTake(driver: SessionDriver, session: SessionId): Promise<string> {
  try {
    await driver.release(await driver.take(session, 'open', {}));
    return 'the place';
  } catch (error) {
    return String((error as { readonly code?: unknown }).code ?? error);
  }
}

/** Another process, as far as the store can tell: it reads, and asks for the place, for as long as `lives` holds. */
async function bystand(driver: SessionDriver, session: SessionId, lives: () => boolean): Promise<void> {
  while (lives()) {
    expectOnlyWhole(await records(driver, session), session);
    const answer = await secondTake(driver, session);
    assert.ok(answer === 'SESSION_LOCKED' || !lives(), `a second writer was answered with ${answer}`);
  }
}

/**
 * Kills it at an instant that the seed decides, and gives what it had called durable. With `beside`, a reader and a
 * second would-be writer are at work until then.
 */
export async function killedWriter(
  writer: WriterProcess,
  seed: number,
  beside?: { readonly driver: SessionDriver; readonly session: SessionId },
): Promise<number> {
  const random = seeded(seed);
  let lives = true;
  const holds = random() < 0.8;
  if (holds) await writer.said('holds');
  const others =
    holds && beside !== undefined ? bystand(beside.driver, beside.session, () => lives) : undefined;
  await new Promise((resolve) => setTimeout(resolve, random() * 120));
  lives = false;
  writer.signal('SIGKILL');
  await writer.ended();
  await others;
  const durable = writer.lines
    .filter((line) => line.startsWith('durable'))
    .map((line) => Number(line.split(' ')[1]));
  return durable.at(-1) ?? 0;
}

function expectOnlyWhole(found: readonly unknown[], session: SessionId): void {
  assert.deepEqual(
    found,
    Array.from({ length: found.length }, (_, seq) => event(seq, session)),
  );
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
  expectOnlyWhole(found, session);
  assert.equal((await driver.head(session, {})).length, found.length);
  return found.length;
}
