/**
 * Writes batches: many Sessions per transaction, each part by itself.
 * I1. The token of each part is looked at in the transaction that writes it, so a late writer writes nothing (S21).
 * I2. A part is written as a whole or not at all, and leaves the others alone.
 * I3. A transaction is bounded, but for the size of its largest part. Others run after each: what they append in the
 *     same turn of the event loop then goes with one batch, and waits for one barrier.
 */
import {
  SessionError,
  sessionError,
  type BatchPart,
  type PartResult,
  type StoredEvent,
} from '@deepseek-ai/dsh-session';
import type Database from 'better-sqlite3';
import { headerChecksum } from './checksum.ts';
import type { Held } from './held.ts';
import type { HeldPlaces } from './held-places.ts';
import { addEvent, addLog, lengthOf } from './logs.ts';
import type { Statements } from './statements.ts';
import { isBusy, type Transactions } from './transactions.ts';

/** Of JSON text, in one transaction. */
const GROUP_LENGTH = 2 * 1024 * 1024;
/** A failed try is shorter than that. */
const ALL = 2 ** 31;

interface Job {
  readonly part: BatchPart;
  readonly held: Held;
}

export async function appendParts(
  transactions: Transactions,
  places: HeldPlaces,
  parts: readonly BatchPart[],
): Promise<readonly PartResult[]> {
  const results = new Map<BatchPart, PartResult>();
  const jobs: Job[] = [];
  for (const part of parts) {
    try {
      jobs.push({ part, held: places.of(part.place) });
    } catch (error) {
      results.set(part, failed(part, error));
    }
  }
  for (const group of groupsOf(jobs)) {
    const answers = await writeGroup(transactions, group);
    group.forEach((job, at) => results.set(job.part, settle(job, answers[at])));
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return parts.map((part) => results.get(part) ?? failed(part, new Error('it was not tried')));
}

function groupsOf(jobs: readonly Job[]): readonly (readonly Job[])[] {
  const groups: Job[][] = [];
  let room = 0;
  for (const job of jobs) {
    const length = job.part.events.reduce((sum, { json }) => sum + json.length, 0);
    if (groups.length === 0 || length > room) {
      groups.push([]);
      room = GROUP_LENGTH;
    }
    groups.at(-1)?.push(job);
    room -= length;
  }
  return groups;
}

async function writeGroup(transactions: Transactions, group: readonly Job[]): Promise<readonly PartResult[]> {
  try {
    return await transactions.write((sql, db) => group.map((job) => writeAlone(sql, db, job)), {
      durable: true,
    });
  } catch (cause) {
    if (group.length === 1 || isBusy(cause)) return group.map(({ part }) => failed(part, cause));
  }
  // It failed as a whole, as on a full disk. What has room is still to be written.
  const answers: PartResult[] = [];
  for (const job of group) answers.push(...(await writeGroup(transactions, [job])));
  return answers;
}

function writeAlone(sql: Statements, db: Database.Database, job: Job): PartResult {
  sql.beginPart.run();
  try {
    writePart(sql, job);
    sql.endPart.run();
    return { ok: true };
  } catch (error) {
    if (!db.inTransaction) throw error;
    sql.undoPart.run();
    sql.endPart.run();
    return failed(job.part, error);
  }
}

function writePart(sql: Statements, { part, held }: Job): void {
  const { base, header, events, place, summary } = part;
  const { log, start } = held.require(sql);
  const length = lengthOf(sql, log, start);
  refuseWrong(sql, { part, held }, length);
  const own = base < length ? cutBack(sql, place.id, log, base) : log;
  if (header !== undefined)
    sql.putSession.run(place.id, header, headerChecksum(header), parentOf(header), base, own);
  for (const { seq, json } of events) addEvent(sql, own, seq, json);
  if (place.takenOver !== undefined && !held.written && events.length > 0)
    sql.setTakenOver.run(null, place.id);
  if (summary !== undefined) sql.putSummary.run(summary, place.id);
}

function refuseWrong(sql: Statements, { part, held }: Job, length: number): void {
  const { base, header, events, place } = part;
  const where = `session ${place.id}: nothing was written`;
  if (base < held.floor || base > length)
    throw sessionError('INVALID_SEQUENCE', `${where} at ${base}, ${length} events are there`);
  if (!isRow(events, base)) throw sessionError('INVALID_SEQUENCE', `${where}, the events are not in a row`);
  if (header !== undefined && (!held.creating || base !== place.length))
    throw sessionError('INVALID_HEADER', `${where}, there is a header already`);
  if (header === undefined && !held.stored && sql.session.get(place.id) === undefined)
    throw sessionError('INVALID_HEADER', `${where}, there is no header yet`);
}

const isRow = (events: readonly StoredEvent[], base: number): boolean =>
  events.every(({ seq }, index) => seq === base + index);

/** Takes back what stands from `base` on, after a try whose answer was lost. What a fork shares stays for it (S23). */
function cutBack(sql: Statements, id: string, log: number, base: number): number {
  if ((sql.sharedUpTo.get(log) ?? 0) <= base) {
    sql.dropEvents.run(log, base, log, ALL);
    return log;
  }
  const own = addLog(sql, log, base);
  sql.movePlace.run(own, id);
  sql.moveSession.run(own, id);
  return own;
}

function parentOf(header: string): string | null {
  try {
    const { parentSession } = JSON.parse(header) as { readonly parentSession?: unknown };
    return typeof parentSession === 'string' ? parentSession : null;
  } catch {
    return null;
  }
}

function settle({ part, held }: Job, answer: PartResult | undefined): PartResult {
  const result = answer ?? failed(part, new Error('it was not answered'));
  if (result.ok) {
    held.stored = true;
    held.written ||= part.events.length > 0;
  } else held.hear(result.error);
  return result;
}

function failed({ place, base }: BatchPart, cause: unknown): PartResult {
  if (SessionError.is(cause)) return { ok: false, error: cause };
  const message = `session ${place.id}: events from ${base} on were not written`;
  return { ok: false, error: sessionError('NOT_DURABLE', message, { cause }) };
}
