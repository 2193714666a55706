import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { smallWorkers } from './test/support/small-workers.ts';

const { pure, pureOfRecipe } = createRequire(import.meta.url)('./lint/rooms.cjs');

// The tests of pure code lie beside it.
const pureTests = [
  ...pure.map((room: string) => `src/${room}/**/*.test.ts`),
  'src/recipes/*/*.test.ts',
  ...pureOfRecipe.map((name: string) => `src/recipes/*/${name}/**/*.test.ts`),
];

// Keys and costs of the tests never mix with those of whoever runs them.
const home = mkdtempSync(join(tmpdir(), 'ralph-tests-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

// Without a sandbox: the tests that are about one ask for it.
const env = { RALPH_SANDBOX: 'guard', XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state') };

// A whole file that is deep is left to `npm run test:all`; see test/support/deep.ts for parts of a file.
const isAll = process.env['RALPH_TEST_ALL'] === '1';
const left = isAll ? [] : ['**/*.deep.test.ts'];

// They start processes all the time: what is young is collected early.
const small = { pool: smallWorkers, execArgv: ['--max-semi-space-size=2'], globalSetup: ['test/support/command-hosts.ts'] };

// It makes the recorded journals anew, and only `npm run record:journals` wants that.
const recorder = process.env['RALPH_RECORD_JOURNALS'] === '1' ? [] : ['test/acceptance/crashes/record-journals.test.ts'];

// pure: no world at all. world: real files, git and processes. acceptance: the built CLI. agents: the real CLIs, run by npm run test:agents.
export default defineConfig({
  test: {
    // One more than the usual: half of the time a worker waits for processes it has started.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: 'pure',
          include: pureTests,
          exclude: left,
          setupFiles: ['test/support/no-world.ts'],
          testTimeout: isAll ? 120_000 : 30_000,
          // Nothing here touches the world, so nothing here can spoil it for the next file: one process for many files.
          isolate: false,
        },
      },
      {
        test: {
          name: 'world',
          include: ['src/**/*.test.ts', 'test/{contracts,architecture,crashes,docs,support}/**/*.test.ts'],
          exclude: [...pureTests, ...left],
          env,
          ...small,
          // A property has four times as many cases there.
          testTimeout: isAll ? 240_000 : 60_000,
          hookTimeout: 60_000,
          // A file's own process would cost 0.3 s; tests leave their process as they found it.
          isolate: false,
          unstubEnvs: true,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts'],
          exclude: [...left, ...recorder],
          env,
          ...small,
          // Long enough for a busy machine: a limit that is reached is a failure, never a measure.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // As above; the built program is loaded once for many files, in the process of test/support/command-host.mjs.
          isolate: false,
        },
      },
      { test: { name: 'agents', include: ['test/agents/**/*.test.ts'], exclude: left, env, ...small, testTimeout: 180_000, hookTimeout: 180_000 } },
    ],
  },
});
