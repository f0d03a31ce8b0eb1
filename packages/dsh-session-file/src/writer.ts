/**
 * One held writer's place: writes batches at the end of its segment.
 * Owns: the end of what is durable. Does not own: who holds the place (epoch), where handles come from (open-files).
 * I1. The end moves only when the bytes are durable and the epoch is still the highest after that (S12, S21).
 * I2. Bytes of a failed try are never built upon: the segment is sealed at the end, and a new one begun.
 * I3. Jobs of one place run one after the other, in the order of the calls.
 */
import { join } from 'node:path';
import {
  sessionError,
  SessionError,
  type BatchPart,
  type PartResult,
  type PlaceHolder,
  type SessionId,
  type WriterPlace,
} from '@deepseek-ai/dsh-session';
import { createBirth, type Birth } from './birth.ts';
import type { Epoch } from './epoch.ts';
import { segmentName, summaryName } from './layout.ts';
import { encodeLines } from './lines.ts';
import type { Medium } from './medium.ts';
import { seal, type WritingPoint } from './sealing.ts';

export interface WriterStart {
  readonly id: SessionId;
  readonly epoch: Epoch;
  readonly point: WritingPoint;
  readonly creating: boolean;
}

export class Writer {
  readonly place: WriterPlace;
  readonly folder: string;
  readonly #medium: Medium;
  readonly #epoch: Epoch;
  readonly #lost = new AbortController();
  /** Of a Session that did not exist before. */
  readonly #birth: Birth | undefined;
  #stored: boolean;
  #point: WritingPoint;
  /** The end before the last write: its answer may not have reached the asker, who then tries again from there. */
  #before: WritingPoint | undefined;
  /** What is kept beside the log (S27). */
  #summary: string | undefined;
  /** Whose place this was, as long as nothing was written since (S20). */
  #unsaid: PlaceHolder | undefined;
  /** `fresh`: the name of the segment may not be durable. `unsure`: what lies behind the end is unknown (I2). */
  #tail: 'fresh' | 'whole' | 'unsure';
  #last: Promise<unknown> = Promise.resolve();

  constructor(medium: Medium, { id, epoch, point, creating }: WriterStart) {
    this.#medium = medium;
    this.#epoch = epoch;
    this.#point = point;
    this.#tail = point.bytes === 0 ? 'fresh' : 'whole';
    this.#stored = !creating;
    this.folder = medium.layout.folder(id);
    this.#birth = creating ? createBirth(medium, id, epoch) : undefined;
    this.#summary = creating ? undefined : epoch.record.summary;
    this.#unsaid = epoch.record.unsaid;
    this.place = {
      id,
      token: epoch.record.token,
      lost: this.#lost.signal,
      length: point.length,
      ...(this.#unsaid === undefined ? {} : { takenOver: this.#unsaid }),
      ...(this.#summary === undefined ? {} : { summary: this.#summary }),
    };
  }

  append(part: BatchPart): Promise<PartResult> {
    return this.#inTurn(async () => {
      const wrong = this.#refusal(part);
      return wrong === undefined ? await this.#tryToWrite(part) : { ok: false, error: wrong };
    });
  }

  /** Runs `work` with the place at rest, and goes on where that says. Rejects `FENCED`. */
  rewrite(work: (point: WritingPoint, check: () => Promise<void>) => Promise<WritingPoint>): Promise<void> {
    const check = async (): Promise<void> => {
      if (this.#lost.signal.aborted || !(await this.#holds())) throw this.#fence();
    };
    return this.#inTurn(async () => {
      await check();
      if (this.#tail === 'unsure') await this.#restore(this.#point);
      try {
        await this.#goOnAt(await work(this.#point, check));
      } catch (error) {
        await check();
        throw error;
      }
    });
  }

