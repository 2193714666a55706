// Counts tests in vitest's JSON report, and those that test/support/deep.ts left for npm run test:all.
import { readFileSync } from 'node:fs';

const nothing = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };

/** A file that could not be loaded counts as one failure; so does a run that failed without a failed test, or left no report. */
export function readCounts(written, { output, succeeded }) {
  const report = written ?? nothing;
  const broken = report.testResults.filter((result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed')).length;
  const failed = report.numFailedTests + broken;
  const deep = report.testResults.flatMap(({ assertionResults }) => assertionResults).filter(isLeftAsDeep).length;
  return {
    passed: report.numPassedTests,
    failed: (written && succeeded) || failed > 0 ? failed : 1,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0) - deep,
    deep: deep + rowsLeftOut(output),
    files: report.testResults.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime })),
  };
}

/** Vitest's JSON report. Null if the run died: it has written none, or half of one. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

const isLeftAsDeep = ({ status, title = '', ancestorTitles = [] }) =>
  status !== 'passed' && status !== 'failed' && [...ancestorTitles, title].some((each) => each.startsWith('deep: '));

/** Table rows are skipped before vitest sees them. */
function rowsLeftOut(output) {
  return [...output.matchAll(/^>>> MOVED TO npm run test:all: (\d+) of \d+ rows/gm)].reduce((sum, [, rows]) => sum + Number(rows), 0);
}
