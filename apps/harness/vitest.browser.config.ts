import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.shared.ts';

/** The page of the inspector in Chromium: a step of its own, which tools/check-browser.mjs starts. */
export default mergeConfig(project('page', { include: ['test/page/browser/*.browser.ts'] }), {
  test: {
    reporters: ['default', '../../scripts/ci-reporter.mjs'],
    fileParallelism: false,
    typecheck: { enabled: false },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
