import { defaultServerConditions, defineConfig } from 'vite';
import { configDefaults, defineProject, mergeConfig } from 'vitest/config';

/** Workspace packages resolve to their TypeScript source, so that tests need no build. */
const conditions = ['@deepseek-ai/source', ...defaultServerConditions];

/** CI sets this on its second Node: schedules and kills (`*.heavy.test.ts`) and types need one run only. */
const light = process.env['DSH_LIGHT_TESTS'] === '1';

/** The vitest project of one package. */
export function project(name: string, options: { include?: string[]; setupFiles?: string[] } = {}) {
  return mergeConfig(
    defineConfig({
      resolve: { conditions },
      ssr: { resolve: { conditions, externalConditions: conditions } },
    }),
    defineProject({
      test: {
        name,
        include: options.include ?? ['test/**/*.test.ts'],
        setupFiles: options.setupFiles ?? [],
        exclude: [...configDefaults.exclude, ...(light ? ['**/*.heavy.test.ts'] : [])],
        // Long enough for a busy machine: no test waits for the real clock, so only a hanging one meets it.
        testTimeout: 30_000,
        typecheck: { enabled: !light, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
      },
    }),
  );
}
