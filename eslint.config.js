import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { boundaries } from './tools/boundaries.mjs';

const source = [
  'internal/*/src/**/*.ts',
  'packages/*/src/**/*.ts',
  'apps/*/src/**/*.ts',
  'bench/src/**/*.ts',
];
const page = ['apps/harness/page/src/**/*.{ts,tsx}'];
const packages = ['internal/*/src/**/*.ts', 'packages/*/src/**/*.ts'];
const tests = ['**/test/**/*.ts', '**/*.test.ts', '**/*.test-d.ts'];

export default defineConfig(
  globalIgnores(['**/dist/**', '**/coverage/**', '**/temp/**', '**/.turbo/**', '**/etc/**', '.tools/**']),
  // Compiled against the packed packages alone, by the packed-consumer test.
  globalIgnores(['tools/consumers/programs/**']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
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
    files: ['**/*.{ts,tsx,js,mjs}'],
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
    files: page,
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'max-lines-per-function': ['error', { max: 60 }],
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use named exports.' },
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Nothing is shown as HTML.',
        },
        {
          selector: 'MemberExpression[property.name=/^(inner|outer)HTML$/]',
          message: 'Nothing is shown as HTML.',
        },
      ],
      // It runs in a browser, and knows of the server only what goes over the wire.
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(?!\\.|react$|react-dom/client$)', message: 'The page is made of React and itself.' },
            { regex: '/src/(?!inspector/protocol\\.ts$)', message: 'Only the wire types are shared.' },
            { regex: '/src/inspector/', allowTypeImports: true, message: 'Types only.' },
          ],
        },
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
