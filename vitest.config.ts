import { defineConfig } from 'vitest/config';

/** Of these at least 95 % of the branches are covered, by the light tests alone: `.ci/run` looks at it. */
const measured = ['dsh-session', 'dsh-agent', 'dsh-subagents'];

export default defineConfig({
  test: {
    // The second reporter prints `Tests: N passed, N failed, N skipped` as the last line of the run.
    reporters: ['default', './scripts/ci-reporter.mjs'],
    passWithNoTests: true,
    projects: [
      'internal/*/vitest.config.ts',
      'packages/*/vitest.config.ts',
      'apps/*/vitest.config.ts',
      'examples/vitest.config.ts',
      'tools/vitest.config.ts',
    ],
    coverage: {
      provider: 'v8',
      // Below each package.
      include: ['src/**/*.ts', 'packages/*/src/**/*.ts'],
      reporter: ['text', 'json-summary'],
      // A run with coverage fails below that, and names the package.
      thresholds: Object.fromEntries(measured.map((name) => [`packages/${name}/src/**`, { branches: 95 }])),
    },
  },
});
