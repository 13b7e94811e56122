/**
 * The linter: mistakes, and what each folder of `src` may import. Run from the project's root (`npm run lint`), so that the
 * end-to-end tests are seen too; how code looks is Prettier's.
 */
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const FOLDERS = [
  'app',
  'compare',
  'draw',
  'engine',
  'fixtures',
  'pkg',
  'state',
  'styles',
  'text',
  'views',
  'workers',
];

/**
 * What the files of a folder may import beside their own folder, `protocol.ts`, `messages.ts` and `nodes.ts`.
 *
 * `may`: folders. `types`: folders of which only types. `only`: of a folder that is not in `may`, these files.
 */
const BORDERS = {
  // Geometry, with ticks labelled as the reader writes numbers and dates.
  draw: {
    may: [],
    types: [],
    only: { text: ['dates', 'fit', 'locale'] },
    why: 'draw/ is geometry: no words, no state, no DOM',
  },
  text: { may: [], types: ['compare', 'state'], why: 'text/ is words and numbers alone' },
  compare: { may: ['text'], types: [], why: 'compare/ is pure: no store, no worker, no DOM' },
  state: { may: ['compare', 'text'], types: [], why: 'state/ knows neither worker nor DOM' },
  engine: {
    may: ['pkg'],
    types: ['state'],
    only: { workers: ['rows'] },
    why: "engine/ is the page's side of the workers: no words, no views",
  },
  workers: { may: ['pkg'], types: [], why: 'workers/ run without the page' },
  views: {
    may: ['compare', 'draw', 'state', 'text'],
    types: ['app'],
    why: 'views/ show state and call the controller: no worker',
  },
  app: {
    may: ['compare', 'draw', 'engine', 'state', 'styles', 'text', 'views'],
    types: [],
    why: 'what runs in a worker is started by its address',
  },
};

const DOM = [
  'document',
  'window',
  'localStorage',
  'getComputedStyle',
  'HTMLElement',
  'requestAnimationFrame',
];
const PURE = ['draw', 'text', 'compare', 'state'];

const border = (folder, { may, types, only = {}, why }) => {
  const closed = FOLDERS.filter((other) => other !== folder && !may.includes(other));
  const patterns = closed.map((other) => {
    const files = (only[other] ?? []).map((file) => `(?!${file}$)`).join('');
    return { regex: `^(\\.\\./)+${other}/${files}`, message: why, allowTypeImports: types.includes(other) };
  });
  // What is imported late is no type.
  const late = `ImportExpression[source.value=/^(\\.\\.\\u002F)+(${closed.join('|')})\\u002F/]`;
  return {
    files: [`**/src/${folder}/**/*.{ts,js,svelte}`],
    ignores: ['**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns }],
      'no-restricted-syntax': ['error', { selector: late, message: why }],
      ...(PURE.includes(folder) ? { 'no-restricted-globals': ['error', ...DOM, 'Worker'] } : {}),
    },
  };
};

export default ts.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/src/pkg/**',
      '**/src/protocol.ts',
      '**/public/**',
      'dist/**',
      'target/**',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-empty-function': 'off',
      // TypeScript knows which names exist, and says which are unused.
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Maps and sets here are made for one computation and never watched.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  { files: ['**/*.mjs'], rules: { 'no-undef': 'error' } },
  ...Object.entries(BORDERS).map(([folder, rules]) => border(folder, rules)),
);
