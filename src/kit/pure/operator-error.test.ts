import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openScope } from '../async/scope.ts';
import { OperatorError, withOperatorErrors } from './operator-error.ts';

const mistake = new OperatorError('usage', 'no such option', { hint: 'Leave it out.', exitCode: 2 });
const bug = new TypeError('x is not a function');
const fail = (error: unknown) => async () => {
  throw error;
};

describe('an error', () => {
  it('of the file system becomes one line with exit code 4', async () => {
    const full = withOperatorErrors(() => writeFile('/dev/full', 'x'));
    await expect(full).rejects.toMatchObject({ name: 'OperatorError', exitCode: 4, message: expect.stringContaining('ENOSPC'), cause: { code: 'ENOSPC' } });
  });

  it('of the operator stays unchanged', async () => {
    await expect(withOperatorErrors(fail(mistake))).rejects.toBe(mistake);
  });

  it('that is a bug stays a bug, even if it is about a missing file', async () => {
    await expect(withOperatorErrors(fail(bug))).rejects.toBe(bug);
    await expect(withOperatorErrors(() => readFile('/no/such/file'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is reported instead of a later error during the clean-up', async () => {
    const both = async () => {
      await using scope = openScope();
      scope.defer(fail(bug));
      throw mistake;
    };
    await expect(both()).rejects.toMatchObject({ name: 'SuppressedError' });
    await expect(withOperatorErrors(both)).rejects.toBe(mistake);
  });
});
