/** Who may import whom. ESLint enforces it in every source file, check-layout in every manifest. */

export const scope = '@deepseek-ai/';

/** Package folder -> the packages of this repository that its `src/` may import. */
export const arrows = {
  'internal/async': [],
  'internal/contract': [],
  'internal/driver-testing': ['dsh-session'],
  'internal/processes': [],
  'internal/schedule-testing': [],
  'packages/dsh-session': [],
  'packages/dsh-session-file': ['dsh-session'],
  'packages/dsh-session-sqlite': ['dsh-session'],
  'packages/dsh-agent': ['dsh-session'],
  'packages/dsh-model-ai-sdk': ['dsh-agent'],
  'packages/dsh-subagents': ['dsh-agent', 'dsh-session'],
  'packages/dsh-tool-send-message': ['dsh-agent', 'dsh-subagents'],
  'packages/dsh-tool-subagent': ['dsh-agent', 'dsh-subagents'],
};

/** Packages of our scope that are made elsewhere: only the app may use them. */
export const foreign = ['cordis', 'cosmokit'];

/** These see each other as peers, so that a program has one copy of each. */
export const core = ['dsh-session', 'dsh-agent', 'dsh-subagents'];

/** Their main entries run without Node's built-ins. Subpath entries may use `node:assert/strict`. */
export const portable = ['internal/async', 'internal/contract', 'packages/dsh-session', 'packages/dsh-agent'];
const subpaths = ['conformance', 'testing'];

const nodeGlobals = ['process', 'Buffer', 'global', 'require', 'setImmediate', 'clearImmediate', '__dirname'];

function importRule(folder, { node }) {
  const names = arrows[folder].join('|');
  const patterns = [
    {
      regex: names === '' ? `^${scope}` : `^${scope}(?!(?:${names})(?:/|$))`,
      message: `${folder} may not import this package (tools/boundaries.mjs).`,
    },
  ];
  if (folder.startsWith('internal/')) patterns.push({ regex: '^@dsh-internal/', message: 'Stands alone.' });
  if (node !== 'all') {
    const except = node === 'assert' ? '(?!node:assert/strict$)' : '';
    patterns.push({ regex: `^${except}node:`, message: `${folder} runs without Node's built-ins.` });
  }
  return { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] };
}

export const boundaries = Object.keys(arrows).flatMap((folder) => {
  const files = [`${folder}/src/**/*.ts`];
  if (!portable.includes(folder)) return [{ files, rules: importRule(folder, { node: 'all' }) }];
  const globals = nodeGlobals.map((name) => ({ name, message: 'This package also runs in a browser.' }));
  return [
    {
      files,
      rules: { ...importRule(folder, { node: 'none' }), 'no-restricted-globals': ['error', ...globals] },
    },
    {
      files: subpaths.map((name) => `${folder}/src/${name}/**/*.ts`),
      rules: importRule(folder, { node: 'assert' }),
    },
  ];
});
