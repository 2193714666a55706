import { describe, expect, it } from 'vitest';
import { mostInformativeLine } from './text.ts';

describe('the most informative line of an output', () => {
  it.each<[string, string, string]>([
    ['a linter', 'Linting…\nsrc/auth.py:42:1: F841 unused x\nFound 1 error.\n', 'src/auth.py:42:1: F841 unused x'],
    ['a compiler', 'src/a.ts(3,5): error TS2322: no\n\nFound 1 error', 'src/a.ts(3,5): error TS2322: no'],
    ['a coloured compiler', '\u001b[96msrc/a.ts\u001b[0m:\u001b[93m3\u001b[0m:\u001b[93m5\u001b[0m - error TS1: no\n', 'src/a.ts:3:5 - error TS1: no'],
    ['a type checker', 'src/a.py:1: note: see\nsrc/a.py:3: error: bad\n', 'src/a.py:3: error: bad'],
    ['TAP', 'ok 1 - one\nnot ok 2 - two\n1..2\n', 'not ok 2 - two'],
    ['go', '=== RUN TestX\n--- FAIL: TestX (0.00s)\n    x_test.go:12: got 1\nFAIL\n', 'x_test.go:12: got 1'],
    ['node', 'file:///x.js:3\nthrow new Error("a")\nTypeError: x is not a function\n    at Object.<anonymous> (/x.js:3:7)\n', 'TypeError: x is not a function'],
    ['totals without errors', '0 errors\n0 failed\n2 skipped\n', '2 skipped'],
    ['a stack alone', '    at fail (/x.js:3:7)\nexit\n', 'exit'],
    ['plain words', 'one\n\ntwo\n\n', 'two'],
    ['a progress bar', '10%\r50%\rerror: no disk\r', 'error: no disk'],
    ['silence', '', ''],
    ['blank lines', '\n \n', ''],
  ])('of %s', (_name, output, line) => {
    expect(mostInformativeLine(output)).toBe(line);
  });

  it('is one line of at most 200 characters', () => {
    const line = mostInformativeLine(`error: ${'𝄞'.repeat(500)}\nmore`);
    expect([...line]).toHaveLength(200);
    expect(line.endsWith('…')).toBe(true);
  });
});
