/**
 * [pure] Turns lines into records and keeps count of the seq.
 * I1. A damaged line hides no other line: counting goes on at the next whole one (S16).
 * I2. Events come out in rising order of seq. What would break that is damaged.
 */
import type { StoredRecord } from '@deepseek-ai/dsh-session';
import { decodeLine } from './lines.ts';

export interface Sequence {
  /** The seq that the next line should have. */
  readonly next: number;
  /** The records that this line stands for. It comes without its line break. */
  take(line: Buffer): readonly StoredRecord[];
  /** Nothing more comes, though events up to but not including `to` should have. */
  end(to: number, bytes: number): readonly StoredRecord[];
}

export function createSequence(from: number): Sequence {
  let next = from;
  let least = from;
  let afterDamage = false;

  const missing = (to: number, bytes: number): readonly StoredRecord[] => {
    if (to <= next || afterDamage) return [];
    return [{ kind: 'damaged', seq: next, reason: `events ${next} to ${to - 1} are missing`, bytes }];
  };
  const damaged = (reason: string, text: Buffer): StoredRecord => {
    const record = {
      kind: 'damaged',
      seq: next,
      reason,
      bytes: text.length + 1,
      raw: text.toString('utf8'),
    } as const;
    next += 1;
    afterDamage = true;
    return record;
  };
  const goOnAt = (seq: number): void => {
    next = seq;
    least = seq;
    afterDamage = false;
  };

  return {
    get next() {
      return next;
    },
    take(text) {
      const line = decodeLine(text);
      if (line.kind === 'damaged') return [damaged(line.reason, text)];
      if (line.seq < least) return [damaged(`seq ${line.seq} stands in the wrong place`, text)];
      const before = missing(line.seq, 0);
      goOnAt(line.seq + 1);
      return [...before, line];
    },
    end(to, bytes) {
      const rest = missing(to, bytes);
      if (to > next) goOnAt(to);
      return rest;
    },
  };
}
