import { append, type Bed, type Plant, splitWord, withoutColours } from './plant.ts';

/** The planted files that have shown that they run: at least one of their tokens is in the output. */
export function shownIn(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  return plants.filter(({ tokens }) => tokens.some((token) => plain.includes(token))).map(({ path }) => path);
}

/**
 * The files that run but did not print all tokens: their assertion no longer fails, or the runner stopped at an earlier failure. If such a file printed all
 * of its tokens before, the assertion is the reason.
 */
export function halfShownIn(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  const shown = new Set(shownIn(plain, plants));
  return plants.filter(({ path, tokens }) => shown.has(path) && !tokens.every((token) => plain.includes(token))).map(({ path }) => path);
}

/** How many planted cases ran: a runner must report that many more tests than without the plants. */
export function casesShown(output: string, plants: readonly Plant[]): number {
  const plain = withoutColours(output);
  const shown = plants.map(({ tokens, cases }) => Math.min(cases, tokens.filter((token) => plain.includes(token)).length));
  return shown.reduce((all, some) => all + some, 0);
}

/** The assertions that have reported that they could fail, as `path:key`. */
export function probesShown(output: string, plants: readonly Plant[]): readonly string[] {
  const plain = withoutColours(output);
  return plants.flatMap(({ path, probes = [] }) => probes.filter(({ token }) => plain.includes(token)).map(({ key }) => `${path}:${key}`));
}

/** What other files import from this one: without it they fail. */
const GIVES = /^\s*export\b|\bmodule\.exports\b|\bexports\.\w|^def (?!test)\w|^class /m;

/**
 * A plant that only reports that it ran and lets the rest continue: if a home-made runner stops at its first failure, one run still shows all files.
 * `isWhole`: it replaces the rest of the file, since a test that is red anyway also stops such a runner.
 */
export function markIn({ path, text, token }: Bed, isWhole: boolean): Plant | null {
  const word = splitWord(token());
  const name = `ralph_${token()}`;
  const lines = path.endsWith('.py')
    ? [`import sys as ${name}`, `${name}.stdout.write('${word.first}' + '${word.second}\\n')`, `${name}.stderr.write('${word.first}' + '${word.second}\\n')`]
    : /\.[cm]?[jt]sx?$/.test(path)
      ? [`for (const ${name} of ['log', 'error']) console[${name}](['${word.first}', '${word.second}'].join(''));`]
      : null;
  if (lines === null) return null;
  return { path, text: isWhole && !GIVES.test(text) ? append('', lines) : append(text, lines), tokens: [word.whole], cases: 0 };
}

interface Summary {
  /** The summary lines of a runner. */
  readonly lines: RegExp;
  /** The count of tests that ran, in such a line. */
  readonly run: RegExp;
  /** The count of skipped tests, if `run` includes them. */
  readonly skipped: RegExp;
  readonly failed: RegExp;
  /** How many of the skipped ones `run` does not include. */
  readonly besides?: (output: string) => number;
}

const NOTHING = /(?!)/g;

