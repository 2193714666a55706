import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { GitTrouble } from '../../workspace/tasks/locks.ts';
import { printError } from './print-error.ts';

describe('the exit code of an error that ends a command', () => {
  it('is 4 when a file, folder or socket is gone', async () => {
    const gone = await readFile('/nowhere/at/all').catch((error: unknown) => error);
    expect(printError(gone)).toBe(4);
  });

  it('is 4 when git refuses, wherever that is met', () => {
    expect(printError(new GitTrouble('git cannot read the repository: fatal: unable to write'))).toBe(4);
  });

  it('is 70 when Ralph has a bug', () => {
    expect(printError(new TypeError('undefined is not a function'))).toBe(70);
  });

  it('is the one that an operator error names', () => {
    expect(printError(new OperatorError('usage', 'no', { hint: 'Say yes.', exitCode: 2 }))).toBe(2);
  });
});
