import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { defaultProjectId, newTaskId, projectId, taskFolderOf, taskId } from './task-place.ts';

const NOW_MS = Date.UTC(2026, 1, 23, 19, 17, 10, 999);

function refusal(act: () => unknown): OperatorError {
  try {
    act();
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

const harmful = [
  '',
  ' ',
  '.',
  '..',
  '../x',
  'a/../b',
  '/',
  '/etc',
  'a/b',
  'a\\b',
  'a b',
  ' a',
  'a\n',
  'a\0b',
  '-a',
  'a-',
  '.a',
  'a.',
  '~',
  'ä',
  '$HOME',
  '%2e%2e',
];

describe('a project id', () => {
  it.each(['a', '7', 'demo', 'my-project', 'a--b', '0-0', 'a'.repeat(100)])('may be %s', (id) => expect(projectId(id)).toBe(id));

  it.each([...harmful, 'a.b', 'a_b', 'Demo', 'a'.repeat(101)])('is not %j', (id) => {
    expect(refusal(() => projectId(id))).toMatchObject({ code: 'usage', exitCode: 2 });
  });
});

describe('a task id', () => {
  it.each(['a', 'task-001', 'task-20260223-191710-docs', 'v1.2', 'a_b', 'a.b-c_d', 'a'.repeat(100)])('may be %s', (id) => expect(taskId(id)).toBe(id));

  it.each([...harmful, 'a..b', 'Task-001', '_a', 'a_', 'a'.repeat(101)])('is not %j', (id) => {
    expect(refusal(() => taskId(id))).toMatchObject({ code: 'usage', exitCode: 2 });
  });
});

describe('the error for a bad id', () => {
  it('names the id and the allowed characters', () => {
    const { message, hint } = refusal(() => taskId('../evil'));
    expect(message).toBe('"../evil" is no task id');
    expect(hint).toContain('task-001');
  });

  it('suggests the id in lower case if that is valid', () => {
    expect(refusal(() => taskId('Task-A')).hint).toBe('Ids are lower case: task-a');
    expect(refusal(() => projectId('My_App')).hint).not.toContain('my_app');
  });

  it('cuts a very long id', () => {
    expect(refusal(() => taskId('x'.repeat(100_000))).message).toBe('a task id has 100 characters at most');
  });

  it('is one line without control characters', () => {
    expect(refusal(() => projectId('a\n\u001b[2J\u009b\u202eb')).message).toMatch(/^[\x20-\x7e\ufffd]+$/);
  });
});

describe('a generated task id', () => {
  it('contains the time and the name of the task', () => {
    expect(newTaskId(NOW_MS, 'Fix the docs!')).toBe('task-20260223-191710-fix-the-docs');
  });

  it.each(['', 'ä', 'ab'])('has six random characters instead of a name like %j', (name) => {
    const ids = [newTaskId(NOW_MS, name), newTaskId(NOW_MS, name)];
    for (const id of ids) expect(id).toMatch(/^task-20260223-191710-[a-z0-9]{6}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is a valid task id for a name of any length', () => {
    const id = newTaskId(NOW_MS, `${'-'.repeat(9)}${'x'.repeat(49)} ${'y'.repeat(999)}`);
    expect(taskId(id)).toBe(`task-20260223-191710-${'x'.repeat(49)}`);
  });
});

describe('the project of a directory', () => {
  it.each([
    ['/home/ann/My App', 'my-app'],
    ['/srv/app.v2/', 'app-v2'],
    ['/', 'project'],
    ['/home/ann/…', 'project'],
  ])('%s is %s', (cwd, expected) => {
    expect(defaultProjectId(cwd)).toBe(expected);
    expect(projectId(defaultProjectId(cwd))).toBe(expected);
  });
});

describe('the folder of a task', () => {
  it('lies below its project', () => expect(taskFolderOf('/root', 'demo', 'task-001')).toBe(join('/root', 'demo', 'task-001')));

  it('is never outside of the root', () => {
    expect(() => taskFolderOf('/root', '..', 'task-001')).toThrow(OperatorError);
    expect(() => taskFolderOf('/root', 'demo', '../../etc')).toThrow(OperatorError);
  });
});
