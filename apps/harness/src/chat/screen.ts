/**
 * Text above, the line that a person types below.
 * I1. What is written never stands in the line that is being typed: that line is taken away, and drawn again below.
 * I2. Of text without an end of line, what stands on its last row is kept, and written again with what follows: also
 *     below a note, and below a line that was entered meanwhile. So no word is torn apart.
 */
import { clearScreenDown, cursorTo, moveCursor, type Interface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

export interface Screen {
  readonly write: (text: string) => void;
  /** Lines of their own. In the middle of an answer they stand above its last row. */
  readonly note: (text: string) => void;
  /** Draws the line that is typed. */
  readonly prompt: () => void;
  /** The person has ended the line. */
  readonly entered: () => void;
}

export interface TerminalStream extends NodeJS.WritableStream {
  readonly columns?: number;
}

export function createScreen(out: TerminalStream, line: Interface): Screen {
  let last = '';
  let drawn = false;
  const take = (): number => {
    if (!drawn) return 0;
    const { rows } = line.getCursorPos();
    moveCursor(out, 0, -(rows + (last === '' ? 0 : 1)));
    cursorTo(out, 0);
    clearScreenDown(out);
    drawn = false;
    return rows;
  };
  const draw = (rows: number): void => {
    // The line goes up by as many rows as it knows itself to have had.
    out.write('\n'.repeat(rows));
    line.prompt(true);
    drawn = true;
  };
  const put = (text: string, next?: string): void => {
    const rows = take();
    const { whole, last: rest } = breakRows(text, (out.columns ?? 80) - 1);
    last = next ?? rest;
    out.write(whole);
    out.write(last === '' ? '' : `${last}\n`);
    draw(rows);
  };
  return {
    write(text) {
      put(`${last}${text}`);
    },
    note(text) {
      put(`${text}\n`, last);
    },
    prompt() {
      const rows = take();
      out.write(last === '' ? '' : `${last}\n`);
      draw(rows);
    },
    entered() {
      drawn = false;
    },
  };
}

/** Whole rows, and what stands on the last one: at most `width` wide, broken at a space where there is one. */
function breakRows(text: string, width: number): { readonly whole: string; readonly last: string } {
  const rows = text.split('\n').flatMap((line) => rowsOf(line, width));
  const last = rows.pop() ?? '';
  return { whole: rows.map((row) => `${row}\n`).join(''), last };
}

function rowsOf(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let rest = line;
  while (widthOf(rest) > width) {
    let cut = rest.length;
    while (widthOf(rest.slice(0, cut)) > width) cut -= 1;
    const space = rest.lastIndexOf(' ', cut);
    const end = space > cut / 2 ? space : cut;
    rows.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^ /, '');
  }
  return [...rows, rest];
}

/** Rather too wide than too narrow. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text))
    width += (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
  return width;
}
