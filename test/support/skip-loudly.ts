/**
 * For `skipIf`: with a reason the tests are left out, and that is said in one line which `npm test` shows although all is well.
 * In CI what is missing is a failure, unless no machine could have it.
 */
export function skipLoudly(why: string | null, inCi: 'fail' | 'skip' = 'fail'): boolean {
  if (why === null) return false;
  if (process.env['CI'] && inCi === 'fail') throw new Error(why);
  console.warn(`!!! SKIPPED, NOT TESTED: ${why}`);
  return true;
}

/** Some things only root can try. */
export function onlyForRoot(what: string): boolean {
  return skipLoudly(process.getuid?.() === 0 ? null : `${what}: only root can try that`, 'skip');
}

/** Nothing is closed to root. */
export function notForRoot(what: string): boolean {
  return skipLoudly(process.getuid?.() === 0 ? `${what}: nothing is closed to root` : null, 'skip');
}
