/**
 * Whole lines, and one answer that is shown while it comes.
 * I1. While an answer comes, the lines of others wait until it has ended, so that it stays in one piece.
 * I2. An answer begins with what can be seen: one of spaces, or of nothing, takes no line.
 * I3. Where too many wait, the answer is broken off, and printed whole when it has ended.
 */
export interface LinePrinter {
  /** `ends`: the answer of that one is over, with all of it that there will be; `all`: every answer is. */
  line(text: string, ends?: string | { readonly all: true }): void;
  /** Shows a piece of the answer of `key`, where no other answer is under way. */
  piece(key: string, prefix: string, text: string): void;
  /** Ends the answer of `key`. `false`: it was not shown whole, and has to be printed. */
  finish(key: string): boolean;
}

const mostWaiting = 12;

export function createLinePrinter(write: (text: string) => void): LinePrinter {
  let open: string | undefined;
  let waiting: string[] = [];
  /** Answers of which something is not shown. */
  const broken = new Set<string>();
  const close = (): void => {
    if (open !== undefined) write('\n');
    open = undefined;
    for (const text of waiting) write(`${text}\n`);
    waiting = [];
  };
  return {
    line(text, ends) {
      if (open === undefined) {
        write(`${text}\n`);
        return;
      }
      if (ends === undefined ? waiting.length < mostWaiting : ends !== open && typeof ends === 'string') {
        waiting.push(text);
        return;
      }
      // A new attempt begins anew; else the rest of the answer is still to come.
      if (ends === undefined) broken.add(open);
      close();
      write(`${text}\n`);
    },
    piece(key, prefix, text) {
      if (broken.has(key)) return;
      if (open === undefined) {
        const shown = text.trimStart();
        if (shown === '') return;
        open = key;
        write(prefix);
        write(shown);
      } else if (open === key) write(text);
      else broken.add(key);
    },
    finish(key) {
      const shown = open === key;
      if (shown) close();
      broken.delete(key);
      return shown;
    },
  };
}
