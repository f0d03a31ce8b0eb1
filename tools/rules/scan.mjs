/**
 * Finds which test pins which rule, by the numbers in square brackets that a test's name carries.
 * Owns: which files count and what a pin looks like.  Does not own: which numbers exist (check.mjs).
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringLiterals } from './literals.mjs';

const skippedFolders = new Set(['node_modules', 'dist', 'coverage', 'temp', 'docs']);
const group = /\[[SAMTHQO]\d+(?: [SAMTHQO]\d+)*\]/g;
const nearlyGroup = /\[[SAMTHQO]\d+\b[^\]]*\]/g;

/**
 * @returns {{ pins: Pin[], malformed: { path: string, text: string }[] }}
 * @typedef {{ rule: string, path: string, name: string }} Pin
 */
export function scan(root) {
  const pins = [];
  const malformed = [];
  for (const path of files(root)) {
    for (const name of namesIn(path, readFileSync(join(root, path), 'utf8'))) {
      pins.push(...pinsOf(name, path));
      for (const text of badGroups(name)) malformed.push({ path, text });
    }
  }
  return { pins: unique(pins), malformed };
}

/** Every file that can pin a rule, as a path with `/` below the root, in a stable order. */
function files(root, below = '') {
  const entries = readdirSync(join(root, below), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return mayEnter(entry.name) ? files(root, path) : [];
      return entry.isFile() && (isTest(path) || isScript(path)) ? [path] : [];
    });
}

function mayEnter(name) {
  return name === '.ci' || !(name.startsWith('.') || skippedFolders.has(name));
}

/** Test files, what stands beside them (invariants of a model test), and the conformance suites. */
function isTest(path) {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return false;
  return (
    /\.test(-d)?\.[cm]?[jt]sx?$/.test(path) ||
    /(^|\/)(tests?|e2e)\//.test(path) ||
    path.includes('conformance')
  );
}

/** Checks that are not tests of the runner: they pin by comment. */
function isScript(path) {
  return /^(\.ci|scripts|tools|bench)\//.test(path) || /^[^/]+\.config\.[cm]?[jt]s$/.test(path);
}

function namesIn(path, source) {
  const comments = [...source.matchAll(/^[ \t]*(?:\/\/|#) pins (\[.*)$/gm)].map(([, text]) => text);
  return isTest(path) ? [...comments, ...titles(source)] : comments;
}

/** A title is any string that says something beside the number. A skipped test pins nothing. */
function titles(source) {
  return stringLiterals(source)
    .filter(({ before }) => !/\.(skip|todo)\s*\(\s*$/.test(before))
    .map(({ text }) => text)
    .filter((text) => /\p{L}/u.test(text.replace(nearlyGroup, '')));
}

function pinsOf(name, path) {
  const plain = name.replace(group, ' ').replace(/\s+/g, ' ').trim();
  const rules = (name.match(group) ?? []).flatMap((found) => found.slice(1, -1).split(' '));
  return rules.map((rule) => ({ rule, path, name: plain }));
}

function badGroups(name) {
  return (name.match(nearlyGroup) ?? []).filter((found) => found.replace(group, '') !== '');
}

function unique(pins) {
  const seen = new Map(pins.map((pin) => [JSON.stringify([pin.rule, pin.path, pin.name]), pin]));
  return [...seen.values()];
}
