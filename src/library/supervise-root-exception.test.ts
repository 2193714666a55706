import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { judgeException } from './supervise-root.ts';

const withCode = (code: unknown, more: object = {}) => Object.assign(new Error('no'), { code, ...more });

describe('an exception of a root agent', () => {
  it.each([
    ['of something that could not be started', spawnSync('/no/such/agent').error],
    ['of something that was not found on PATH', withCode('ENOENT')],
    ['about a permission', withCode('EACCES', { syscall: 'spawn agent' })],
    ['about a configuration', new OperatorError('usage', 'no', { hint: '', exitCode: 2 })],
    ['that says so itself', { fatal: true }],
    ['that was caused by one', new Error('start agent', { cause: withCode('EPERM', { syscall: 'spawn agent' }) })],
  ])('is fatal: %s', (_what, error) => {
    expect(judgeException(error).isFatal).toBe(true);
  });

  it.each([
    ['of a file that is missing', () => readFile('/no/such/file').catch((error: unknown) => error)],
    ['of a network', () => withCode('ECONNRESET')],
    ['that is none', () => 'no'],
    ['that is nothing', () => undefined],
  ])('is worth another life: %s', async (_what, make) => {
    expect(judgeException(await make())).toEqual({ isFatal: false, exitCode: 1 });
  });

  it('stands for the process that it tells of', () => {
    expect(judgeException(withCode(42)).exitCode).toBe(42);
    expect(judgeException(new Error('it failed', { cause: { exitCode: 7 } })).exitCode).toBe(7);
    expect(judgeException(withCode(0)).exitCode).toBe(1);
    expect(judgeException(withCode(1000)).exitCode).toBe(1);
  });

  it('may be its own cause', () => {
    const error = new Error('no');
    error.cause = error;
    expect(judgeException(error).isFatal).toBe(false);
  });
});
