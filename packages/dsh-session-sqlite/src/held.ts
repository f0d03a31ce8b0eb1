/**
 * One writer's place that this driver holds.
 * I1. `lost` aborts as soon as anything shows that the place is another's, and stays so.
 */
import { SessionError, sessionError, type WriterPlace } from '@deepseek-ai/dsh-session';
import { holderOf } from './life.ts';
import type { Statements } from './statements.ts';
import type { Ask, Taken } from './taking.ts';

export class Held {
  readonly place: WriterPlace;
  readonly creating: boolean;
  /** The header is durable. */
  stored: boolean;
  /** Something was written with this place. */
  written = false;
  /** No event below this seq is written over. */
  floor: number;
  readonly #lost = new AbortController();

  constructor({ id, intent }: Ask, token: string, taken: Taken) {
    this.creating = intent === 'create';
    this.stored = !this.creating;
    this.floor = taken.length;
    this.place = { id, token, lost: this.#lost.signal, ...taken };
  }

  /** The log of the place and where that starts. Throws `FENCED` where the place is another's (S21). */
  require(sql: Statements): { readonly log: number; readonly start: number } {
    const { id, token } = this.place;
    const row = sql.held.get(id, token);
    if (row !== undefined) return row;
    const now = sql.holder.get(id);
    throw sessionError('FENCED', `session ${id}: not written, the writer's place was taken over`, {
      ...(now === undefined ? {} : { holder: holderOf(now) }),
    });
  }

  /** Aborts `lost` where the place is another's. */
  check(sql: Statements): void {
    try {
      this.require(sql);
    } catch (error) {
      this.hear(error);
    }
  }

  /** What a transaction threw. Aborts `lost` where that was `FENCED`. */
  hear(error: unknown): void {
    if (SessionError.is(error) && error.code === 'FENCED') this.#lost.abort(error);
  }
}
