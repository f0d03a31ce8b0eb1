/**
 * Many pasted lines become one message: between the marks that a terminal puts around a paste, an end of line is
 * shown as `␊` and does not send.
 * I1. A mark may arrive in pieces; what may be its beginning waits for the next piece.
 */
import { Transform } from 'node:stream';

const begin = '\u001b[200~';
const end = '\u001b[201~';
export const pastedBreak = '␊';

/** What makes a terminal put those marks, and what makes it stop. */
export const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' };

export function pasteFilter(): Transform {
  let pasting = false;
  let kept = '';
  return new Transform({
    decodeStrings: false,
    encoding: 'utf8',
    transform(chunk: Buffer | string, _encoding, done) {
      let rest = kept + chunk.toString();
      let out = '';
      for (;;) {
        const mark = pasting ? end : begin;
        const at = rest.indexOf(mark);
        const taken = at < 0 ? rest.length - unfinished(rest, mark, pasting) : at;
        const part = rest.slice(0, taken);
        out += pasting ? part.replace(/\r\n?|\n/g, pastedBreak) : part;
        rest = rest.slice(taken);
        if (at < 0) break;
        rest = rest.slice(mark.length);
        pasting = !pasting;
      }
      kept = rest;
      done(null, out);
    },
    flush(done) {
      done(null, kept);
    },
  });
}

/** How much of the end of `text` may be the beginning of `mark`. A lone Escape is a key, outside a paste. */
function unfinished(text: string, mark: string, pasting: boolean): number {
  for (let length = mark.length - 1; length > (pasting ? 0 : 1); length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
