/** Tests that sleep: what a test waits for must come by itself, or by a clock that the test moves. */
import { lineCount } from './repository.mjs';

/** Real processes and real kills take real time. */
const mayWait = /(?:\.heavy|\/processes)\.test\.[cm]?[jt]s$/;

/** It says what is looked for. */
const exempt = 'tools/test/sleeps.test.mjs';

/** A wait by the clock of the machine, in each of the spellings. */
const sleeps = [
  /\bawait\s+new\s+Promise\b[^;]*?\bsetTimeout\s*\(/g,
  /\bfrom\s+['"](?:node:)?timers\/promises['"]/g,
  /\bAtomics\.wait\s*\(/g,
];

// pins [Q3] no test sleeps, but those of real processes and kills
export function checkSleeps(files) {
  const problems = [];
  for (const [path, text] of files) {
    if (!/\.test\.[cm]?[jt]sx?$/.test(path) || mayWait.test(path) || path === exempt) continue;
    for (const found of sleeps.flatMap((pattern) => [...text.matchAll(pattern)])) {
      const line = lineCount(text.slice(0, found.index + found[0].length));
      problems.push(`${path}:${line}: a test does not sleep; wait for what happens, or move a clock`);
    }
  }
  return problems;
}
