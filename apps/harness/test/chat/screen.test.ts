import { Writable } from 'node:stream';
import type { Interface } from 'node:readline/promises';
import { describe, expect, it } from 'vitest';
import { createScreen } from '../../src/chat/screen.ts';

const sequence = new RegExp(`${String.fromCharCode(27)}\\[(\\d*)([A-Z])|[^]`, 'g');

/** What a terminal shows: of its control sequences, those that a screen uses. */
function terminal(columns: number) {
  const rows: string[] = [''];
  let row = 0;
  let column = 0;
  const put = (character: string): void => {
    if (column === columns) newLine();
    const line = (rows[row] ?? '').padEnd(column);
    rows[row] = line.slice(0, column) + character + line.slice(column + 1);
    column += 1;
  };
  const newLine = (): void => {
    row += 1;
    column = 0;
    rows[row] ??= '';
  };
  const control = (letter: string, count: number): void => {
    if (letter === 'A') row -= count;
    else if (letter === 'G') column = count - 1;
    else if (letter === 'J') {
      rows.length = row + 1;
      rows[row] = (rows[row] ?? '').slice(0, column);
    } else throw new Error(`what is ${letter}?`);
  };
  const out = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        for (const [all, count = '', letter] of String(chunk).matchAll(sequence)) {
          if (letter !== undefined) control(letter, Number(count === '' ? 1 : count));
          else if (all === '\n') newLine();
          else put(all);
        }
        done();
      },
    }),
    { columns },
  );
  return { out, newLine, shown: () => rows };
}

/** A screen of that width over a line with a prompt, into which `typed` was typed. */
function typing(columns: number) {
  const { out, newLine, shown } = terminal(columns);
  const typed = { text: '' };
  const whole = (): string => `> ${typed.text}`;
  const line = {
    getCursorPos: () => ({ rows: Math.floor(whole().length / columns), cols: whole().length % columns }),
    prompt: () => {
      // The line goes up by the rows that it had.
      const rows = Math.floor(whole().length / columns);
      out.write(`${rows === 0 ? '' : `\u001b[${rows}A`}\u001b[1G\u001b[0J${whole()}`);
    },
  } as unknown as Interface;
  const screen = createScreen(out, line);
  return {
    screen,
    shown,
    type: (text: string): void => {
      typed.text += text;
      out.write(text);
    },
    enter: (): void => {
      newLine();
      typed.text = '';
      screen.entered();
    },
  };
}

describe('text that comes while a person types', () => {
  it('stands above the line that is typed, which stays as it is [H6]', () => {
    const { screen, shown, type } = typing(30);
    screen.prompt();
    type('half a li');
    screen.write('root Hel');
    screen.write('lo.\n');
    expect(shown()).toEqual(['root Hello.', '> half a li']);
  });

  it('stands above a line of several rows too [H6]', () => {
    const { screen, shown, type } = typing(12);
    screen.prompt();
    type('one two three four');
    screen.write('Hello.\n');
    expect(shown()).toEqual(['Hello.', '> one two th', 'ree four']);
  });

  it('is torn apart in no word by a note: that stands above its last row [H6]', () => {
    const { screen, shown } = typing(30);
    screen.prompt();
    screen.write('root So many pears grow here. So many pe');
    screen.note('(Ctrl-C again ends the chat)');
    screen.write('ars.\n');
    expect(shown()).toEqual([
      'root So many pears grow here.',
      '(Ctrl-C again ends the chat)',
      'So many pears.',
      '> ',
    ]);
  });

  it('leaves no empty row where an answer ends after a note [H6]', () => {
    const { screen, shown } = typing(30);
    screen.prompt();
    screen.write('root Pears');
    screen.note('(interrupted)');
    screen.write('\n');
    screen.write('root turn ended\n');
    expect(shown()).toEqual(['(interrupted)', 'root Pears', 'root turn ended', '> ']);
  });

  it('is torn apart in no word by a line that is entered: its last row is written again below [H6]', () => {
    const { screen, shown, type, enter } = typing(30);
    screen.prompt();
    screen.write('root So many pe');
    type('hello');
    enter();
    screen.write('ars.\n');
    expect(shown()).toEqual(['root So many pe', '> hello', 'root So many pears.', '> ']);
  });
});
