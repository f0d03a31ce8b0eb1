#!/usr/bin/env node
/**
 * Checks that every numbered rule has its sentence, and its tests or the word `open`, in `docs/rules/`.
 *
 *   node tools/check-rules.mjs            fails when something is wrong or stale
 *   node tools/check-rules.mjs --write    writes the pages anew, then checks
 *   --root DIR                            looks at another checkout
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { check } from './rules/check.mjs';

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, root: { type: 'string' } },
});
const root = values.root ?? join(import.meta.dirname, '..');
const { problems, total, pinned } = check(root, { write: values.write });

for (const problem of problems) console.error(`rules: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`rules: ${total} rules, ${pinned} pinned, ${total - pinned} open`);
