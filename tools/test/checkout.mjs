/** A small checkout in a temporary folder, for the tests of the tools. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { expectedIds } from '../rules/families.mjs';

/** Numbers in brackets, spelled so that this file and its users do not pin them. */
export const tag = (...ids) => ['[', ids.join(' '), ']'].join('');

export const allRules = () => expectedIds().map((id) => ({ id, rule: `Rule ${id} holds.` }));

export function checkout(files = {}, rules = allRules()) {
  const root = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('docs/rules/rules.json', JSON.stringify(rules));
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, write, read: (path) => readFileSync(join(root, path), 'utf8') };
}
