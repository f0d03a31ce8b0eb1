import { addResult, resultsFile } from '../tools/results.mjs';

/** Vitest reporter: the last line of the run is `Tests: N passed, N failed, N skipped`. */
export default class CiReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      // A module that does not load has no tests, and would else count as nothing.
      if (tests.length === 0 && module.state() === 'failed') count.failed += 1;
      for (const test of tests) count[test.result().state] += 1;
    }
    const line = `Tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
    process.once('exit', () => process.stdout.write(`\n${line}\n`));
    addResult(resultsFile, { name: 'vitest', ...count });
  }
}
