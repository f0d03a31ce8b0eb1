import { defineConfig } from 'tsup';

/** The build of one published package: ESM and declarations, the private packages bundled in. */
export function library(entry: Record<string, string> = { index: 'src/index.ts' }) {
  return defineConfig({
    entry,
    format: ['esm'],
    target: ['node22', 'es2022'],
    // Declarations name `Disposable`, which no lib but this one and @types/node has.
    dts: { banner: '/// <reference lib="esnext.disposable" />' },
    sourcemap: true,
    clean: true,
    noExternal: [/^@dsh-internal\//],
    esbuildOptions: (options) => {
      options.conditions = ['@deepseek-ai/source'];
    },
  });
}
