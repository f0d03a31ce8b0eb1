/**
 * node tools/sum-results.mjs FILE                    prints `N passed, N failed`; fails when anything failed
 * node tools/sum-results.mjs --step FILE COMMAND...  runs the command; when it fails without having counted a
 *                                                    failure, or has counted nothing, it counts as one itself
 * Runs on Node 18.
 */
import { spawnSync } from 'node:child_process';
import { addResult, readResults, total } from './results.mjs';

function sum(file) {
  const { passed, failed } = total(readResults(file));
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

function step(file, [command, ...args]) {
  const before = readResults(file).length;
  const done = spawnSync(command, args, { stdio: 'inherit' });
  const added = readResults(file).slice(before);
  const passed = done.status === 0;
  if (added.length === 0) {
    addResult(file, { name: command, passed: passed ? 1 : 0, failed: passed ? 0 : 1 });
  } else if (!passed && total(added).failed === 0) {
    addResult(file, { name: command, passed: 0, failed: 1 });
  }
  return done.status ?? 1;
}

const args = process.argv.slice(2);
process.exitCode = args[0] === '--step' ? step(args[1], args.slice(2)) : sum(args[0]);
