import { describe, expect, it } from 'vitest';
import { casesShown, failuresReported, halfShownIn, shownIn, testsReported } from './shown-in.ts';

const plant = (path: string, tokens: readonly string[], cases = 2) => ({ path, text: '', tokens, cases });
const plants = [plant('a', ['kkk1', 'kkk2']), plant('b', ['kkk3', 'kkk4']), plant('c', ['kkk5', 'kkk6']), plant('d', ['kkk7', 'kkk8'], 0)];
const output = 'Error: kkk1\nsaid kkk4\u001b[31m and "k\u001b[7mkk\u001b[27m3"\nError: kkk7: kkk8';

describe('a planted file', () => {
  it('has shown that it runs by any of its tokens, in any colours', () => {
    expect(shownIn(output, plants)).toEqual(['a', 'b', 'd']);
  });

  it('may have printed only some of its tokens', () => {
    expect(halfShownIn(output, plants)).toEqual(['a']);
  });

  it('adds the cases that ran', () => {
    expect(casesShown(output, plants)).toBe(3);
  });
});

describe('the reported number of tests', () => {
  it.each<[string, string, number | null]>([
    ['node:test', '# tests 5\n# suites 1\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n', 4],
    ['node:test, for people', 'ℹ tests 5\nℹ suites 1\nℹ pass 5\nℹ skipped 0\n', 5],
    ['vitest', ' Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 2 passed | 1 skipped | 1 todo (5)\n', 3],
    ['vitest in colours', '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m\u001b[90m (3)\u001b[39m\n', 3],
    ['vitest without tests', '      Tests  no tests\n', 0],
    ['jest', 'Test Suites: 1 failed, 1 total\nTests:       2 failed, 1 skipped, 3 passed, 6 total\n', 5],
    ['mocha', '  5 passing (3ms)\n  1 pending\n  2 failing\n\n  1) x\n', 7],
    ['pytest', '===== 2 failed, 5 passed, 1 skipped, 1 xfailed, 1 warning in 0.12s =====\n', 8],
    ['pytest -q', '5 passed in 61.12s (0:01:01)\n', 5],
    ['pytest without tests', '==== no tests ran in 0.00s ====\n', 0],
    ['unittest', 'Ran 5 tests in 0.001s\n\nFAILED (failures=1, skipped=2)\n', 3],
    ['unittest with two classes that were skipped: it has not counted their tests', 'Ran 1 test in 0.001s\n\nOK (skipped=2)\n', 0],
    ['unittest with a skipped class, by its letters', `..s.\n${'-'.repeat(70)}\nRan 3 tests in 0.001s\n\nOK (skipped=1)\n`, 3],
    ['unittest with a skipped class and a skipped test', `s.printed\n.s\n${'-'.repeat(70)}\nRan 3 tests in 0.001s\n\nOK (skipped=2)\n`, 2],
    [
      'unittest -v with a skipped class',
      `test_a (a.A) ... ok\nsetUpClass (a.B) ... skipped 'no'\n\n${'-'.repeat(70)}\nRan 1 test in 0.001s\n\nOK (skipped=1)\n`,
      1,
    ],
    ['unittest with a test that skips itself', `..s\n${'-'.repeat(70)}\nRan 3 tests in 0.001s\n\nOK (skipped=1)\n`, 2],
    ['unittest with one test', 'Ran 1 test in 0.001s\n\nOK\n', 1],
    ['bun', ' 2 pass\n 1 skip\n 4 fail\n 4 expect() calls\nRan 7 tests across 2 files. [8.00ms]\n', 6],
    ['deno', 'FAILED | 2 passed | 4 failed (250ms)\n', 6],
    ['rspec', '3 examples, 1 failure, 1 pending\n', 2],
    ['phpunit', 'OK (5 tests, 7 assertions)\n', 5],
    ['phpunit with failures', 'Tests: 5, Assertions: 5, Failures: 2, Skipped: 1.\n', 4],
    ['two packages', '# tests 5\n# skipped 0\n\n      Tests  3 passed (3)\r\n', 8],
    ['cargo', 'test result: ok. 5 passed; 0 failed; 0 ignored; finished in 0.00s\n', null],
    ['go', 'ok  \tx\t0.002s\n', null],
    ['ava', '  4 tests failed\n', null],
    ['a sentence', 'all 5 tests passed, 3 passing grades in 2s\n', null],
    ['silence', '', null],
  ])('%s', (_runner, said, count) => {
    expect(testsReported(said)).toBe(count);
  });
});

describe('the reported number of failed tests', () => {
  it.each<[string, string, number | null]>([
    ['node:test', '# tests 5\n# pass 3\n# fail 2\n# skipped 0\n', 2],
    ['vitest', '      Tests  1 failed | 2 passed (3)\n', 1],
    ['jest', 'Tests:       2 failed, 3 passed, 5 total\n', 2],
    ['mocha', '  5 passing (3ms)\n  2 failing\n', 2],
    ['pytest', '===== 2 failed, 5 passed, 1 error in 0.12s =====\n', 3],
    ['unittest', 'Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n', 3],
    ['go', '--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n', 2],
    ['cargo', 'test result: ok. 5 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 3 failed; 0 ignored; finished in 0.00s\n', 3],
    ['nobody', 'FAIL\n', null],
  ])('%s', (_runner, said, count) => {
    expect(failuresReported(said)).toBe(count);
  });
});
