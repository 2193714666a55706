import type { Tool } from './tool.ts';

const CODE = '{js,cjs,mjs,ts,cts,mts}';
const CODE_X = '{js,cjs,mjs,jsx,ts,cts,mts,tsx}';
const endings = ['js', 'cjs', 'mjs', 'jsx', 'ts', 'cts', 'mts', 'tsx', 'vue', 'svelte', 'astro'];

/** Read by everything that compiles sources before it runs them. */
const COMPILERS = ['package.json', 'babel.config.*', '.babelrc', '.babelrc.*', '.swcrc', 'tsconfig*.json', 'jsconfig.json', '.browserslistrc'];
const COVERAGE = ['.nycrc', '.nycrc.*', 'nyc.config.*', '.c8rc', '.c8rc.*', '.taprc'];
const KEYS = ['type', 'babel', 'browserslist', 'nyc', 'c8'];
const ignored = ['istanbul ignore', 'c8 ignore', 'v8 ignore', 'node:coverage'];

const DENO = ['deno.json', 'deno.jsonc', 'package.json', 'import_map.json'];
const DENO_IGNORED = ['deno-lint-ignore', 'deno-coverage-ignore', '@ts-ignore', '@ts-expect-error', '@ts-nocheck'];

/** Node's own runner, and runners that run on node. */
export const javascriptRunners: readonly Tool[] = [
  {
    name: 'node-test',
    starts: ['node --test', 'tsx --test'],
    chooses: ['--test-name-pattern', '--test-skip-pattern', '--test-only', '--test-shard'],
    configuration: [...COMPILERS, ...COVERAGE, 'node.config.json'],
    tests: [`**/*{.,-,_}test.${CODE}`, `**/test-*.${CODE}`, `**/test.${CODE}`, `**/test/**/*.${CODE}`],
    keys: KEYS,
    suppressions: ignored,
    endings,
  },
  {
    name: 'vitest',
    starts: ['vitest'],
    chooses: ['-t', '--testNamePattern', '--changed', '--shard'],
    configuration: [...COMPILERS, 'vitest.config.*', 'vitest.*.config.*', 'vite.config.*', 'vitest.workspace.*', 'vitest.projects.*', 'vitest.setup.*'],
    tests: [`**/*.{test,spec}.${CODE_X}`, '**/*.{test,spec}-d.ts'],
    keys: [...KEYS, 'vitest'],
    suppressions: ignored,
    endings,
    options: ['--workspace', '--globalSetup', '--setupFiles', '--environment', '--reporter'],
  },
  {
    name: 'jest',
    starts: ['jest', 'react-scripts test', 'ts-jest'],
    // A folder __mocks__ beside node_modules replaces packages automatically; elsewhere a test has to ask for it.
    chooses: [
      ...['-t', '--testNamePattern', '--findRelatedTests', '-f', '--onlyFailures', '--shard'],
      ...['-o', '--onlyChanged', '--changedSince', '--changedFilesWithAncestor', '--lastCommit'],
    ],
    configuration: [...COMPILERS, 'jest.config.*', 'jest.setup.*', 'setupTests.*', 'jest.preset.*'],
    tests: [`**/__tests__/**/*.${CODE_X}`, `**/{*.,}{test,spec}.${CODE_X}`],
    keys: [...KEYS, 'jest', 'jest-junit', 'ts-jest'],
    suppressions: ignored,
    endings,
    options: ['--setupFiles', '--setupFilesAfterEnv', '--globalSetup', '--testRunner', '--runner', '--resolver', '--reporters', '--env'],
  },
  {
    name: 'mocha',
    starts: ['mocha', '_mocha', 'nyc mocha', 'ts-mocha'],
    chooses: ['-g', '--grep', '-f', '--fgrep'],
    configuration: [...COMPILERS, ...COVERAGE, '.mocharc', '.mocharc.*', 'mocha.opts'],
    tests: [`test/*.${CODE}`],
    keys: [...KEYS, 'mocha'],
    suppressions: ignored,
    endings,
    options: ['--file', '--reporter', '-R', '--ui', '-u'],
  },
  {
    name: 'ava',
    starts: ['ava'],
    chooses: ['-m', '--match'],
    configuration: [...COMPILERS, ...COVERAGE, 'ava.config.*'],
    tests: [`test.${CODE}`, `**/test-*.${CODE}`, `**/*.{test,spec}.${CODE}`, `**/{test,tests,__tests__}/**/*.${CODE}`],
    keys: [...KEYS, 'ava'],
    suppressions: ignored,
    endings,
  },
  {
    name: 'playwright',
    starts: ['playwright test', 'cypress run'],
    chooses: ['-g', '--grep', '--grep-invert', '--shard', '--project', '--last-failed', '--only-changed', '--spec'],
    configuration: [...COMPILERS, 'playwright.config.*', 'playwright-ct.config.*', 'cypress.config.*', 'cypress.json'],
    tests: [`**/*.{test,spec,cy}.${CODE_X}`],
    keys: KEYS,
  },
  { name: 'node', starts: ['node', 'tsx', 'ts-node'], configuration: ['package.json', 'tsconfig*.json', 'node.config.json'], tests: [], keys: ['type'] },
  // It parses a file without running it, so a planted throw shows nothing.
  { name: 'node-check', starts: ['node --check', 'node -c'], configuration: ['package.json'], tests: [], keys: ['type'] },
  {
    name: 'bun-test',
    starts: ['bun test'],
    chooses: ['-t', '--test-name-pattern'],
    configuration: ['package.json', 'bunfig.toml', '.env', '.env.*', 'tsconfig*.json'],
    tests: [`**/*{.,_}{test,spec}.${CODE_X}`],
    keys: ['type'],
    options: ['--preload'],
  },
  {
    name: 'deno-test',
    starts: ['deno test', 'deno task'],
    chooses: ['--filter'],
    configuration: DENO,
    tests: [`**/{*_,*.,}test.${CODE_X}`, `**/__tests__/**/*.${CODE_X}`],
    keys: ['type'],
    suppressions: DENO_IGNORED,
    endings,
    options: ['--import-map', '--preload'],
  },
];

