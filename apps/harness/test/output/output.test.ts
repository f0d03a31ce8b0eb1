import { describe, expect, it } from 'vitest';
import { paintFor } from '../../src/output/colours.ts';
import { createLinePrinter } from '../../src/output/line-printer.ts';
import { terminalLine, terminalSafe } from '../../src/output/terminal-safe.ts';
import { treePicture } from '../../src/output/tree-picture.ts';

describe('text for a terminal', () => {
  const cases: readonly [given: string, shown: string][] = [
    ['\u001b[31mred\u0007', '␛[31mred␇'],
    ['a\rb\u0000', 'a␍b␀'],
    ['\u009b31m', '<U+009B>31m'],
    ['\u007f', '␡'],
    ['a\u202eb\u2066', 'a<U+202E>b<U+2066>'],
    ['line\n\tnext', 'line\n\tnext'],
    ['pear 🍐', 'pear 🍐'],
    ['half \ud83c', 'half \ufffd'],
  ];
  it.each(cases)('shows control characters, and lets none be obeyed: %j [H7]', (given, shown) => {
    expect(terminalSafe(given)).toBe(shown);
  });

  it('is one line where one line is wanted [H7]', () => {
    expect(terminalLine('a\nb\tc')).toBe('a⏎b c');
  });

  it('has colours on a terminal only, and not against the will of its owner [H10]', () => {
    const none = () => undefined;
    expect(paintFor({ isTTY: true }, none)('red', 'x')).toBe('\u001b[31mx\u001b[39m');
    expect(paintFor({}, none)('red', 'x')).toBe('x');
    const dumb = (name: string) => (name === 'TERM' ? 'dumb' : undefined);
    expect(paintFor({ isTTY: true }, dumb)('red', 'x')).toBe('x');
    expect(paintFor({ isTTY: true }, () => '1')('red', 'x')).toBe('x');
  });
});

describe('an answer that is shown while it comes', () => {
  function printing() {
    let text = '';
    const printer = createLinePrinter((more) => (text += more));
    return { printer, shown: () => text };
  }

  it('stays in one piece: the lines of others wait [H10]', () => {
    const { printer, shown } = printing();
    printer.piece('root', 'root ', 'Hel');
    printer.line('pears is at work');
    printer.piece('plums', 'plums ', 'not now');
    printer.piece('root', 'root ', 'lo.');
    expect(printer.finish('root')).toBe(true);
    expect(printer.finish('plums')).toBe(false);
    expect(shown()).toBe('root Hello.\npears is at work\n');
  });

  it('begins with what can be seen: nothing and spaces take no line [H10]', () => {
    const { printer, shown } = printing();
    for (const text of ['', '\n\n', '  Hel', '\nlo.']) printer.piece('root', 'root ', text);
    expect(printer.finish('root')).toBe(true);
    printer.piece('root', 'root ', ' \n');
    expect(printer.finish('root')).toBe(false);
    expect(shown()).toBe('root Hel\nlo.\n');
  });

  it('begins anew after a failed attempt [H10]', () => {
    const { printer, shown } = printing();
    printer.piece('root', 'root ', 'Hel');
    printer.line('root asks again', 'root');
    printer.piece('root', 'root ', 'Hello.');
    expect(printer.finish('root')).toBe(true);
    expect(shown()).toBe('root Hel\nroot asks again\nroot Hello.\n');
  });

  it('is broken off where too much waits, and printed whole at its end [H10]', () => {
    const { printer, shown } = printing();
    printer.piece('root', 'root ', 'Hel');
    for (let line = 0; line < 13; line += 1) printer.line(`line ${line}`);
    expect(shown()).toContain('line 12');
    printer.piece('root', 'root ', 'lo.');
    expect(printer.finish('root')).toBe(false);
    expect(shown()).not.toContain('lo.');
  });
});

it('draws a tree with a stem where something goes on below [H7]', () => {
  const node = (depth: number, label: string) => ({ id: `${label}-id`, depth, label, state: 'running' });
  const nodes = [node(0, 'root'), node(1, 'a'), node(2, 'b'), node(2, 'c'), node(1, 'd'), node(2, 'e')];
  const lines = treePicture(nodes, (_style, text) => text).map((line) => line.split('  running')[0]);
  expect(lines).toEqual(['root', '├─ a', '│  ├─ b', '│  └─ c', '└─ d', '   └─ e']);
});
