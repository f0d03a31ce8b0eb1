/** The documents that a reader is promised, and the programs in them that are run. */
import { packagesOf } from './repository.mjs';

const promised = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'bench/README.md'],
  ...['docs/decisions/README.md', 'docs/consequences.md'],
];

export function checkDocuments(files) {
  const problems = promised.filter((path) => !files.has(path)).map((path) => `${path} is missing`);
  for (const path of files.keys()) {
    const [, name] = /^examples\/(\d\d-[^/]+)\.ts$/.exec(path) ?? [];
    if (name !== undefined && !files.has(`examples/test/${name}.test.ts`))
      problems.push(`${path}: no test runs it`);
    if (/^docs\/decisions\/\d/.test(path) && !files.get('docs/decisions/README.md')?.includes(path.slice(15)))
      problems.push(`${path}: docs/decisions/README.md does not name it`);
  }
  const report = files.get('bench/README.md');
  for (const part of ['## Figures', '## Not reached'])
    if (report !== undefined && !report.includes(part)) problems.push(`bench/README.md: ${part} is missing`);
  for (const { folder, manifest } of packagesOf(files)) {
    if (folder.startsWith('packages/') && !files.get('README.md')?.includes(`](${folder})`))
      problems.push(`${folder}: the README does not lead to ${manifest.name}`);
  }
  return problems;
}

/** Every published package has a version of its own, and a generated account of its changes. */
export function checkVersions(files) {
  const config = JSON.parse(files.get('.changeset/config.json') ?? '{}');
  const problems = [];
  if (config.fixed?.length !== 0 || config.linked?.length !== 0)
    problems.push('.changeset/config.json: versions are not independent');
  for (const { folder, manifest } of packagesOf(files)) {
    if (!folder.startsWith('packages/')) continue;
    const log = files.get(`${folder}/CHANGELOG.md`) ?? '';
    if (!log.includes(`## ${manifest.version}`))
      problems.push(`${folder}/CHANGELOG.md: does not speak of ${manifest.version}`);
  }
  return problems;
}

/** What a user may have to act upon: the codes that `errors.ts` declares, and those of diagnostics. */
function codesIn(path, text) {
  const pattern = path.endsWith('/src/errors.ts') ? /^ +\| '([A-Z_]+)'/gm : /\bcode: '([a-z]+(?:-[a-z]+)+)'/g;
  return [...text.matchAll(pattern)].map(([, code]) => code);
}

/** Every code of a package has a word in its README. */
export function checkCodes(files) {
  const problems = new Set();
  for (const [path, text] of files) {
    const [, folder] = /^(packages\/[^/]+)\/src\/(?!testing\/|conformance\/).*\.ts$/.exec(path) ?? [];
    if (folder === undefined) continue;
    const readme = files.get(`${folder}/README.md`) ?? '';
    for (const code of codesIn(path, text))
      if (!readme.includes(`\`${code}\``)) problems.add(`${folder}/README.md: says nothing of ${code}`);
  }
  return [...problems];
}

/** A public name without a word of what it is stands in the API report with that mark. */
export function checkDocumented(files) {
  return [...files]
    .filter(([path]) => /^packages\/[^/]+\/etc\/.*\.api\.md$/.test(path))
    .flatMap(([path, text]) => {
      const bare = [...text.matchAll(/\(undocumented\)\n\s*(.+)/g)].map(([, line]) => line);
      return bare.map((line) => `${path}: nothing says what this is: ${line}`);
    });
}
