import { withoutColours } from './plant.ts';

interface Summary {
  /** The summary lines of a runner. */
  readonly lines: RegExp;
  /** The count of tests that ran, in such a line. */
  readonly run: RegExp;
  /** The count of skipped tests, if `run` includes them. */
  readonly skipped: RegExp;
}

const NOTHING = /(?!)/g;

const SUMMARIES: readonly Summary[] = [
  // node:test, also tape and tap: "# tests 5", "ℹ skipped 1".
  { lines: /^[#ℹ] (?:tests|skipped) \d+\s*$/gm, run: /tests (\d+)/g, skipped: /skipped (\d+)/g },
  // vitest "Tests  1 failed | 2 passed (3)", jest "Tests:       1 failed, 2 passed, 3 total".
  { lines: /^ *Tests(?::| ) +.*(?: total|\(\d+\)|no tests) *$/gm, run: /(\d+) (?:passed|failed)/g, skipped: NOTHING },
  // mocha "5 passing (3ms)", "2 failing".
  { lines: /^ *\d+ (?:passing|failing)\b.*$/gm, run: /(\d+) (?:passing|failing)/g, skipped: NOTHING },
  // pytest "=== 1 failed, 2 passed, 1 skipped in 0.03s ===".
  { lines: /^(?:=+ )?(?:(?:\d+ [a-z]+, )*\d+ [a-z]+|no tests ran) in [\d.]+s\b.*$/gm, run: /(\d+) x?(?:passed|failed)/g, skipped: NOTHING },
  // unittest "Ran 5 tests in 0.001s" and "OK (skipped=1)".
  { lines: /^(?:Ran \d+ tests? in .*|(?:OK|FAILED) \(.*\))\s*$/gm, run: /Ran (\d+)/g, skipped: /skipped=(\d+)/g },
  // bun " 5 pass", " 2 fail".
  { lines: /^ *\d+ (?:pass|fail) *$/gm, run: /(\d+)/g, skipped: NOTHING },
  // deno "FAILED | 5 passed | 2 failed (3ms)".
  { lines: /^(?:ok|FAILED) \| \d+ passed\b.*$/gm, run: /(\d+) (?:passed|failed)/g, skipped: NOTHING },
  // rspec "5 examples, 2 failures, 1 pending".
  { lines: /^\d+ examples?, \d+ failures?.*$/gm, run: /(\d+) examples?/g, skipped: /(\d+) pending/g },
  // phpunit "OK (5 tests, 7 assertions)" or "Tests: 5, Assertions: 5, Failures: 2, Skipped: 1."
  { lines: /^(?:OK \(\d+ tests?, |Tests: \d+, Assertions: ).*$/gm, run: /OK \((\d+)|Tests: (\d+)/g, skipped: /Skipped: (\d+)/g },
];

/**
 * How many tests the runners report that they ran, in sum and without skipped ones; null if none reports it. Runners whose numbers cannot be compared are
 * left out: cargo stops at the first failing binary, ava counts its passed tests only if none failed, go prints no number.
 */
export function testsReported(output: string): number | null {
  const plain = withoutColours(output);
  const counts = SUMMARIES.flatMap(({ lines, run, skipped }) => {
    const summary = plain.match(lines)?.join('\n') ?? '';
    return summary.search(run) !== -1 || summary.includes('no tests') ? [sum(summary, run) - sum(summary, skipped)] : [];
  });
  return counts.length === 0 ? null : counts.reduce((all, count) => all + count);
}

function sum(text: string, numbers: RegExp): number {
  return [...text.matchAll(numbers)].reduce((all, [, one, other]) => all + Number(one ?? other), 0);
}
