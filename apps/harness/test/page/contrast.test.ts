import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../../page/src/style/tokens.css'), 'utf8');
const found = css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g);
const colours = new Map([...found].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]));

/** As WCAG 2 measures it. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const grounds = ['ground', 'surface', 'sunken'];
const tints = ['accent', 'human', 'agent', 'task', 'notice', 'tool', 'good', 'bad', 'warn'];
const onTints = tints.flatMap((name) =>
  ['ink', 'ink-soft', 'accent', name].map((text) => [text, `${name}-ground`] as const),
);
const onGrounds = grounds.flatMap((ground) =>
  ['ink', 'ink-soft', ...tints].map((text) => [text, ground] as const),
);
const outcomes = ['good', 'bad', 'warn'].flatMap((text) =>
  ['tool-ground', 'notice-ground', 'accent-ground'].map((ground) => [text, ground] as const),
);
const states = ['task', 'good', 'bad', 'warn'].map((text) => [text, 'accent-ground'] as const);

describe('the colours', () => {
  it.each([...onGrounds, ...onTints, ...outcomes, ...states, ['on-accent', 'accent'] as const])(
    'of %s on %s can be read, light and dark [H12]',
    (text, ground) => {
      for (const scheme of ['light', 'dark'] as const) {
        const [over, under] = [colours.get(text)?.[scheme], colours.get(ground)?.[scheme]];
        expect(contrast(over ?? '#000000', under ?? '#000000'), scheme).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it.each(grounds)('of the frame of a field can be seen on %s [H12]', (ground) => {
    for (const scheme of ['light', 'dark'] as const) {
      const [line, under] = [colours.get('line-strong')?.[scheme], colours.get(ground)?.[scheme]];
      expect(contrast(line ?? '', under ?? '')).toBeGreaterThanOrEqual(3);
    }
  });
});
