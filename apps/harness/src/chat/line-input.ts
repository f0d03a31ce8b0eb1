/** Lines that a person types, with history; or lines of a pipe. */
import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { createInterface, type Interface } from 'node:readline/promises';
import { pastedBreak, pasteFilter, pasteMarks } from './paste.ts';
import { createScreen, type Screen, type TerminalStream } from './screen.ts';

export interface ChatInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
}

export interface LineInput {
  readonly line: Interface;
  readonly screen: Screen;
  /** A typed line as a message: a pasted end of line is one again. */
  readonly textOf: (line: string) => string;
  remember(line: string): Promise<void>;
  close(): void;
}

const mostRemembered = 500;

export function openLineInput(
  input: ChatInput,
  out: TerminalStream | undefined,
  historyFile: string,
  write: (text: string) => void,
): LineInput {
  if (out === undefined) {
    const line = createInterface({ input, terminal: false });
    const note = (text: string): void => {
      write(`${text}\n`);
    };
    const screen: Screen = { write, note, prompt: () => undefined, entered: () => undefined };
    return {
      line,
      screen,
      textOf: (text) => text,
      remember: async () => undefined,
      close: () => {
        line.close();
      },
    };
  }
  const filter = Object.assign(pasteFilter(), { setRawMode: (raw: boolean) => input.setRawMode?.(raw) });
  input.pipe(filter);
  const history = existsSync(historyFile)
    ? readFileSync(historyFile, 'utf8')
        .split('\n')
        .filter((one) => one !== '')
    : [];
  const newestFirst = history.slice(-mostRemembered).reverse();
  const line = createInterface({
    input: filter,
    output: out,
    terminal: true,
    history: newestFirst,
    removeHistoryDuplicates: true,
  });
  out.write(pasteMarks.on);
  return {
    line,
    screen: createScreen(out, line),
    textOf: (text) => text.replaceAll(pastedBreak, '\n'),
    remember: (text) => appendFile(historyFile, `${text}\n`, { mode: 0o600 }),
    close() {
      line.close();
      input.unpipe(filter);
      out.write(`${pasteMarks.off}\n`);
    },
  };
}
