/**
 * The answers that are being written at this moment.
 * Owns: their text so far, and the pieces that were not told yet.
 * I1. An answer is kept up to a bound; what comes beyond is not shown before it is in the log.
 * I2. A new attempt, a new step and the end of an answer make what was there before void.
 */
import type { AgentEventMap } from '@deepseek-ai/dsh-agent';
import type { PartialAnswer, StreamPiece } from './protocol.ts';

const longestPart = 1_048_576;

export interface PartialAnswers {
  heard(
    event: Pick<AgentEventMap['agent/stream'], 'turn' | 'step' | 'event'> & { readonly id: string },
  ): void;
  /** The model is asked again for the same step. */
  again(id: string): void;
  /** It is in the log, or nowhere. */
  ended(id: string): void;
  get(id: string): PartialAnswer | undefined;
  /** What has come since the last call, neighbours joined. */
  takePieces(): readonly StreamPiece[];
}

type Writing = { -readonly [K in keyof PartialAnswer]: PartialAnswer[K] };

export function createPartialAnswers(): PartialAnswers {
  const writing = new Map<string, Writing>();
  let pieces: StreamPiece[] = [];
  const of = (id: string, turn: number, step: number): Writing => {
    const known = writing.get(id);
    if (known?.turn === turn && known.step === step) return known;
    const made = { turn, step, attempt: 1, text: '', reasoning: '' };
    writing.set(id, made);
    return made;
  };
  return {
    heard({ id, turn, step, event }) {
      if (event.type !== 'text' && event.type !== 'reasoning') return;
      const one = of(id, turn, step);
      const part = event.type;
      const at = one[part].length;
      const text = event.delta.slice(0, longestPart - at);
      if (text === '') return;
      one[part] += text;
      const last = pieces.at(-1);
      const follows =
        last?.session === id && last.part === part && last.attempt === one.attempt && last.step === step;
      if (last !== undefined && follows && last.at + last.text.length === at)
        pieces[pieces.length - 1] = { ...last, text: last.text + text };
      else pieces.push({ session: id, turn, step, attempt: one.attempt, part, at, text });
    },
    again(id) {
      const one = writing.get(id);
      if (one !== undefined) writing.set(id, { ...one, attempt: one.attempt + 1, text: '', reasoning: '' });
    },
    ended: (id) => {
      writing.delete(id);
    },
    get(id) {
      const one = writing.get(id);
      return one === undefined ? undefined : { ...one };
    },
    takePieces() {
      const taken = pieces;
      pieces = [];
      return taken;
    },
  };
}
