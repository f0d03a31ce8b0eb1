import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { boundaries } from './tools/boundaries.mjs';

const source = [
  'internal/*/src/**/*.ts',
  'packages/*/src/**/*.ts',
  'apps/*/src/**/*.ts',
  'bench/src/**/*.ts',
];
const packages = ['internal/*/src/**/*.ts', 'packages/*/src/**/*.ts'];
const tests = ['**/test/**/*.ts', '**/*.test.ts', '**/*.test-d.ts'];

export default defineConfig(
  globalIgnores(['**/dist/**', '**/coverage/**', '**/temp/**', '**/.turbo/**', '**/etc/**', '.tools/**']),
  // Compiled against the packed packages alone, by the packed-consumer test.
  globalIgnores(['tools/consumers/programs/**']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }], // `signal.reason`
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      // An async function without await is how a method of a port turns a throw into a rejection.
      '@typescript-eslint/require-await': 'off',
      'max-lines': ['error', { max: 300 }],
    },
  },
  {
    files: ['**/*.{ts,js,mjs}'],
    ignores: ['**/*.config.{ts,js,mjs}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use named exports.' },
        { selector: 'ExportSpecifier[exported.name="default"]', message: 'Use named exports.' },
      ],
    },
  },
  {
    files: source,
    rules: {
      'max-lines-per-function': ['error', { max: 60 }],
      // Run from source, and Node 22 does not know them.
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use named exports.' },
        { selector: 'VariableDeclaration[kind=/using/]', message: 'Node 22 does not know `using`.' },
      ],
    },
  },
  {
    files: packages,
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only the app reads the environment.' },
      ],
    },
  },
  {
    files: tests,
    rules: {
      // Tests look at what they have just made, and say what a fake does in the shortest way.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  boundaries,
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
        performance: 'readonly',
        structuredClone: 'readonly',
      },
    },
    rules: { 'max-lines': ['error', { max: 300 }] },
  },
  { files: ['scripts/ci-reporter.mjs'], rules: { 'no-restricted-syntax': 'off' } }, // Vitest wants a default
  prettier,
);
