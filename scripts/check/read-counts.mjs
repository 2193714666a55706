// Counts tests from vitest's JSON report.
import { existsSync, readFileSync } from 'node:fs';

/** A file that could not be loaded is one failure; so is a run that failed without saying which test did. */
export function readCounts(file, succeeded) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  const broken = report.testResults.filter((result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed')).length;
  const failed = report.numFailedTests + broken;
  return {
    passed: report.numPassedTests,
    failed: succeeded || failed > 0 ? failed : 1,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}
