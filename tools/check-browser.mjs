/**
 * Bundles `packages/<name>/test/browser/*.ts` against the built packages and runs them in Chromium.
 * Such a file exports `cases`: the name of a behaviour -> a function that throws or rejects when it is not so.
 * The bundle has nothing of Node, and loading any of it fails the build.
 * Then the page of the inspector: `apps/harness/test/page/browser/*.browser.ts`, which drive Chromium from Node.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { scope } from './boundaries.mjs';
import { addResult, readResults, resultsFile, total } from './results.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const builtins = new RegExp(`^(?:node:.*|${builtinModules.join('|')})$`);

const noBuiltins = {
  name: 'no-builtins',
  enforce: 'pre',
  resolveId(specifier, importer) {
    if (builtins.test(specifier)) throw new Error(`${importer} loads ${specifier}`);
  },
};

/** Our packages by name -> what a user gets, never the source. */
function aliases() {
  return readdirSync(join(root, 'packages')).map((name) => ({
    find: new RegExp(`^${scope}${name}(?:/(.+))?$`),
    replacement: join(root, 'packages', name, 'dist', '$1'),
    customResolver: (path) => (path.endsWith('/') ? `${path}index.js` : `${path}.js`),
  }));
}

// pins [Q8]
async function bundle(file) {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [noBuiltins],
    resolve: { alias: aliases() },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, file), formats: ['es'], fileName: 'page' },
    },
  });
  return output[0].output[0].code;
}

/** Serves one page per bundle: 127.0.0.1 is a secure context, which about:blank is not. */
async function serve(bundles) {
  const server = createServer((request, response) => {
    const code = bundles.get(request.url?.slice(1));
    response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript');
    response.end(code ?? '<!doctype html><title>tests</title>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

const runCases = async (url) => {
  const { cases } = await import(url);
  const results = [];
  for (const [name, run] of Object.entries(cases)) {
    try {
      await run();
      results.push({ name });
    } catch (error) {
      results.push({ name, error: String(error?.stack ?? error) });
    }
  }
  return results;
};

async function runAll(files, executablePath) {
  const bundles = new Map();
  for (const file of files) bundles.set(file, await bundle(file));
  const server = await serve(bundles);
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
  const background = ['--disable-background-networking', '--disable-component-update'];
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet, ...background] });
  try {
    const results = [];
    for (const file of files) {
      const page = await browser.newPage();
      await page.goto(server.url);
      const found = await page.evaluate(runCases, `/${file}`);
      if (found.length === 0) found.push({ name: 'has cases', error: 'it has none' });
      results.push(...found.map((result) => ({ ...result, file })));
    }
    return results;
  } finally {
    await browser.close();
    server.close();
  }
}

function findChromium() {
  const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error('Chromium is needed: install the package chromium');
  return path;
}

/** Runs the tests of the built page, and returns how many passed and failed. */
function runPage(executablePath) {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-page-'));
  const results = join(folder, 'results');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  try {
    const done = spawnSync(process.execPath, [vitest, 'run', '--config', 'vitest.browser.config.ts'], {
      cwd: join(root, 'apps', 'harness'),
      stdio: 'inherit',
      env: { ...process.env, DSH_RESULTS: results, DSH_CHROMIUM: executablePath },
    });
    const { passed, failed } = total(readResults(results));
    return { passed, failed: done.status === 0 ? failed : Math.max(1, failed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  const executablePath = findChromium();
  const files = globSync('packages/*/test/browser/*.ts', { cwd: root }).sort();
  const results = await runAll(files, executablePath);
  for (const { file, name, error } of results) {
    console.log(
      `${error === undefined ? 'ok' : 'FAILED'} ${file}: ${name}${error === undefined ? '' : `\n${error}`}`,
    );
  }
  const failed = results.filter(({ error }) => error !== undefined).length;
  const page = runPage(executablePath);
  return { passed: results.length - failed + page.passed, failed: failed + page.failed };
}

let count = { passed: 0, failed: 1 };
try {
  count = await main();
} catch (error) {
  console.log(`FAILED ${error.message}`);
}
addResult(resultsFile, { name: 'browser', ...count });
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed > 0 ? 1 : 0;
