/**
 * The writer's place of one Session: a numbered file per holding of it.
 * Owns: who is the holder. Does not own: what the holder may write.
 * 1. An epoch file appears whole and once: of several askers for the next number exactly one gets it.
 * 2. The highest number is the holder's. Lower ones are removed in rising order, so that a writer whose own
 *    file is there and whose successor's is not has not been overtaken.
 * 3. The name of a new epoch is durable before anything is measured for it, wherever the old holder may still be
 *    awake (S21). Its content need not be: without it, the lease decides.
 */
import { join } from 'node:path';
import { sessionError, type PlaceHolder, type SessionId } from '@deepseek-ai/dsh-session';
import type { Atomic } from './atomic.ts';
import type { FilePort } from './file-port.ts';
import type { Holder, Holders } from './holders.ts';
import { epochName, epochOf, isSummary, releasedName, summaryName } from './layout.ts';

export interface EpochRecord extends Holder {
  readonly id: string;
  readonly token: string;
  /** The holder means to create the Session: until there is a header, nothing here is worth keeping. */
  readonly creating: boolean;
  /** The holder gave the place back, and what it wrote ends here. */
  readonly released?: { readonly segment: number; readonly bytes: number; readonly length: number };
  /** What was kept beside the log when this was written (S27): an overtaken holder may change what it had kept. */
  readonly summary?: string;
  /** Whose place the holder took over without having written anything by then (S20). */
  readonly unsaid?: PlaceHolder | undefined;
}

export interface Epoch {
  readonly number: number;
  readonly record: EpochRecord;
  /** Tells this file from one of the same number after the Session was deleted and made again. */
  readonly identity: string;
  /** The epoch before this one. */
  readonly before?: EpochRecord;
}

/** What a holder says when it gives the place back. */
export type Left = Pick<EpochRecord, 'released' | 'summary' | 'unsaid'>;

export interface Epochs {
  /** `missing`: there is no such folder. Rejects `SESSION_LOCKED`. */
  take(folder: string, ask: { id: SessionId; token: string; creating: boolean }): Promise<Epoch | 'missing'>;
  /** Whether nobody has overtaken this epoch. */
  holds(folder: string, epoch: Epoch): Promise<boolean>;
  /** Where there is no room for the words, the place is free all the same, and a take-over is not forgotten. */
  giveBack(folder: string, epoch: Epoch, left: Left): Promise<void>;
  /** The holder's record as it stands, whatever its condition. */
  highest(
    folder: string,
    names: readonly string[],
  ): Promise<{ number: number; record: EpochRecord } | undefined>;
}

/** Where what the holder wrote ends is not known. No segment has this number. */
export const SOMEWHERE = { segment: 0, bytes: 0, length: 0 } as const;

/** Each try that comes to nothing means that somebody else got further, or that the files are unfit. */
const MOST_TRIES = 1000;

const holderOf = ({ pid, host, since }: Holder): PlaceHolder => ({ pid, host, since });

function lockedError(id: SessionId, record: Holder): Error {
  const { pid, host, since } = record;
  const who = `process ${String(pid)} on ${host}, since ${new Date(since).toISOString()}`;
  return sessionError('SESSION_LOCKED', `the writer's place of session ${id} was not taken: held by ${who}`, {
    holder: holderOf(record),
  });
}

export function createEpochs(files: FilePort, atomic: Atomic, holders: Holders): Epochs {
  const highest: Epochs['highest'] = (folder, names) => highestIn(files, folder, names);
  const held = async (record: EpochRecord): Promise<boolean> =>
    record.released === undefined && (await holders.condition(record)) === 'holding';

  /** One try; `again`: somebody else was faster. */
  const attempt = async (
    folder: string,
    ask: { id: SessionId; token: string; creating: boolean },
  ): Promise<Epoch | 'missing' | 'again'> => {
    const names = await files.names(folder);
    if (names === undefined) return 'missing';
    const last = await highest(folder, names);
    if (last === undefined && names.some((name) => epochOf(name) !== undefined)) return 'again';
    if (last !== undefined && (await held(last.record))) throw lockedError(ask.id, last.record);
    const number = (last?.number ?? 0) + 1;
    const kept = last === undefined ? undefined : await keptSummary(files, folder, last);
    const summary = kept === undefined ? {} : { summary: kept };
    const unsaid = ask.creating || last === undefined ? undefined : unsaidOf(last.record);
    const record: EpochRecord = { ...ask, ...holders.describe(), ...summary, unsaid };
    const path = join(folder, epochName(number));
    const overtakes = last !== undefined && last.record.released === undefined;
    const made = await atomic.create(path, JSON.stringify(record));
    if (made !== 'linked') return 'again';
    const now = (await files.names(folder)) ?? [];
    if (now.some((name) => (epochOf(name) ?? 0) > number)) {
      await files.remove(path);
      return 'again';
    }
    if (overtakes) await files.syncFolder(folder);
    if (overtakes) await holders.bury(last.record);
    await removeBelow(files, folder, now, number);
    const identity = (await files.facts(path))?.identity ?? '';
    return { number, record, identity, ...(last === undefined ? {} : { before: last.record }) };
  };

  return {
    highest,
    async take(folder, ask) {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const got = await attempt(folder, ask);
        if (got !== 'again') return got;
      }
      throw new Error(
        `the writer's place of session ${ask.id} could not be taken: its epoch files cannot be read`,
      );
    },
    async holds(folder, epoch) {
      if ((await files.facts(join(folder, epochName(epoch.number + 1)))) !== undefined) return false;
      return (await files.facts(join(folder, epochName(epoch.number))))?.identity === epoch.identity;
    },
    giveBack: (...what) => giveBack(files, atomic, ...what),
  };
}

