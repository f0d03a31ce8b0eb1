/**
 * Finds the string literals of a JavaScript or TypeScript file, without a parser.
 * Owns: telling strings from comments, regular expressions and code.  Does not own: what a string means.
 * I1. A quoted string and a regular expression end at the end of their line at the latest, so that a wrong
 *     guess spoils one line and never the rest of the file.
 */

/** @returns {{ text: string, before: string }[]} each literal with the code that stands just before it */
export function stringLiterals(source) {
  const found = [];
  readCode(source, 0, found, false);
  return found;
}

/** Reads code up to the end, or up to the brace that closes a template's substitution. */
function readCode(source, start, found, inTemplate) {
  let depth = 0;
  let at = start;
  while (at < source.length) {
    const char = source[at];
    if (inTemplate && char === '}' && depth === 0) return at + 1;
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    at = skipComment(source, at) ?? readString(source, at, found) ?? skipRegExp(source, at) ?? at + 1;
  }
  return at;
}

function skipComment(source, at) {
  if (source.startsWith('//', at)) return endOr(source.indexOf('\n', at), source);
  if (source.startsWith('/*', at)) return endOr(source.indexOf('*/', at + 2), source, 2);
  return undefined;
}

function endOr(index, source, length = 0) {
  return index === -1 ? source.length : index + length;
}

function readString(source, at, found) {
  const quote = source[at];
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
  const before = source.slice(Math.max(0, at - 80), at);
  const literal = quote === '`' ? readTemplate(source, at, found) : readQuoted(source, at, quote);
  found.push({ text: literal.text, before });
  return literal.end;
}

function readQuoted(source, at, quote) {
  let text = '';
  let end = at + 1;
  while (end < source.length && source[end] !== quote && source[end] !== '\n') {
    if (source[end] === '\\') end += 1;
    text += source[end] ?? '';
    end += 1;
  }
  return { text, end: end + 1 };
}

function readTemplate(source, at, found) {
  let text = '';
  let end = at + 1;
  while (end < source.length && source[end] !== '`') {
    if (source.startsWith('${', end)) {
      end = readCode(source, end + 2, found, true);
      text += '…';
      continue;
    }
    if (source[end] === '\\') end += 1;
    text += source[end] ?? '';
    end += 1;
  }
  return { text, end: end + 1 };
}

function skipRegExp(source, at) {
  if (source[at] !== '/' || !mayStartRegExp(source, at)) return undefined;
  let inClass = false;
  for (let end = at + 1; end < source.length && source[end] !== '\n'; end += 1) {
    if (source[end] === '\\') end += 1;
    else if (source[end] === '[') inClass = true;
    else if (source[end] === ']') inClass = false;
    else if (source[end] === '/' && !inClass) return end + 1;
  }
  return undefined;
}

/** A slash begins a regular expression where a value is expected. */
function mayStartRegExp(source, at) {
  const before = source.slice(Math.max(0, at - 40), at).trimEnd();
  return (
    before === '' || /[(,=:[!&|?{};+*%>~^-]$/.test(before) || /\b(return|typeof|case|of|in)$/.test(before)
  );
}
