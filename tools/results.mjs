/** How many checks and tests passed and failed. Several processes add to one file. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** The file that this run's counts go to, when somebody adds them up. */
export const resultsFile = process.env.DSH_RESULTS;

export function addResult(file, result) {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

export function readResults(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** The last line of a run. */
export function total(results) {
  const sum = (key) => results.reduce((all, result) => all + result[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}
