/**
 * The writer's place of one Session: a numbered file per holding of it.
 * Owns: who is the holder. Does not own: what the holder may write.
 * I1. An epoch file appears whole and once: of several askers for the next number exactly one gets it.
 * I2. The highest number is the holder's. Lower ones are removed in rising order, so that a writer whose own
 *     file is there and whose successor's is not has not been overtaken.
 * I3. The name of a new epoch is durable before anything is measured for it, wherever the old holder may still be
 *     awake (S21). Its content need not be: without it, the lease decides.
 */
import { join } from 'node:path';
import { sessionError, type PlaceHolder, type SessionId } from '@deepseek-ai/dsh-session';
import type { Atomic } from './atomic.ts';
import { keptSummary, newestRecord, type EpochRecord, type NumberedRecord } from './epoch-record.ts';
import type { FilePort } from './file-port.ts';
import type { Holder, Holders } from './holders.ts';
import { epochName, epochOf, isSummary, releasedName, summaryName } from './layout.ts';

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

interface Ask {
  readonly id: SessionId;
  readonly token: string;
  /** As in {@link EpochRecord}. */
  readonly creating: boolean;
}

export interface Epochs {
  /** `missing`: there is no such folder. Rejects `SESSION_LOCKED`. */
  take(folder: string, ask: Ask): Promise<Epoch | 'missing'>;
  /** Whether nobody has overtaken this epoch. */
  holds(folder: string, epoch: Epoch): Promise<boolean>;
  /** Where there is no room for the words, the place is free all the same, and a take-over is not forgotten. */
  giveBack(folder: string, epoch: Epoch, left: Left): Promise<void>;
  /** The holder's record as it stands, whatever its condition. */
  newest(folder: string, names: readonly string[]): Promise<NumberedRecord | undefined>;
}

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
  const holds = async (record: EpochRecord): Promise<boolean> =>
    record.released === undefined && (await holders.condition(record)) === 'holding';

  /** What the new holder says of itself, and what it keeps of what the one before says. */
  const recordFor = async (folder: string, ask: Ask, before?: NumberedRecord): Promise<EpochRecord> => {
    const summary = before === undefined ? undefined : await keptSummary(files, folder, before);
    const unsaid = ask.creating || before === undefined ? undefined : unsaidOf(before.record);
    return { ...ask, ...holders.describe(), ...(summary === undefined ? {} : { summary }), unsaid };
  };

  /** One try; `again`: somebody else was faster. */
  const attempt = async (folder: string, ask: Ask): Promise<Epoch | 'missing' | 'again'> => {
    const found = await files.names(folder);
    if (found === undefined) return 'missing';
    const last = await newestRecord(files, folder, found);
    // Its file went away between the two looks.
    if (last === undefined && found.some((name) => epochOf(name) !== undefined)) return 'again';
    if (last !== undefined && (await holds(last.record))) throw lockedError(ask.id, last.record);
    const number = (last?.number ?? 0) + 1;
    const record = await recordFor(folder, ask, last);
    const names = await claim(files, atomic, folder, { number, record });
    if (names === undefined) return 'again';
    if (last !== undefined && last.record.released === undefined) {
      // The old holder may be awake (I3).
      await files.syncFolder(folder);
      await holders.bury(last.record);
    }
    await removeBelow(files, folder, names, number);
    const identity = (await files.facts(join(folder, epochName(number))))?.identity ?? '';
    return { number, record, identity, ...(last === undefined ? {} : { before: last.record }) };
  };

  return {
    newest: (folder, names) => newestRecord(files, folder, names),
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

/** Makes the epoch file (I1). Gives the names of the folder then; nothing where somebody else was faster. */
async function claim(
  files: FilePort,
  atomic: Atomic,
  folder: string,
  { number, record }: NumberedRecord,
): Promise<readonly string[] | undefined> {
  const path = join(folder, epochName(number));
  if ((await atomic.create(path, JSON.stringify(record))) !== 'linked') return undefined;
  const names = (await files.names(folder)) ?? [];
  if (!names.some((name) => (epochOf(name) ?? 0) > number)) return names;
  await files.remove(path);
  return undefined;
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

/** What the holders before this one left, in rising order (I2). */
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
