/** What each package must have, and the arrows between packages in the manifests. */
import { arrows, core, foreign, scope } from '../boundaries.mjs';
import { packagesOf } from './repository.mjs';

const isPublished = ({ folder }) => folder.startsWith('packages/');

function entriesOf(manifest) {
  const keys = Object.keys(manifest.exports ?? {}).filter((key) => key !== './package.json');
  return keys.map((key) => key.replace(/^\.\/?/, ''));
}

export function checkRequired(files) {
  const problems = [];
  for (const one of packagesOf(files)) {
    const wanted = ['src/index.ts', 'tsconfig.json', 'vitest.config.ts'];
    if (isPublished(one)) {
      const reports = entriesOf(one.manifest).map(
        (key) => `etc/${[one.name, key].filter(Boolean).join('.')}.api.md`,
      );
      wanted.push('README.md', 'CHANGELOG.md', ...reports);
    }
    if (one.folder.startsWith('apps/')) wanted.splice(0, 1, 'README.md');
    for (const path of wanted) {
      if (!files.has(`${one.folder}/${path}`)) problems.push(`${one.folder}: ${path} is missing`);
    }
  }
  return problems;
}

/** Packed, the exports are the same but for the condition that leads to the source. */
function checkExports({ folder, manifest }) {
  const strip = (entry) =>
    typeof entry === 'string'
      ? entry
      : Object.fromEntries(Object.entries(entry).filter(([condition]) => condition !== `${scope}source`));
  const stripped = Object.fromEntries(
    Object.entries(manifest.exports).map(([key, entry]) => [key, strip(entry)]),
  );
  const same = JSON.stringify(stripped) === JSON.stringify(manifest.publishConfig?.exports);
  return same
    ? []
    : [`${folder}: publishConfig.exports differs from exports by more than the source condition`];
}

export function checkManifests(files) {
  const root = JSON.parse(files.get('package.json') ?? '{}');
  return packagesOf(files).flatMap((one) => {
    const { folder, manifest } = one;
    const problems = [];
    if (manifest.license !== 'Apache-2.0') problems.push(`${folder}: license`);
    if (manifest.type !== 'module') problems.push(`${folder}: type`);
    if (manifest.engines?.node !== root.engines?.node)
      problems.push(`${folder}: engines.node differs from the root`);
    if (isPublished(one)) {
      if (manifest.private === true) problems.push(`${folder}: is private`);
      problems.push(...checkExports(one));
    }
    return problems;
  });
}

const ours = (dependencies) => Object.keys(dependencies ?? {}).filter((name) => name.startsWith(scope));

function checkArrow({ folder, name, manifest }, allowed) {
  const problems = [];
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest;
  const runtime = [...ours(dependencies), ...ours(peerDependencies)].map((key) => key.slice(scope.length));
  for (const other of new Set(runtime)) {
    if (!allowed.includes(other)) problems.push(`${folder}: may not depend on ${other}`);
  }
  for (const other of runtime.filter((key) => core.includes(name) && core.includes(key))) {
    const key = scope + other;
    if (peerDependencies[key] === undefined || dependencies[key] !== undefined) {
      problems.push(`${folder}: ${other} must be a peer dependency`);
    } else if (devDependencies[key] !== 'workspace:^') {
      problems.push(`${folder}: ${other} must also be a devDependency, workspace:^`);
    }
  }
  for (const key of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (key.startsWith('@dsh-internal/')) problems.push(`${folder}: ${key} is bundled: a devDependency`);
  }
  return problems;
}

export function checkArrows(files) {
  return packagesOf(files).flatMap((one) => {
    if (one.folder.startsWith('apps/')) return [];
    const allowed = arrows[one.folder];
    if (allowed === undefined) return [`${one.folder}: has no arrows in tools/boundaries.mjs`];
    const outside = ours(one.manifest.devDependencies).filter((key) =>
      foreign.includes(key.slice(scope.length)),
    );
    return [
      ...checkArrow(one, allowed),
      ...outside.map((key) => `${one.folder}: only the app may use ${key}`),
    ];
  });
}
