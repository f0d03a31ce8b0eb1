import { describe, expect, it } from 'vitest';
import { checkNames, checkSizes, checkWords } from '../layout/files.mjs';
import { checkImports } from '../layout/imports.mjs';
import { checkArrows, checkManifests, checkRequired } from '../layout/packages.mjs';

const repository = (files) => new Map(Object.entries(files));
const lines = (count) => 'x\n'.repeat(count);
const src = (name) => `packages/dsh-session/src/${name}`;

function manifest(folder, fields) {
  return repository({ [`${folder}/package.json`]: JSON.stringify(fields) });
}

describe('sizes, names and words', () => {
  it('finds a source file of more than 300 lines, and an index of more than 40', () => {
    expect(checkSizes(repository({ [src('log.ts')]: lines(300), [src('index.ts')]: lines(40) }))).toEqual([]);
    expect(checkSizes(repository({ [src('log.ts')]: lines(301) }))).toHaveLength(1);
    expect(checkSizes(repository({ [src('index.ts')]: lines(41) }))).toHaveLength(1);
  });

  it.each(['utils.ts', 'helpers/index.ts', 'common/log.ts', 'misc.test.ts'])(
    'refuses the name %s',
    (name) => {
      expect(checkNames(repository({ [src(name)]: '' }))).toHaveLength(1);
    },
  );

  it('refuses a file name that is not kebab-case', () => {
    expect(checkNames(repository({ [src('turnPlan.ts')]: '' }))).toHaveLength(1);
    expect(checkNames(repository({ [src('turn-plan.ts')]: '' }))).toEqual([]);
  });

  it.each(['see ../shared/spec', 'cat "/work/main/x"', '/home/me/file', 'https://registry.example.org/x'])(
    'refuses the words %s',
    (text) => {
      expect(checkWords(repository({ 'README.md': `first\n${text}\n` }))).toHaveLength(1);
    },
  );

  it.each([
    '/* v8 ignore next */',
    '// c8 ignore start',
    '/* istanbul ignore else */',
    '// node:coverage disable',
  ])('refuses the comment %s: all code counts [Q9]', (text) => {
    expect(checkWords(repository({ [src('log.ts')]: `first\n${text}\n` }))).toEqual([
      expect.stringContaining('log.ts:2: code that coverage does not count'),
    ]);
  });

  it('lets a relative path with a folder of such a name pass', () => {
    expect(checkWords(repository({ 'a.md': 'src/work/log.ts, ./home/x, the registry of tools' }))).toEqual(
      [],
    );
  });
});

describe('packages', () => {
  it('names the README, the changelog and the API report of each entry that are missing', () => {
    const found = checkRequired(manifest('packages/dsh-agent', { exports: { '.': {}, './testing': {} } }));
    const missing = found.map((problem) => /: (\S+) is missing/.exec(problem)?.[1]);
    expect(missing).toEqual(
      expect.arrayContaining([
        'README.md',
        'CHANGELOG.md',
        'etc/dsh-agent.api.md',
        'etc/dsh-agent.testing.api.md',
      ]),
    );
  });

  it('finds packed exports that differ from the exports in the repository', () => {
    const fields = {
      license: 'Apache-2.0',
      type: 'module',
      exports: { '.': { '@deepseek-ai/source': './src/index.ts', default: './dist/index.js' } },
    };
    const packed = { exports: { '.': { default: './dist/index.js' } } };
    const of = (publishConfig) =>
      checkManifests(manifest('packages/dsh-agent', { ...fields, publishConfig }));
    expect(of(packed)).toEqual([]);
    expect(of({ exports: {} })).toHaveLength(1);
  });

  it('refuses an arrow that is not drawn, also from a package without any', () => {
    const dependencies = { '@deepseek-ai/dsh-agent': 'workspace:^' };
    expect(checkArrows(manifest('packages/dsh-session-file', { dependencies }))).toHaveLength(1);
    expect(checkArrows(manifest('packages/dsh-model-ai-sdk', { dependencies }))).toEqual([]);
    expect(checkArrows(manifest('packages/dsh-new', {}))).toHaveLength(1);
  });

  it('wants core packages to see each other as peers that are also installed for development', () => {
    const session = { '@deepseek-ai/dsh-session': 'workspace:^' };
    const of = (fields) => checkArrows(manifest('packages/dsh-agent', fields));
    expect(of({ peerDependencies: session, devDependencies: session })).toEqual([]);
    expect(of({ peerDependencies: session })).toHaveLength(1);
    expect(of({ dependencies: session })).toHaveLength(1);
  });

  it('refuses a private package among the runtime dependencies, and the plugin registry outside the app', () => {
    const of = (fields) => checkArrows(manifest('packages/dsh-agent', fields));
    expect(of({ dependencies: { '@dsh-internal/async': 'workspace:*' } })).toHaveLength(1);
    expect(of({ devDependencies: { '@deepseek-ai/cordis': '^4' } })).toHaveLength(1);
  });
});

describe('imports', () => {
  const pure = '/** Decides. [pure] */\n';

  it.each([
    'export async function f() {}',
    'setTimeout(f, 1);',
    'const t = Date.now();',
    'const t = new Date();',
    'const r = Math.random();',
    'const p = new Promise(f);',
    'for await (const x of y) f(x);',
  ])('refuses in a pure file: %s', (code) => {
    expect(checkImports(repository({ [src('a.ts')]: pure + code }))).not.toEqual([]);
    expect(checkImports(repository({ [src('a.ts')]: `/** Acts. */\n${code}` }))).toEqual([]);
  });

  it('lets a pure file load pure files and import types from the others', () => {
    const b = 'export type B = 1;';
    const value = `${pure}import { b } from './b.ts';`;
    const type = `${pure}import type { B } from './b.ts';`;
    expect(checkImports(repository({ [src('a.ts')]: value, [src('b.ts')]: b }))).toHaveLength(1);
    expect(checkImports(repository({ [src('a.ts')]: value, [src('b.ts')]: pure + b }))).toEqual([]);
    expect(checkImports(repository({ [src('a.ts')]: type, [src('b.ts')]: b }))).toEqual([]);
  });

  it('finds a cycle of three files, but not one that types alone close', () => {
    const cycle = (last) => ({
      [src('a.ts')]: "import { b } from './b.ts';",
      [src('b.ts')]: "export { c } from './c.ts';",
      [src('c.ts')]: last,
    });
    expect(checkImports(repository(cycle("import { a } from './a.ts';")))).toHaveLength(1);
    expect(checkImports(repository(cycle("import type { A } from './a.ts';")))).toEqual([]);
  });

  it('refuses a relative import that leaves the package, of types too', () => {
    const code = "import type { A } from '../../dsh-agent/src/agent.ts';";
    expect(checkImports(repository({ [src('a.ts')]: code }))).toHaveLength(1);
  });

  it('refuses an import of the own index', () => {
    expect(checkImports(repository({ [src('a.ts')]: "import { x } from './index.ts';" }))).toHaveLength(1);
    expect(checkImports(repository({ [src('x/a.ts')]: "import { x } from './index.ts';" }))).toEqual([]);
  });
});
