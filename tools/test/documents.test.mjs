import { describe, expect, it } from 'vitest';
import { checkCodes, checkDocumented, checkDocuments, checkVersions } from '../layout/documents.mjs';

const whole = {
  'README.md': '[it](packages/dsh-agent)',
  'ARCHITECTURE.md': '',
  'CONTRIBUTING.md': '',
  'bench/README.md': '## Figures\n\n## Not reached\n',
  'docs/consequences.md': '',
  'docs/decisions/README.md': '[0001](0001-markers.md)',
  'docs/decisions/0001-markers.md': '',
  'examples/01-agent.ts': '',
  'examples/test/01-agent.test.ts': '',
  'packages/dsh-agent/package.json': JSON.stringify({ name: 'dsh-agent', version: '1.2.0' }),
  'packages/dsh-agent/CHANGELOG.md': '# dsh-agent\n\n## 1.2.0\n',
  '.changeset/config.json': JSON.stringify({ fixed: [], linked: [] }),
};
const without = (path) => new Map(Object.entries(whole).filter(([key]) => key !== path));
const withFile = (path, text) => new Map(Object.entries({ ...whole, [path]: text }));

describe('the documents', () => {
  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'bench/README.md', 'examples/test/01-agent.test.ts'])(
    'are refused without %s [Q12]',
    (path) => {
      expect(checkDocuments(new Map(Object.entries(whole)))).toEqual([]);
      expect(checkDocuments(without(path))).toHaveLength(1);
    },
  );

  it('say what was measured, and what was not reached [Q11]', () => {
    expect(checkDocuments(withFile('bench/README.md', '## Figures\n'))).toEqual([
      'bench/README.md: ## Not reached is missing',
    ]);
  });

  it('lead from the README to each package, and to each decision [Q12]', () => {
    expect(checkDocuments(withFile('README.md', 'nothing'))).toHaveLength(1);
    expect(checkDocuments(withFile('docs/decisions/0002-more.md', ''))).toHaveLength(1);
  });
});

describe('a public name', () => {
  it('is refused where no comment says what it is [Q13]', () => {
    const report = (lines) => new Map([['packages/dsh-agent/etc/dsh-agent.api.md', lines.join('\n')]]);
    expect(checkDocumented(report(['// @public', 'export interface Agent {']))).toEqual([]);
    expect(checkDocumented(report(['// @public (undocumented)', 'export interface Agent {']))).toEqual([
      'packages/dsh-agent/etc/dsh-agent.api.md: nothing says what this is: export interface Agent {',
    ]);
    expect(checkDocumented(report(['    // (undocumented)', '    readonly id: string;']))).toHaveLength(1);
  });
});

describe('the versions', () => {
  it('are independent, and each is told of in the change log of its package [Q14]', () => {
    expect(checkVersions(new Map(Object.entries(whole)))).toEqual([]);
    const fixed = JSON.stringify({ fixed: [['*']], linked: [] });
    expect(checkVersions(withFile('.changeset/config.json', fixed))).toHaveLength(1);
    expect(checkVersions(withFile('packages/dsh-agent/CHANGELOG.md', '## 1.1.0'))).toHaveLength(1);
  });
});

describe('the codes of a package', () => {
  const readme = 'packages/dsh-agent/README.md';
  const of = (text, path) => checkCodes(new Map([[readme, text], path]));

  it('of errors stand in its README, each under its own name [Q12]', () => {
    const errors = [
      'packages/dsh-agent/src/errors.ts',
      "export type Code =\n  | 'NO_MODEL'\n  | 'NO_MODEL_SET';\n",
    ];
    expect(of('`NO_MODEL`, `NO_MODEL_SET`', errors)).toEqual([]);
    expect(of('`NO_MODEL_SET`', errors)).toEqual([`${readme}: says nothing of NO_MODEL`]);
  });

  it('of diagnostics too, but those of testing aids do not [Q12]', () => {
    const code = "report({ code: 'start-failed', level: 'error' })";
    expect(of('', ['packages/dsh-agent/src/loop.ts', code])).toEqual([
      `${readme}: says nothing of start-failed`,
    ]);
    expect(of('', ['packages/dsh-agent/src/testing/loop.ts', code])).toEqual([]);
  });
});
