import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { judgeException } from './supervise-root.ts';

const withCode = (code: unknown, more: object = {}) => Object.assign(new Error('no'), { code, ...more });

describe('an exception of a root agent', () => {
  it.each([
    ['from a process that could not be started', spawnSync('/no/such/agent').error],
    ['from a command that was not found on PATH', withCode('ENOENT')],
    ['about a permission', withCode('EACCES', { syscall: 'spawn agent' })],
    ['about a configuration', new OperatorError('usage', 'no', { hint: '', exitCode: 2 })],
    ['that is marked as fatal', { fatal: true }],
    ['with a fatal cause', new Error('start agent', { cause: withCode('EPERM', { syscall: 'spawn agent' }) })],
  ])('is fatal: %s', (_what, error) => {
    expect(judgeException(error).isFatal).toBe(true);
  });

  it.each([
    ['about a missing file', () => readFile('/no/such/file').catch((error: unknown) => error)],
    ['of the network', () => withCode('ECONNRESET')],
    ['that is a text', () => 'no'],
    ['that is undefined', () => undefined],
  ])('leads to a restart: %s', async (_what, make) => {
    expect(judgeException(await make())).toEqual({ isFatal: false, exitCode: 1 });
  });

  it('passes on the exit code of its process', () => {
    expect(judgeException(withCode(42)).exitCode).toBe(42);
    expect(judgeException(new Error('it failed', { cause: { exitCode: 7 } })).exitCode).toBe(7);
    expect(judgeException(withCode(0)).exitCode).toBe(1);
    expect(judgeException(withCode(1000)).exitCode).toBe(1);
  });

  it('may be its own cause without an endless loop', () => {
    const error = new Error('no');
    error.cause = error;
    expect(judgeException(error).isFatal).toBe(false);
  });
});
