// A test that is red once and green when its file runs alone is flaky: a bug to mend, named loudly, but no reason to throw a day's work away.

/** More than this at once is no accident. */
const mostAtOnce = 3;

/** The failed tests that deserve a second look. None if a file did not load, or if something failed outside of a test. */
export function testsToRunAgain(report, output) {
  if (!report || /^\W*Unhandled (Errors?|Rejection)/m.test(output)) return [];
  const files = report.testResults.filter(({ status }) => status === 'failed');
  const failed = files.map(({ name, assertionResults }) => assertionResults.filter(isRed).map(({ fullName }) => ({ file: name, title: fullName })));
  return failed.every((tests) => tests.length > 0) && failed.flat().length <= mostAtOnce ? failed.flat() : [];
}

const isRed = ({ status }) => status === 'failed';

/** The arguments that run only the files of these tests, one after the other. */
export function onlyTheirFiles(argv, tests) {
  return [...argv.filter((arg) => !arg.startsWith('--maxWorkers')), ...new Set(tests.map(({ file }) => file)), '--maxWorkers=1'];
}
