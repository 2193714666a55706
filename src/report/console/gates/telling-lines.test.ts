import { describe, expect, it } from 'vitest';
import { tellingLines } from './telling-lines.ts';

const NODE_TEST = `✖ adds (0.8ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  4 !== 3

      at TestContext.<anonymous> (file:///w/a.test.js:5:10)
      at Test.run (node:internal/test_runner/test:797:25)

# tests 3
# duration_ms 51.2
`;

const TAP = `TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 0.9
  location: '/w/sum.test.mjs:2:1'
  failureType: 'testCodeFailure'
  error: '1 + 1 is not 3'
  code: 'ERR_TEST_FAILURE'
  stack: |-
    TestContext.<anonymous> (file:///w/sum.test.mjs:2:34)
    async Test.run (node:internal/test_runner/test:797:9)
    node:internal/process/task_queues:95:5
  ...
1..1
# tests 1
# fail 1
`;

const VITEST = ` FAIL  src/add.test.ts > adds zero
AssertionError: expected 3 to be -3 // Object.is equality

- Expected
+ Received

- -3
+ 3

 ❯ src/add.test.ts:4:41
      3| it('adds', () => expect(add(2, 3)).toBe(-1));
      4| it('adds zero', () => expect(add(0, 3)).toBe(-3));
       |                                         ^
      5|

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[2/2]⎯

 Test Files  1 failed (1)
      Tests  2 failed (2)
   Start at  06:43:12
   Duration  753ms (transform 43ms)
`;

describe('the telling lines of a red gate', () => {
  it('are its last ones without frames of a stack, totals and empty lines', () => {
    expect(tellingLines({ output: NODE_TEST })).toEqual([
      '✖ adds (0.8ms)',
      '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
      '  4 !== 3',
    ]);
  });

  it('are the name of the test and its error in a report of TAP', () => {
    expect(tellingLines({ output: TAP })).toEqual(['TAP version 13', 'not ok 1 - adds', "  error: '1 + 1 is not 3'", "  code: 'ERR_TEST_FAILURE'"]);
  });

  it('are what was expected, what came and where in a report of vitest, without its picture of the code and its times', () => {
    expect(tellingLines({ output: VITEST }).map((line) => line.trim())).toEqual([
      'FAIL  src/add.test.ts > adds zero',
      'AssertionError: expected 3 to be -3 // Object.is equality',
      '- -3',
      '+ 3',
      '❯ src/add.test.ts:4:41',
      'Tests  2 failed (2)',
    ]);
  });

  it('begin with the line that has the error if the last ones lack it, and are never more than six', () => {
    const output = ['src/a.ts:3:5 error TS2304: Cannot find name', ...Array.from({ length: 50 }, (_, index) => `step ${index}`)].join('\n');
    expect(tellingLines({ output })).toEqual(['src/a.ts:3:5 error TS2304: Cannot find name', 'step 45', 'step 46', 'step 47', 'step 48', 'step 49']);
  });

  it('are of the end of the output, although only its beginning is kept for the prompt', () => {
    expect(tellingLines({ output: 'building\nbuilding', output_end: 'building\n1 test failed: adds\n' })).toEqual(['building', '1 test failed: adds']);
  });

  it('have neither control characters nor endless lines', () => {
    const [line = '', ...others] = tellingLines({ output: `\u001b[31mFAIL\u001b[0m \u001b]0;title\u0007\u0008${'x'.repeat(5_000)}` });
    expect(others).toEqual([]);
    expect(line).toMatch(/^FAIL \u2408x+…$/);
    expect(line.length).toBe(160);
  });

  it('are none if there is no output', () => {
    expect(tellingLines({ output: ' \n\n' })).toEqual([]);
  });
});
