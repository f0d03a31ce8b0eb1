/** Sizes, names and words of single files. */
import { isSource, lineCount } from './repository.mjs';

const limits = [
  { is: (path) => /\/src\/index\.ts$/.test(path), lines: 40, what: 'an index.ts is a contents page' },
  { is: (path) => /\.(?:tsx?|mjs|js|css)$/.test(path), lines: 300, what: 'split it' },
  { is: (path) => /^packages\/[^/]+\/README\.md$/.test(path), lines: 120, what: 'shorten it' },
  { is: (path) => /^examples\/\d.*\.ts$/.test(path), lines: 60, what: 'examples are small' },
];

export function checkSizes(files) {
  const problems = [];
  for (const [path, text] of files) {
    for (const limit of limits) {
      const lines = lineCount(text);
      if (limit.is(path) && lines > limit.lines) {
        problems.push(`${path}: ${lines} lines, at most ${limit.lines}: ${limit.what}`);
      }
    }
  }
  return problems;
}

const vague = /^(?:utils?|helpers?|common|misc|shared-utils|manager2)$/;

export function checkNames(files) {
  const problems = [];
  for (const path of files.keys()) {
    const parts = path.split('/').map((part) => part.replace(/(?:\.\w+)+$/, ''));
    const bad = parts.find((part) => vague.test(part));
    if (bad !== undefined) problems.push(`${path}: "${bad}" says nothing; name the concern`);
    if (isSource(path) && !/^(?:[a-z0-9]+[a-z0-9-]*)(?:\.[a-z0-9-]+)*$/.test(path.split('/').at(-1))) {
      problems.push(`${path}: file names are kebab-case`);
    }
  }
  return problems;
}

/** Written in pieces, so that this file does not find itself. */
const words = [
  { pattern: new RegExp(`\\.\\./sha${''}red(?:/|\\b)`), what: 'a path outside the repository' },
  { pattern: /(?:^|[\s"'`(=:])\/(?:work|farm|root|home)\//m, what: 'a path of one machine' },
  {
    pattern:
      /\bregistry\.[a-z0-9-]+\.(?:org|com|io|dev|net|cn)\b|\/\/[^\s/]*(?:artifactory|verdaccio|npmmirror)/i,
    what: 'a registry host',
  },
  // pins [Q9] no comment excludes code
  { pattern: /\b(?:v8|c8|istanbul) ignore\b|\bnode:coverage\b/, what: 'code that coverage does not count' },
];

const exempt = new Set(['tools/layout/files.mjs', 'tools/test/layout.test.mjs']);

export function checkWords(files) {
  const problems = [];
  for (const [path, text] of files) {
    if (exempt.has(path)) continue;
    for (const { pattern, what } of words) {
      const found = pattern.exec(text);
      if (found !== null) {
        const line = lineCount(text.slice(0, found.index + found[0].length));
        problems.push(`${path}:${line}: ${what} (${found[0].trim()})`);
      }
    }
  }
  return problems;
}
