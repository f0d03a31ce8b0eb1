import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { isSupported, mainNode, minNode, nodeBinary, root } from '../../scripts/toolchain.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

describe('which Node is used', () => {
  it.each([
    ['v18.20.4', false],
    ['v20.19.0', false],
    ['v22.17.1', false],
    ['v22.18.0', true],
    ['v23.11.0', false],
    ['v24.10.0', false],
    ['v24.11.0', true],
    ['v25.0.0', false],
    ['v26.0.0', true],
    ['v30.1.2', true],
  ])('the one that is there where the packages support it: %s, %s [Q1]', (version, supported) => {
    expect(isSupported(version)).toBe(supported);
  });

  it('both pinned ones are supported, and each package names the same range [Q1]', () => {
    expect([mainNode, minNode].every(isSupported)).toBe(true);
    expect(JSON.parse(read('package.json')).engines.node).toBe('^22.18.0 || ^24.11.0 || >=26.0.0');
  });

  describe('on a system for which none can be had', () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform');
    afterEach(() => Object.defineProperty(process, 'platform', platform));

    it.each(['darwin', 'win32'])('one sentence says which is needed: %s [Q1]', (name) => {
      Object.defineProperty(process, 'platform', { ...platform, value: name });
      const said = [];
      expect(() => nodeBinary(mainNode, (line) => said.push(line))).toThrow(
        `Node 22.18 or newer is needed (this is ${process.version}); please install it.`,
      );
      expect(said).toEqual([]);
    });
  });
});

describe('the npm scripts', () => {
  it('name jobs that there are, and an unknown one is refused in one line before anything is got [Q1]', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const script = /^node scripts\/bootstrap\.mjs (\w+)$/;
    const jobs = Object.values(scripts).flatMap((line) => script.exec(line)?.[1] ?? []);
    const done = spawnSync(process.execPath, [join(root, 'scripts/bootstrap.mjs'), 'nothing'], {
      encoding: 'utf8',
    });
    expect([done.status, done.stdout, done.stderr]).toEqual([1, '', `one of ${jobs.join(', ')} is needed\n`]);
    expect([scripts.start, scripts.test].map((line) => script.exec(line)?.[1])).toEqual(['start', 'check']);
  });

  it('leave nothing that git would show: what the demo stores is ignored [Q1]', () => {
    for (const [file, line] of [
      ['.gitignore', '.dsh/'],
      ['.prettierignore', '**/.dsh'],
    ])
      expect(read(file).split('\n')).toContain(line);
  });
});

describe('the checks', () => {
  /** A checkout with the tools alone: every step's script is missing. */
  function emptyCheckout() {
    const folder = mkdtempSync(join(tmpdir(), 'check-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'tools'));
    for (const name of ['check.mjs', 'results.mjs'])
      copyFileSync(join(root, 'tools', name), join(folder, 'tools', name));
    return folder;
  }

  it.each(['rules', 'mutants'])('a step whose script is missing has failed: %s [Q2]', (step) => {
    const env = { ...process.env, DSH_RESULTS: undefined };
    const script = join(emptyCheckout(), 'tools', 'check.mjs');
    const done = spawnSync(process.execPath, [script, `--only=${step}`], { encoding: 'utf8', env });
    expect(done.status).toBe(1);
    expect(done.stdout).toMatch(new RegExp(`Failed: ${step}\n0 passed, 1 failed\n$`));
  });
});

describe('.ci/run', () => {
  const script = read('.ci/run');

  it('does npm test, the oldest Node without schedules and kills, the browser, the packed packages [Q2]', () => {
    const steps = [...script.matchAll(/^(?:if .*; then )?step .*$/gm)].map(([line]) => line);
    const named = ['npm test', 'tests on Node', 'Chromium', 'browser', 'packed packages'];
    expect(steps).toHaveLength(named.length);
    for (const [at, name] of named.entries()) expect(steps[at]).toContain(name);
    expect(script).toContain('DSH_LIGHT_TESTS=1');
  });

  function counted(...steps) {
    const folder = mkdtempSync(join(tmpdir(), 'sum-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'results');
    const sum = (...args) =>
      spawnSync(process.execPath, [join(root, 'tools/sum-results.mjs'), ...args], { encoding: 'utf8' });
    const codes = steps.map((code) => sum('--step', file, 'bash', '-c', code.replace('FILE', file)).status);
    const { stdout, status } = sum(file);
    return { codes, last: stdout, status };
  }
  const told = (passed, failed) => `echo '{"name":"t","passed":${passed},"failed":${failed}}' >> FILE`;

  it('ends with a line that counts everything, and a failure counts once [Q2]', () => {
    expect(counted('true', told(3, 0))).toEqual({ codes: [0, 0], last: '4 passed, 0 failed\n', status: 0 });
    expect(counted('true', `${told(3, 2)}; exit 1`)).toEqual({
      codes: [0, 1],
      last: '4 passed, 2 failed\n',
      status: 1,
    });
    expect(counted(`${told(3, 0)}; exit 7`)).toEqual({ codes: [7], last: '3 passed, 1 failed\n', status: 1 });
    expect(counted('exit 3')).toEqual({ codes: [3], last: '0 passed, 1 failed\n', status: 1 });
    expect(counted()).toEqual({ codes: [], last: '0 passed, 0 failed\n', status: 1 });
  });
});
