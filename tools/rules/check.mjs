/**
 * Compares the rules file, the tests and the generated pages of one checkout.
 * Owns: what counts as a mistake.  Does not own: where output goes (check-rules.mjs).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectedIds } from './families.mjs';
import { render } from './render.mjs';
import { scan } from './scan.mjs';

/** @returns {{ problems: string[], total: number, pinned: number }} */
export function check(root, { write = false } = {}) {
  const folder = join(root, 'docs/rules');
  const rules = JSON.parse(readFileSync(join(folder, 'rules.json'), 'utf8'));
  const inFile = problemsOfRules(rules);
  if (inFile.length > 0) return { problems: inFile, total: rules.length, pinned: 0 };
  const { pins, malformed } = scan(root);
  const known = pins.filter((pin) => expectedIds().includes(pin.rule));
  const texts = render(rules, known);
  if (write) for (const [file, text] of texts) writeFileSync(join(folder, file), text);
  return {
    problems: [...problemsOfPins(pins, malformed), ...stalePages(folder, texts)],
    total: rules.length,
    pinned: new Set(known.map((pin) => pin.rule)).size,
  };
}

/** Each number once, none missing, in order, each with one sentence. */
export function problemsOfRules(rules) {
  const ids = rules.map(({ id }) => id);
  const expected = expectedIds();
  const problems = [
    ...expected.filter((id) => !ids.includes(id)).map((id) => `rules.json has no rule ${id}`),
    ...ids.filter((id) => !expected.includes(id)).map((id) => `rules.json has an unknown rule ${id}`),
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `rules.json has rule ${id} twice`),
    ...rules.filter(({ rule }) => !isOneSentence(rule)).map(({ id }) => `rule ${id} is not one sentence`),
  ];
  if (problems.length > 0) return problems;
  const misplaced = expected.find((id, i) => ids[i] !== id);
  return misplaced === undefined ? [] : [`rules.json has rule ${misplaced} out of order`];
}

function isOneSentence(text) {
  return typeof text === 'string' && text.endsWith('.') && !/[.!?] +\P{Ll}/u.test(text);
}

function problemsOfPins(pins, malformed) {
  const expected = expectedIds();
  return [
    ...pins
      .filter((pin) => !expected.includes(pin.rule))
      .map((pin) => `${pin.path}: there is no rule ${pin.rule} (${pin.name})`),
    ...malformed.map(({ path, text }) => `${path}: ${text} should be numbers parted by single blanks`),
  ];
}

function stalePages(folder, texts) {
  return [...texts]
    .filter(
      ([file, text]) => !existsSync(join(folder, file)) || readFileSync(join(folder, file), 'utf8') !== text,
    )
    .map(([file]) => `docs/rules/${file} is stale: run node tools/check-rules.mjs --write`);
}
