/** [pure] Text of models and files on its way to a terminal: control characters are shown, and not obeyed. */

/** Both blocks of control characters but the line feed and the tab, and what turns the direction of writing. */
// eslint-disable-next-line no-control-regex -- these are what a terminal may not get
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const loneSurrogates = /\p{Surrogate}/gu;

export function terminalSafe(text: string): string {
  return text.replace(loneSurrogates, '\ufffd').replace(controls, shown);
}

/** The same in one line. */
export function terminalLine(text: string): string {
  return terminalSafe(text).replaceAll('\n', '⏎').replaceAll('\t', ' ');
}

function shown(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
