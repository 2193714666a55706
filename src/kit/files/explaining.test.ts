import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openScope } from '../async/scope.ts';
import { OperatorError } from '../pure/operator-error.ts';
import { explaining } from './explaining.ts';

const mistake = new OperatorError('usage', 'no such option', { hint: 'Leave it out.', exitCode: 2 });
const bug = new TypeError('x is not a function');
const fail = (error: unknown) => async () => {
  throw error;
};

describe('of what went wrong', () => {
  it('a refusal of the system is the environment’s, in one line with exit 4', async () => {
    const full = explaining(() => writeFile('/dev/full', 'x'));
    await expect(full).rejects.toMatchObject({ name: 'OperatorError', exitCode: 4, message: expect.stringContaining('ENOSPC'), cause: { code: 'ENOSPC' } });
  });

  it('a mistake of the operator stays what it is', async () => {
    await expect(explaining(fail(mistake))).rejects.toBe(mistake);
  });

  it('a bug stays a bug, also when it is a missing file', async () => {
    await expect(explaining(fail(bug))).rejects.toBe(bug);
    await expect(explaining(() => readFile('/no/such/file'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('what came first is told, not what went wrong while cleaning up after it', async () => {
    const both = async () => {
      await using scope = openScope();
      scope.defer(fail(bug));
      throw mistake;
    };
    await expect(both()).rejects.toMatchObject({ name: 'SuppressedError' });
    await expect(explaining(both)).rejects.toBe(mistake);
  });
});
