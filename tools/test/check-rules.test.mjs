import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, problemsOfRules } from '../rules/check.mjs';
import { expectedIds } from '../rules/families.mjs';
import { allRules, checkout, tag } from './checkout.mjs';

const script = join(import.meta.dirname, '../check-rules.mjs');
const run = (root, ...args) =>
  spawnSync(process.execPath, [script, '--root', root, ...args], { encoding: 'utf8' });

describe('the rules file', () => {
  it('has each number exactly once and in order, with one sentence [Q15]', () => {
    expect(expectedIds()).toHaveLength(192);
    expect(problemsOfRules(allRules())).toEqual([]);
  });

  const [first, second, ...rest] = allRules();
  it.each([
    ['a missing number', [first, ...rest], 'rules.json has no rule S2'],
    ['a missing last number', [first, second, ...rest.slice(0, -1)], 'rules.json has no rule O40'],
    ['a number twice', [first, first, second, ...rest], 'rules.json has rule S1 twice'],
    [
      'an unknown number',
      [first, second, ...rest, { id: 'S31', rule: 'It holds.' }],
      'rules.json has an unknown rule S31',
    ],
    ['numbers out of order', [second, first, ...rest], 'rules.json has rule S1 out of order'],
    [
      'two sentences',
      [{ ...first, rule: 'It holds. So does this.' }, second, ...rest],
      'rule S1 is not one sentence',
    ],
    ['no sentence', [{ id: 'S1' }, second, ...rest], 'rule S1 is not one sentence'],
  ])('is refused with %s [Q15]', (_, rules, problem) => {
    expect(check(checkout({}, rules).root, { write: true }).problems).toEqual([problem]);
  });
});

describe('the pages', () => {
  const source = `it('keeps it ${tag('S1')}', run); it('sees \\\`x\\\` ${tag('S1', 'H3')}', run)`;

  it('show each rule with its tests or as open [Q15]', () => {
    const { root, read } = checkout({ 'packages/pear/test/a.test.ts': source });
    expect(check(root, { write: true })).toEqual({ problems: [], total: 192, pinned: 2 });
    const link = '- [packages/pear/test/a.test.ts](../../packages/pear/test/a.test.ts)';
    expect(read('docs/rules/session.md')).toContain(
      `## S1\n\nRule S1 holds.\n\n${link}\n  - \`keeps it\`\n  - \`\` sees \`x\` \`\`\n\n## S2\n\nRule S2 holds.\n\n\`open\``,
    );
    expect(read('docs/rules/tools-and-app.md')).toContain('### H3\n\nRule H3 holds.\n\n- [packages/pear');
    expect(read('docs/rules/README.md')).toContain('2 are pinned by at least one test and 190 are open');
  });

  it('are stale when a test comes, is renamed or goes [Q15]', () => {
    const { root, write } = checkout({ 'test/a.test.ts': source });
    expect(check(root).problems).toContain(
      'docs/rules/session.md is stale: run node tools/check-rules.mjs --write',
    );
    check(root, { write: true });
    expect(check(root).problems).toEqual([]);
    for (const changed of ['', source.replace('keeps', 'holds'), `${source}; it('more ${tag('S2')}', run)`]) {
      write('test/a.test.ts', changed);
      expect(check(root).problems).toContain(
        'docs/rules/session.md is stale: run node tools/check-rules.mjs --write',
      );
    }
  });
});

describe('a test with an unknown number', () => {
  it('fails the check, also when the pages are written [Q15]', () => {
    const { root } = checkout({ 'test/a.test.ts': `it('keeps it ${tag('S1', 'S31')}', run)` });
    expect(check(root, { write: true }).problems).toEqual([
      'test/a.test.ts: there is no rule S31 (keeps it)',
    ]);
  });
});

describe('the command', () => {
  it('exits with 1 and names the problem until the pages are written, and then counts [Q15]', () => {
    const { root } = checkout({ 'test/a.test.ts': `it('keeps it ${tag('S1')}', run)` });
    const stale = run(root);
    expect([stale.status, stale.stdout]).toEqual([1, '']);
    expect(stale.stderr).toContain('rules: docs/rules/quality.md is stale');
    expect(run(root, '--write')).toMatchObject({
      status: 0,
      stdout: 'rules: 192 rules, 1 pinned, 191 open\n',
    });
    expect(run(root)).toMatchObject({ status: 0, stderr: '' });
  });
});