const SUMMARIES: readonly Summary[] = [
  // node:test, also tape and tap: "# tests 5", "ℹ skipped 1".
  { lines: /^[#ℹ] (?:tests|skipped|fail) \d+\s*$/gm, run: /tests (\d+)/g, skipped: /skipped (\d+)/g, failed: /fail (\d+)/g },
  // vitest "Tests  1 failed | 2 passed (3)", jest "Tests:       1 failed, 2 passed, 3 total".
  { lines: /^ *Tests(?::| ) +.*(?: total|\(\d+\)|no tests) *$/gm, run: /(\d+) (?:passed|failed)/g, skipped: NOTHING, failed: /(\d+) failed/g },
  // mocha "5 passing (3ms)", "2 failing".
  { lines: /^ *\d+ (?:passing|failing)\b.*$/gm, run: /(\d+) (?:passing|failing)/g, skipped: NOTHING, failed: /(\d+) failing/g },
  // pytest "=== 1 failed, 2 passed, 1 skipped in 0.03s ===".
  {
    lines: /^(?:=+ )?(?:(?:\d+ [a-z]+, )*\d+ [a-z]+|no tests ran) in [\d.]+s\b.*$/gm,
    run: /(\d+) x?(?:passed|failed)/g,
    skipped: NOTHING,
    failed: /(\d+) (?:failed|errors?)\b/g,
  },
  // unittest "Ran 5 tests in 0.001s" and "OK (skipped=1)".
  {
    lines: /^(?:Ran \d+ tests? in .*|(?:OK|FAILED) \(.*\))\s*$/gm,
    run: /Ran (\d+)/g,
    skipped: /skipped=(\d+)/g,
    failed: /(?:failures|errors)=(\d+)/g,
    besides: (output) => skippedClasses(output),
  },
  // bun " 5 pass", " 2 fail".
  { lines: /^ *\d+ (?:pass|fail) *$/gm, run: /(\d+)/g, skipped: NOTHING, failed: /(\d+) fail/g },
  // deno "FAILED | 5 passed | 2 failed (3ms)".
  { lines: /^(?:ok|FAILED) \| \d+ passed\b.*$/gm, run: /(\d+) (?:passed|failed)/g, skipped: NOTHING, failed: /(\d+) failed/g },
  // rspec "5 examples, 2 failures, 1 pending".
  { lines: /^\d+ examples?, \d+ failures?.*$/gm, run: /(\d+) examples?/g, skipped: /(\d+) pending/g, failed: /(\d+) failures?/g },
  // phpunit "OK (5 tests, 7 assertions)" or "Tests: 5, Assertions: 5, Failures: 2, Skipped: 1."
  {
    lines: /^(?:OK \(\d+ tests?, |Tests: \d+, Assertions: ).*$/gm,
    run: /OK \((\d+)|Tests: (\d+)/g,
    skipped: /Skipped: (\d+)/g,
    failed: /(?:Failures|Errors): (\d+)/g,
  },
];

/**
 * How many tests the runners report that they ran, in sum and without skipped ones; null if none reports it. Runners whose numbers cannot be compared are
 * left out: cargo stops at the first failing binary, ava counts its passed tests only if none failed, go prints no number.
 */
export function testsReported(output: string): number | null {
  const plain = withoutColours(output);
  const counts = SUMMARIES.flatMap(({ lines, run, skipped, besides }) => {
    const summary = plain.match(lines)?.join('\n') ?? '';
    return summary.search(run) !== -1 || summary.includes('no tests') ? [Math.max(0, sum(summary, run) - sum(summary, skipped) + (besides?.(plain) ?? 0))] : [];
  });
  return counts.length === 0 ? null : counts.reduce((all, count) => all + count);
}

const UNITTEST = /([\s\S]*?)^Ran (\d+) tests? in .*\s*^(?:OK|FAILED) \((.*)\)/gm;

/**
 * The classes that unittest skipped as a whole: it counts each once among the skipped, and never among those that ran. It tells them with `-v`, or by letters
 * before the summary, unless tests print between these. What cannot be told is 0, so more may have run than is said.
 */
function skippedClasses(output: string): number {
  return [...output.matchAll(UNITTEST)].reduce((all, [, before = '', ran, said = '']) => {
    const skipped = sum(said, /skipped=(\d+)/g);
    const told = before.match(/^setUp(?:Class|Module) \(.*\) \.\.\. skipped/gm)?.length ?? 0;
    const letters = /^(?:={70}|-{70})$/m.exec(before)?.index ?? 0;
    const progress =
      before
        .slice(0, letters)
        .match(/^[.sFExu]+/gm)
        ?.join('') ?? '';
    const isWhole = progress.split('s').length - 1 === skipped;
    return all + (told > 0 || !isWhole ? told : Math.max(0, Math.min(skipped, progress.length - Number(ran))));
  }, 0);
}

/** The same without the planted tests. */
export function ownTestsReported(output: string, plants: readonly Plant[]): number | null {
  const all = testsReported(output);
  return all === null ? null : Math.max(0, all - casesShown(output, plants));
}

function sum(text: string, numbers: RegExp): number {
  return [...text.matchAll(numbers)].reduce((all, [, one, other]) => all + Number(one ?? other), 0);
}

/** How many tests failed, by the summaries of runners or the lines that go and cargo print; null if none says so. */
export function failuresReported(output: string): number | null {
  const plain = withoutColours(output);
  const inGo = plain.match(/^--- FAIL: /gm)?.length ?? 0;
  const inRust = sum(plain, /^test result: FAILED\. \d+ passed; (\d+) failed;/gm);
  const counts = SUMMARIES.flatMap(({ lines, failed }) => {
    const summary = plain.match(lines)?.join('\n') ?? '';
    return summary.search(failed) === -1 ? [] : [sum(summary, failed)];
  });
  return counts.length === 0 && inGo + inRust === 0 ? null : counts.reduce((all, count) => all + count, inGo + inRust);
}
