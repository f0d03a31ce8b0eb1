/** Colours, on a terminal only that can show them. */
import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'blue';
export type Paint = (style: Style, text: string) => string;

export function paintFor(
  stream: { readonly isTTY?: boolean },
  environment: (name: string) => string | undefined,
): Paint {
  const plain = stream.isTTY !== true || isDumb(environment) || (environment('NO_COLOR') ?? '') !== '';
  return plain ? (_style, text) => text : (style, text) => styleText(style, text, { validateStream: false });
}

/** A terminal that obeys no control sequences: it shows them. */
export function isDumb(environment: (name: string) => string | undefined): boolean {
  return environment('TERM') === 'dumb';
}