async function giveBack(
  files: FilePort,
  atomic: Atomic,
  ...[folder, { number, record }, left]: Parameters<Epochs['giveBack']>
): Promise<void> {
  // A file of its own: where one is renamed over another, some file systems wait for the device.
  const path = join(folder, releasedName(number));
  const words = { ...record, creating: false, unsaid: undefined, ...left };
  try {
    await atomic.replace(path, JSON.stringify(words));
  } catch {
    if (left.unsaid === undefined) await files.remove(join(folder, epochName(number)));
    else await files.touch(path, 0);
  }
}

/** A take-over that its holder has not told the log is told to the next one. */
function unsaidOf(before: EpochRecord): PlaceHolder | undefined {
  return before.released === undefined ? holderOf(before) : before.unsaid;
}

/** What the holders before this one left, in rising order (2). */
async function removeBelow(
  files: FilePort,
  folder: string,
  names: readonly string[],
  number: number,
): Promise<void> {
  const summaries = names.filter((name) => isSummary(name) && name < summaryName(number));
  const epochs = names.filter((name) => (epochOf(name) ?? number) < number);
  epochs.sort((a, b) => (epochOf(a) ?? 0) - (epochOf(b) ?? 0));
  // One that stays, since something else has its name, is not looked at any more.
  for (const name of summaries) await files.remove(join(folder, name)).catch(() => undefined);
  for (const name of epochs) await files.remove(join(folder, name));
}

/** The summary that is kept for whoever takes the place after this holder. */
export async function keptSummary(
  files: FilePort,
  folder: string,
  { number, record }: { readonly number: number; readonly record: EpochRecord },
): Promise<string | undefined> {
  if (record.released !== undefined) return record.summary;
  const own = await files.load(join(folder, summaryName(number))).catch(() => undefined);
  return own?.toString('utf8').split('\n', 1)[0] ?? record.summary;
}

async function highestIn(
  files: FilePort,
  folder: string,
  names: readonly string[],
): Promise<{ number: number; record: EpochRecord } | undefined> {
  const number = Math.max(0, ...names.map((name) => epochOf(name) ?? 0));
  if (number === 0) return undefined;
  const released = releasedName(number);
  const own = (): Promise<EpochRecord | undefined> => loadRecord(files, join(folder, epochName(number)));
  const record = names.includes(released)
    ? ((await parseRecord(files, join(folder, released))) ?? wordless(await own()))
    : await own();
  return record === undefined ? undefined : { number, record };
}

/** It gave back, and only the words are missing: what it began with still counts. */
function wordless(record: EpochRecord = unknownHolder(0)): EpochRecord {
  return { ...record, creating: false, released: SOMEWHERE };
}

/** `undefined`: there is no such file, or a crash of the machine left it without its content. */
async function parseRecord(files: FilePort, path: string): Promise<EpochRecord | undefined> {
  try {
    const record = JSON.parse((await files.load(path))?.toString('utf8') ?? '') as EpochRecord;
    return isRecord(record) ? record : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord({ pid, since, leaseMs, writer, host }: Partial<EpochRecord>): boolean {
  const numbers = [pid, since, leaseMs].every((value) => typeof value === 'number');
  return numbers && typeof writer === 'string' && typeof host === 'string';
}

/** An epoch file without content counts from its last change on. */
async function loadRecord(files: FilePort, path: string): Promise<EpochRecord | undefined> {
  const record = await parseRecord(files, path);
  const facts = record === undefined ? await files.facts(path) : undefined;
  return facts === undefined ? record : unknownHolder(facts.changedAt);
}

function unknownHolder(since: number): EpochRecord {
  const nobody = { id: '', token: '', creating: false, pid: 0, host: 'unknown', writer: 'unknown' };
  return { ...nobody, leaseMs: 30_000, since };
}
