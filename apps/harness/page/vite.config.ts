import { defineConfig } from 'vite';

/** The page of the inspector. Nothing of it is inlined: the policy of its server allows files of its own only. */
export default defineConfig({
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
