// Counts tests in vitest's JSON report, and those that test/support/deep.ts left for npm run test:all.
import { existsSync, readFileSync } from 'node:fs';

const nothing = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };

/** A file that could not be loaded counts as one failure; so does a run that failed without a failed test. */
export function readCounts(file, { output, succeeded }) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : nothing;
  const broken = report.testResults.filter((result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed')).length;
  const failed = report.numFailedTests + broken;
  const deep = report.testResults.flatMap(({ assertionResults }) => assertionResults).filter(isLeftAsDeep).length;
  return {
    passed: report.numPassedTests,
    failed: succeeded || failed > 0 ? failed : 1,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0) - deep,
    deep: deep + rowsLeftOut(output),
    files: report.testResults.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime })),
  };
}

const isLeftAsDeep = ({ status, ancestorTitles = [] }) =>
  status !== 'passed' && status !== 'failed' && ancestorTitles.some((title) => title.startsWith('deep: '));

/** Table rows are skipped before vitest sees them. */
function rowsLeftOut(output) {
  return [...output.matchAll(/^>>> MOVED TO npm run test:all: (\d+) of \d+ rows/gm)].reduce((sum, [, rows]) => sum + Number(rows), 0);
}
