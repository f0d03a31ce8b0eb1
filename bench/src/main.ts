/**
 * Runs the measurements: each in fresh processes, several times; one JSON line per figure, then a table.
 *
 *     npm run bench -- [--long] [--runs=5] [--only=append,open] [--json]
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { summarize, type Case, type Figure, type Result, type Scenario } from './figure.ts';
import { scenarios } from './scenarios.ts';
import { table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
    match: { type: 'string', default: '' },
  },
});
// pins [Q10]
const only = flags.only?.split(',');

/** The standard output of one process. */
function output(what: 'prepare' | 'run', scenario: Scenario, one: Case, folder: string): Promise<string> {
  const script = join(import.meta.dirname, 'one.ts');
  const args = [what, scenario.name, JSON.stringify(one.params), folder];
  const child = spawn(
    process.execPath,
    ['--conditions=@deepseek-ai/source', '--expose-gc', script, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.on('error', reject).on('close', (code) => {
      if (code === 0) resolve(text);
      else reject(new Error(`${scenario.name}, ${one.title}: the process ended with ${String(code)}`));
    });
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(scenario: Scenario, one: Case): Promise<readonly Result[]> {
  const run = async (folder: string): Promise<readonly Figure[]> =>
    JSON.parse(await output('run', scenario, one, folder)) as readonly Figure[];
  const runs = one.prepare === true ? await inFolder(prepared) : await fresh();
  return summarize(scenario.name, one.title, runs);

  async function prepared(folder: string): Promise<readonly (readonly Figure[])[]> {
    await output('prepare', scenario, one, folder);
    const figures = [];
    for (let times = 0; times < Number(flags.runs); times += 1) figures.push(await run(folder));
    return figures;
  }
  async function fresh(): Promise<readonly (readonly Figure[])[]> {
    const figures = [];
    for (let times = 0; times < Number(flags.runs); times += 1) figures.push(await inFolder(run));
    return figures;
  }
}

const results: Result[] = [];
for (const scenario of scenarios) {
  if (only !== undefined && !only.includes(scenario.name)) continue;
  for (const one of scenario.cases(flags.long)) {
    if (!one.title.includes(flags.match)) continue;
    for (const result of await measure(scenario, one)) {
      results.push(result);
      process.stdout.write(`${JSON.stringify(result)}\n`);
    }
  }
}
if (!flags.json) process.stdout.write(`\n${table(results)}\n`);
