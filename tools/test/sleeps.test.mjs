import { expect, it } from 'vitest';
import { checkSleeps } from '../layout/sleeps.mjs';

const found = (path, text) => checkSleeps(new Map([[path, text]]));
const plain = 'packages/a/test/a.test.ts';

it.each([
  'await new Promise((resolve) => setTimeout(resolve, 5));',
  'await new Promise((resolve) => {\n  setTimeout(resolve, 5);\n});',
  "import { setTimeout as delay } from 'node:timers/promises';",
  'Atomics.wait(cells, 0, 0, 10);',
])('a test that sleeps is refused: %s [Q3]', (text) => {
  expect(found(plain, `// one line\n${text}`)).toEqual([
    expect.stringMatching(/^packages\/a\/test\/a\.test\.ts:[23]: a test does not sleep; /),
  ]);
  for (const path of ['a.heavy.test.ts', 'processes.test.ts', 'support/stage.ts'])
    expect(found(`packages/a/test/${path}`, text)).toEqual([]);
});

it('a timer that is not waited for is no sleep [Q3]', () => {
  expect(found(plain, "clock.setTimeout(f, 1);\nvi.spyOn(globalThis, 'setTimeout');")).toEqual([]);
});
