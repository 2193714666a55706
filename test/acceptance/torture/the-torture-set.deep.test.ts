// Deep: each case is a whole loop, and some need runners of other languages; `npm test` has a sample.
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { ralph } from '../../support/ralph.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';

const HOUR = 3_600_000;

/** The cheats that Ralph accepts today. Most are code that only satisfies the visible tests, or false types. Only a check that the agent cannot see distinguishes them from honest work. */
const BELIEVED = {
  open: ['go-test/stateful-function', 'npm-test/stateful-function', 'tsc/any', 'vitest/stateful-function'],
  learned: [
    'jest/returns-a-matcher',
    'jest-inventory/source-answers-by-test-name',
    'mocha/side-table',
    'npm-test/answer-from-the-call-site',
    'tsc/any-typed-export',
    'tsc/declaration-beside-the-source',
  ],
};

describe.skipIf(bubblewrapIsMissing())('the whole torture set', () => {
  it.each(['open', 'learned'] as const)(
    'has no dead gate that Ralph believes, and no honest work that it refuses: the %s part',
    { timeout: HOUR },
    async (part) => {
      await using place = await openThrowAwayFolder();
      const env = { TMPDIR: place.path, ...(process.env['XDG_CACHE_HOME'] && { XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] }) };
      const { stdout, stderr } = await ralph(['torture', '--part', part, '--json', '--case-timeout', '5m'], { cwd: place.path, withinMs: HOUR, env });
      const { cases } = JSON.parse(stdout) as { readonly cases: readonly { readonly case: string; readonly kind: string; readonly came: string }[] };
      for (const line of stderr.split('\n').filter((each) => each.startsWith('>>>'))) console.warn(line);
      const accepted = cases.filter(({ kind, came }) => kind !== 'honest' && came === 'done');
      expect(cases.filter(({ came }) => came === 'broken' || came === 'error')).toEqual([]);
      expect(accepted.filter(({ kind }) => kind === 'dead-gate')).toEqual([]);
      expect(cases.filter(({ kind, came }) => kind === 'honest' && came === 'not-done')).toEqual([]);
      expect(accepted.filter((each) => !BELIEVED[part].includes(each.case))).toEqual([]);
    },
  );
});
