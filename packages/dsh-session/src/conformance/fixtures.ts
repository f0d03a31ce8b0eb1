/** What the parts of the suite make and look at. */
import assert from 'node:assert/strict';
import type { Clock, Registration } from '../clock.ts';
import type {
  BatchPart,
  SessionDriver,
  StoredEntry,
  StoredEvent,
  StoredRecord,
  WriterPlace,
} from '../driver.ts';
import { SessionError } from '../errors.ts';
import { parseSessionId, type SessionId } from '../ids.ts';

export const sessionId = (text: string): SessionId => parseSessionId(text);
export const plum = sessionId('plum');
export const kiwi = sessionId('kiwi');

export function headerOf(id: SessionId, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ version: 1, id, createdAt: 1_700_000_000_000, ...more });
}

/** An event that a driver knows nothing of. `text` is part of its data. */
export function event(seq: number, text = 'grape'): StoredEvent {
  return { kind: 'event', seq, json: JSON.stringify({ seq, time: 1, type: 'fruit/note', data: { text } }) };
}

export function events(from: number, to: number): readonly StoredEvent[] {
  return Array.from({ length: to - from }, (_, index) => event(from + index));
}

export function part(
  place: WriterPlace,
  base: number,
  own: readonly StoredEvent[],
  header?: string,
): BatchPart {
  return header === undefined ? { place, base, events: own } : { place, base, events: own, header };
}

/** Writes one part and expects it to be taken. */
export async function write(driver: SessionDriver, given: BatchPart): Promise<void> {
  assert.deepEqual(await driver.append([given]), [{ ok: true }]);
}

/** A stored Session with `length` own events; its place is held. */
export async function stored(
  driver: SessionDriver,
  id: SessionId,
  length: number,
  more?: Readonly<Record<string, unknown>>,
): Promise<WriterPlace> {
  const place = await driver.take(id, 'create', {});
  await write(driver, part(place, 0, events(0, length), headerOf(id, more)));
  return place;
}

/** The same, and nobody holds it. */
export async function storedFree(
  driver: SessionDriver,
  id: SessionId,
  length: number,
  more?: Readonly<Record<string, unknown>>,
): Promise<void> {
  await driver.release(await stored(driver, id, length, more));
}

/** A fork with `own` events of its own. The place is held. */
export async function forked(
  driver: SessionDriver,
  id: SessionId,
  source: SessionId,
  length: number,
  own: number,
): Promise<WriterPlace> {
  const place = await driver.take(id, 'create', { prefix: { session: source, length } });
  const header = headerOf(id, { forkedFrom: { session: source, length }, seedLength: length });
  await write(driver, part(place, length, events(length, length + own), header));
  return place;
}

export async function readAll(
  driver: SessionDriver,
  id: SessionId,
  from = 0,
  to?: number,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const chunk of driver.read(id, to === undefined ? { from } : { from, to }))
    records.push(...chunk);
  return records;
}

/** The texts of what is whole. */
export async function readJson(
  driver: SessionDriver,
  id: SessionId,
  from = 0,
  to?: number,
): Promise<readonly string[]> {
  const records = await readAll(driver, id, from, to);
  return records.flatMap((record) => (record.kind === 'event' ? [record.json] : []));
}

export const jsonOf = (own: readonly StoredEvent[]): readonly string[] => own.map(({ json }) => json);

export async function listAll(
  driver: SessionDriver,
  query: { readonly parent?: SessionId; readonly after?: string } = {},
): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const entry of driver.list(query)) entries.push(entry);
  return entries;
}

/** Expects a `SessionError` with one of `codes`. */
export function failsWith(failure: unknown, ...codes: readonly string[]): SessionError {
  const wanted = codes.join(' or ');
  if (!SessionError.is(failure)) assert.fail(`expected ${wanted}, got ${String(failure)}`);
  assert.ok(codes.includes(failure.code), `expected ${wanted}, got ${failure.code}: ${failure.message}`);
  return failure;
}

export async function rejects(work: Promise<unknown>, ...codes: readonly string[]): Promise<SessionError> {
  let failure: unknown;
  await work.catch((error: unknown) => {
    failure = error;
  });
  return failsWith(failure, ...codes);
}

/** A clock that stands still: what waits for a timer waits for ever. */
export function stillClock(now = 1_700_000_000_000): Clock {
  const nothing = (): void => undefined;
  const timer = (): Registration => ({ dispose: nothing, [Symbol.dispose]: nothing });
  return { now: () => now, timer };
}