  /** Gives the place back. */
  finish({ summary }: { readonly summary?: string } = {}): Promise<void> {
    return this.#inTurn(async () => {
      const { epochs, openFiles } = this.#medium;
      await openFiles.drop(this.#path());
      if (this.#lost.signal.aborted || !(await this.#holds())) return;
      if (this.#birth !== undefined && !this.#stored) {
        await this.#birth.undo();
        return;
      }
      // Where that fails, the next holder keeps what whole lines it finds.
      if (this.#tail === 'unsure') await this.#restore(this.#point).catch(() => undefined);
      if (!(await this.#holds())) return;
      const kept = summary ?? this.#summary;
      await epochs.giveBack(this.folder, this.#epoch, {
        released: this.#point,
        ...(kept === undefined ? {} : { summary: kept }),
        ...(this.#unsaid === undefined ? {} : { unsaid: this.#unsaid }),
      });
    });
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run, run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #refusal(part: BatchPart): SessionError | undefined {
    if (this.#lost.signal.aborted) return this.#fence();
    const where = `session ${this.place.id}: nothing was written`;
    const { length } = this.#point;
    if (part.base !== length && part.base !== this.#before?.length) {
      return sessionError('INVALID_SEQUENCE', `${where}, ${length} events are there and not ${part.base}`);
    }
    if (part.header === undefined && !this.#stored) {
      return sessionError('INVALID_HEADER', `${where}, there is no header yet`);
    }
    if (part.header !== undefined && (this.#birth === undefined || part.base !== this.place.length)) {
      return sessionError('INVALID_HEADER', `${where}, there is a header already`);
    }
    return undefined;
  }

  async #tryToWrite(part: BatchPart): Promise<PartResult> {
    try {
      if (this.#before !== undefined && part.base < this.#point.length) await this.#restore(this.#before);
      else if (this.#tail === 'unsure') await this.#restore(this.#point);
      await this.#write(part);
      return { ok: true };
    } catch (cause) {
      if (SessionError.is(cause)) return { ok: false, error: cause };
      if (!(await this.#holds().catch(() => true))) return { ok: false, error: this.#fence() };
      const what = `session ${this.place.id}: events from ${part.base} on were not written`;
      return { ok: false, error: sessionError('NOT_DURABLE', what, { cause }) };
    }
  }

  async #write(part: BatchPart): Promise<void> {
    const { openFiles, syncFolder } = this.#medium;
    const bytes = encodeLines(part.events);
    const fresh = this.#tail === 'fresh';
    this.#tail = 'unsure';
    await openFiles.use(this.#path(), async (file) => {
      await file.write(bytes, this.#point.bytes);
      const sync = async (): Promise<void> => {
        const synced = file.sync();
        await this.#keep(part.summary);
        await synced;
      };
      if (this.#birth !== undefined && part.header !== undefined)
        await this.#birth.complete(part.header, sync);
      else await Promise.all([sync(), fresh ? syncFolder(this.folder) : undefined]);
    });
    if (!(await this.#holds())) throw this.#fence();
    const { segment, bytes: start, length } = this.#point;
    this.#before = this.#point;
    this.#point = { segment, bytes: start + bytes.length, length: length + part.events.length };
    this.#tail = 'whole';
    this.#stored = true;
    if (part.events.length > 0) this.#unsaid = undefined;
  }

  /**
   * While the barrier is under way: whether it is kept decides only how fast the next opening is, and where the
   * barrier fails, it does not fit. Written over in place, since some file systems wait for the device where one
   * file is renamed over another; the line break tells where it ends.
   */
  async #keep(summary: string | undefined): Promise<void> {
    if (summary === undefined) return;
    try {
      const file = await this.#medium.files.openWrite(join(this.folder, summaryName(this.#epoch.number)));
      await file.write(Buffer.from(`${summary}\n`), 0).finally(() => file.close());
      this.#summary = summary;
    } catch {
      return;
    }
  }

  /** Leaves what stands behind `point` out of the history. */
  async #restore(point: WritingPoint): Promise<void> {
    if (!(await seal(this.#medium.atomic, this.folder, point))) throw this.#fence();
    await this.#goOnAt({ segment: point.segment + 1, bytes: 0, length: point.length });
  }

  async #goOnAt(point: WritingPoint): Promise<void> {
    await this.#medium.openFiles.drop(this.#path());
    this.#point = point;
    this.#before = undefined;
    this.#tail = 'fresh';
  }

  #path(): string {
    return join(this.folder, segmentName(this.#point.segment));
  }

  #holds(): Promise<boolean> {
    return this.#medium.epochs.holds(this.folder, this.#epoch);
  }

  #fence(): SessionError {
    const error = sessionError(
      'FENCED',
      `session ${this.place.id}: not written, the writer's place was taken over`,
    );
    this.#lost.abort(error);
    return error;
  }
}