/** Tools that read sources and run none of them. */
export const javascriptCheckers: readonly Tool[] = [
  {
    name: 'tsc',
    starts: ['tsc', 'vue-tsc', 'tsgo', 'svelte-check', 'tsd'],
    configuration: ['tsconfig*.json', 'jsconfig.json', 'package.json'],
    tests: [],
    keys: ['type'],
    suppressions: ['@ts-ignore', '@ts-expect-error', '@ts-nocheck'],
    endings,
  },
  {
    name: 'eslint',
    starts: ['eslint', 'xo', 'standard', 'next lint', 'oxlint'],
    configuration: [
      '.eslintrc',
      '.eslintrc.*',
      'eslint.config.*',
      '.eslintignore',
      'eslint-suppressions.json',
      '.oxlintrc.json',
      'package.json',
      'tsconfig*.json',
      '.editorconfig',
    ],
    tests: [],
    keys: ['type', 'eslintConfig', 'eslintIgnore', 'xo', 'standard', 'prettier'],
    suppressions: ['eslint-disable', 'eslint-env', 'oxlint-disable', '/* eslint ', '/*eslint ', '/* global', '/*global', '/* exported '],
    endings,
    options: ['--rulesdir', '--ignore-path', '--parser', '--plugin', '--format', '-f', '--suppressions-location'],
  },
  {
    name: 'biome',
    starts: ['biome'],
    // It can be told to skip what git ignores, and prettier does so by default.
    configuration: ['.gitignore', 'biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc', '.editorconfig', '*.grit'],
    tests: [],
    suppressions: ['biome-ignore', 'rome-ignore'],
    endings: [...endings, 'css', 'json', 'jsonc', 'graphql', 'html'],
    options: ['--config-path'],
  },
  {
    name: 'deno-check',
    starts: ['deno check', 'deno lint', 'deno fmt'],
    configuration: DENO,
    tests: [],
    keys: ['type'],
    suppressions: DENO_IGNORED,
    endings,
    options: ['--import-map'],
  },
  {
    name: 'prettier',
    starts: ['prettier'],
    configuration: ['.prettierrc', '.prettierrc.*', 'prettier.config.*', '.prettierignore', '.gitignore', '.editorconfig', 'package.json'],
    tests: [],
    keys: ['type', 'prettier'],
    suppressions: ['prettier-ignore', '@noprettier'],
    endings: [...endings, 'css', 'scss', 'less', 'html', 'md', 'mdx', 'yaml', 'yml', 'graphql', 'hbs'],
    options: ['--ignore-path', '--plugin'],
  },
];

/** Tools that only lead from a script to the next. Their settings can replace the shell, so they decide everything that it starts. */
export const javascriptLaunchers: readonly Tool[] = [
  { name: 'npm', starts: ['npm', 'npx'], configuration: ['package.json', '.npmrc'], tests: [], keys: ['scripts', 'workspaces', 'packageManager', 'config'] },
  {
    name: 'pnpm',
    starts: ['pnpm', 'pnpx'],
    configuration: ['package.json', '.npmrc', 'pnpm-workspace.yaml', '.pnpmfile.{c,m,}js'],
    tests: [],
    keys: ['scripts', 'workspaces', 'packageManager', 'config', 'pnpm'],
  },
  {
    name: 'yarn',
    starts: ['yarn', 'yarnpkg'],
    chooses: ['--since'],
    configuration: ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.yarn/{releases,plugins,sdks}/**', '.pnp.{c,m,}js', '.pnp.loader.mjs'],
    tests: [],
    keys: ['scripts', 'workspaces', 'packageManager', 'config'],
  },
  {
    name: 'bun',
    starts: ['bun', 'bunx'],
    configuration: ['package.json', '.npmrc', 'bunfig.toml', '.env', '.env.*'],
    tests: [],
    keys: ['scripts', 'workspaces'],
  },
  {
    name: 'turbo',
    starts: ['turbo'],
    configuration: ['turbo.json', 'turbo.jsonc', 'package.json', '.npmrc'],
    tests: [],
    keys: ['scripts', 'workspaces', 'packageManager'],
  },
  {
    name: 'nx',
    starts: ['nx', 'lerna', 'wireit', 'rush', 'moon'],
    configuration: ['nx.json', 'project.json', 'lerna.json', 'package.json', '.npmrc', 'rush.json', '.moon/**', 'moon.yml'],
    tests: [],
    keys: ['scripts', 'workspaces', 'nx', 'lerna', 'wireit'],
  },
];
