/**
 * [pure] Makes text of others harmless to look at: what would be invisible, move other text about, or be no character
 * at all is told by its name instead.
 */

/** A run of text as it is, or the names of characters that are not shown as themselves. */
export type Segment = { readonly text: string } | { readonly mark: string };

// Controls but tab and newline; formats but the joiners, which scripts need; separators of lines and paragraphs; lone
// surrogates; fillers that look like spaces; and what is no character.
const hidden =
  /(?![\t\n])\p{Cc}|(?![\u200c\u200d])\p{Cf}|[\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u2800\u3164\uffa0\ufffe\uffff]/gu;

/** Runs of such characters are one mark, which is cut after this many. */
const longestRun = 16;

/** The pieces of a text in their order. Line ends of all systems become `\n`. */
export function segments(text: string): readonly Segment[] {
  const found: Segment[] = [];
  let at = 0;
  let run: { names: string[]; end: number } | undefined;
  const close = (): void => {
    if (run === undefined) return;
    const more = run.names.length - longestRun;
    const names = run.names.slice(0, longestRun).join(' ');
    found.push({ mark: more > 0 ? `${names} +${more}` : names });
    run = undefined;
  };
  const source = text.replaceAll('\r\n', '\n');
  for (const match of source.matchAll(hidden)) {
    const start = match.index;
    if (run?.end !== start) {
      close();
      if (start > at) found.push({ text: source.slice(at, start) });
    }
    run ??= { names: [], end: start };
    run.names.push(nameOf(match[0]));
    run.end = start + match[0].length;
    at = run.end;
  }
  close();
  if (at < source.length) found.push({ text: source.slice(at) });
  return found;
}

/** For attributes and titles, which hold text alone. */
export function plain(text: string): string {
  return segments(text)
    .map((segment) => ('text' in segment ? segment.text : `[${segment.mark}]`))
    .join('');
}

/** The same in one line, cut with an ellipsis. */
export function oneLine(text: string, most = 200): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim();
  const points = Array.from(line.slice(0, most * 2 + 2));
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : line;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return named.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const named = new Map([
  [0x00, 'NUL'],
  [0x07, 'BEL'],
  [0x08, 'BS'],
  [0x0d, 'CR'],
  [0x1b, 'ESC'],
  [0x7f, 'DEL'],
]);
