#!/usr/bin/env node
/**
 * Plants the bugs of each package's list one by one, and demands that its schedules find every one.
 *
 *   node tools/run-mutants.mjs            runs the known seed of each, and searches on where that finds nothing any more
 *   node tools/run-mutants.mjs --write    searches from the start, and writes the seeds and the table
 *   node tools/run-mutants.mjs NAME ...   only those whose name holds one of these
 *   --of=dsh-agent                        those of that package alone; what is written of the others stays
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const table = join(root, 'docs', 'mutants.md');
const atMost = 60_000;
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false }, of: { type: 'string' } },
  allowPositionals: true,
});

async function packagesWithMutants() {
  const found = [];
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name, 'test', 'schedules');
    if (!existsSync(join(folder, 'mutants.ts'))) continue;
    const { mutants } = await import(join(folder, 'mutants.ts'));
    const seeds = join(folder, 'mutant-seeds.json');
    found.push({
      name,
      folder,
      mutants,
      seeds,
      known: existsSync(seeds) ? JSON.parse(readFileSync(seeds, 'utf8')) : {},
    });
  }
  return found;
}

/** Runs `count` schedules from a seed on with the bug planted. Gives the first that finds it. */
function probe({ folder }, mutant, from, count) {
  const args = ['--conditions=@deepseek-ai/source', '--import', join(root, 'tools', 'plant-mutant.mjs')];
  const child = spawn(process.execPath, [...args, join(folder, 'probe.ts'), `${from}`, `${count}`, 'first'], {
    cwd: root,
    env: { ...process.env, DSH_MUTANT: mutant.name, DSH_MUTANTS_OF: folder },
  });
  let said = '';
  const hear = (chunk) => {
    said += chunk;
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const [, violation, seed] = /^1 (.*) \(seeds (\d+)\)/m.exec(said) ?? [];
      if (seed !== undefined) resolve({ seed: Number(seed), violation });
      else if (code === 0) resolve(undefined);
      else reject(new Error(`${mutant.name}: ${said.slice(0, 2_000)}`));
    });
  });
}

async function hunt(owner, mutant) {
  const known = owner.known[mutant.name];
  const quick = values.write || known === undefined ? undefined : await probe(owner, mutant, known, 1);
  return quick ?? probe(owner, mutant, mutant.from ?? 0, atMost);
}

/** Two at a time, the rest as soon as one is through. */
async function huntAll(owner, mutants) {
  const results = new Map();
  const queue = [...mutants];
  const work = async () => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const found = await hunt(owner, mutant).catch((error) => {
        console.log(error.message);
      });
      results.set(mutant.name, found);
      console.log(found ? `found   ${mutant.name} (seed ${found.seed})` : `MISSED  ${mutant.name}`);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

/** What the table says of a package at present. */
function writtenRows({ name }) {
  const lines = existsSync(table) ? readFileSync(table, 'utf8').split('\n') : [];
  return lines.filter((line) => line.startsWith(`| ${name} |`));
}

function tableOf(all) {
  const rows = all.flatMap(({ owner, results }) => {
    if (results === undefined) return writtenRows(owner);
    return owner.mutants.map(({ name, breaks }) => {
      const found = results.get(name);
      const rule = /^\[[^\]]*\]/.exec(found?.violation ?? '')?.[0].slice(1, -1) ?? '-';
      return `| ${owner.name} | ${name} | ${breaks} | ${found?.seed ?? '-'} | ${rule} |`;
    });
  });
  return [
    '# Planted bugs',
    '',
    'Each was planted alone, and the schedules of that package found it. `npm run test:mutants` does it again;',
    'this page is written by `node tools/run-mutants.mjs --write`.',
    '',
    '<!-- prettier-ignore -->',
    '| schedules of | bug | breaks | first seed that finds it | as a violation of |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function write(all) {
  for (const { owner, results } of all) {
    if (results === undefined) continue;
    const seeds = Object.fromEntries(
      [...results].flatMap(([name, found]) => (found ? [[name, found.seed]] : [])),
    );
    const sorted = Object.fromEntries(
      owner.mutants.map(({ name }) => [name, seeds[name] ?? owner.known[name]]),
    );
    writeFileSync(owner.seeds, `${JSON.stringify(sorted, undefined, 2)}\n`);
  }
  writeFileSync(table, tableOf(all));
}

const all = [];
for (const owner of await packagesWithMutants()) {
  if (values.of !== undefined && values.of !== owner.name) {
    all.push({ owner });
    continue;
  }
  const wanted = owner.mutants.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  all.push({ owner, results: await huntAll(owner, wanted) });
}
if (values.write && positionals.length === 0) write(all);
const results = all.flatMap((one) => [...(one.results?.values() ?? [])]);
const missed = results.filter((found) => found === undefined).length;
console.log(`${results.length - missed} of ${results.length} planted bugs were found`);
process.exitCode = missed > 0 ? 1 : 0;
