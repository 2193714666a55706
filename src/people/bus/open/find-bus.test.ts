import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { type BusPurpose, type BusRequest, findBus, requireBus, senderOf } from './find-bus.ts';

let folder: ThrowAwayFolder;
let home = '';
beforeAll(async () => {
  folder = await openThrowAwayFolder();
  home = folder.path;
  for (const file of ['demo/task-1/TASK-MESSAGE-BUS.md', 'demo/PROJECT-MESSAGE-BUS.md', 'plain/MESSAGE-BUS.md', 'plain/PROJECT-MESSAGE-BUS.md']) {
    await mkdir(dirname(join(home, file)), { recursive: true });
    await writeFile(join(home, file), '');
  }
  await mkdir(join(home, 'demo/task-1/runs/r1'), { recursive: true });
  await mkdir(join(home, 'linked'));
  await symlink('nowhere', join(home, 'linked/MESSAGE-BUS.md'));
});
afterAll(() => folder[Symbol.asyncDispose]());

const open: BusRequest = { bus: null, root: null, project: null, task: null, projectBus: false };
const find = (purpose: BusPurpose, request: Partial<BusRequest>, { cwd = '.', env = {} }: { cwd?: string; env?: Record<string, string> } = {}) =>
  findBus(purpose, { ...open, ...request }, { cwd: join(home, cwd), env })?.path.replace(`${home}/`, '') ?? null;

const own = { env: { RALPH_MESSAGE_BUS: '/tasks/p/t/TASK-MESSAGE-BUS.md', RALPH_PROJECT_ID: 'p', RALPH_TASK_ID: 't' } };

describe('the bus to use', () => {
  it('is the named file before everything else', () => {
    expect(find('post', { bus: 'x.md' }, { ...own, cwd: 'demo/task-1' })).toBe('demo/task-1/x.md');
    expect(find('read', { bus: '/x.md' }, own)).toBe('/x.md');
  });

  it("is the agent's own one for an agent that posts, and the one of the flags for a reader", () => {
    expect(find('post', { project: 'demo', task: 'task-1' }, own)).toBe('/tasks/p/t/TASK-MESSAGE-BUS.md');
    expect(find('read', { project: 'demo', task: 'task-1' }, own)).toBe('.ralph/tasks/demo/task-1/TASK-MESSAGE-BUS.md');
    expect(find('read', {}, own)).toBe('/tasks/p/t/TASK-MESSAGE-BUS.md');
  });

  it('follows the flags for task, project and root; the project comes from the environment or the directory by default', () => {
    expect(find('post', { project: 'demo' })).toBe('.ralph/tasks/demo/PROJECT-MESSAGE-BUS.md');
    expect(find('post', { project: 'demo', task: 'task-1', root: 'r' })).toBe('r/demo/task-1/TASK-MESSAGE-BUS.md');
    expect(find('post', { project: 'demo', task: 'task-1', projectBus: true })).toBe('.ralph/tasks/demo/PROJECT-MESSAGE-BUS.md');
    expect(find('read', { task: 'task-1' }, own)).toBe('.ralph/tasks/p/task-1/TASK-MESSAGE-BUS.md');
    expect(find('read', { task: 'task-1' }, { cwd: 'plain' })).toBe('plain/.ralph/tasks/plain/task-1/TASK-MESSAGE-BUS.md');
  });

  it("is the nearest one above: a task's before a project's before any other", () => {
    expect(find('post', {}, { cwd: 'demo/task-1/runs/r1' })).toBe('demo/task-1/TASK-MESSAGE-BUS.md');
    expect(find('read', {}, { cwd: 'demo' })).toBe('demo/PROJECT-MESSAGE-BUS.md');
    expect(find('read', {}, { cwd: 'plain' })).toBe('plain/PROJECT-MESSAGE-BUS.md');
    expect(find('read', {}, { cwd: 'linked' }), 'to be refused when it is opened, not passed over').toBe('linked/MESSAGE-BUS.md');
    expect(find('read', {})).toBeNull();
  });

  it("is the project's when that is asked for, from any folder", () => {
    expect(find('post', { projectBus: true }, own)).toBe('/tasks/p/PROJECT-MESSAGE-BUS.md');
    expect(find('post', { projectBus: true }, { cwd: 'demo/task-1' })).toBe('demo/PROJECT-MESSAGE-BUS.md');
    expect(find('post', { projectBus: true }, { env: { RALPH_MESSAGE_BUS: join(home, 'plain/MESSAGE-BUS.md') } })).toBe('plain/PROJECT-MESSAGE-BUS.md');
  });

  it.each<readonly [string, Partial<BusRequest>]>([
    ['a project that leads out', { project: '../evil', task: 'a' }],
    ['a task that leads out', { project: 'demo', task: '../../evil' }],
    ['a root alone', { root: 'r' }],
    ['a file and a task', { bus: 'x.md', task: 'task-1' }],
    ['a file and the bus of the project', { bus: 'x.md', projectBus: true }],
  ])('is refused for %s', (_, request) => {
    expect(() => find('read', request)).toThrow(expect.objectContaining({ exitCode: 2, hint: expect.any(String) }));
  });

  it('is reported as missing in one line when there must be one', () => {
    expect(() => requireBus('read', open, { cwd: home, env: {} })).toThrow(`there is no message bus in ${home} or above it`);
  });
});

describe('the sender of a message', () => {
  it('comes from the environment of the run that posts', () => {
    const env = { RALPH_PROJECT_ID: 'p', RALPH_TASK_ID: 't', RALPH_RUN_ID: 'r' };
    expect(senderOf('/a/b/TASK-MESSAGE-BUS.md', env)).toEqual({ project_id: 'p', task_id: 't', run_id: 'r' });
  });

  it('otherwise comes from the folders of the bus', () => {
    expect(senderOf('/tasks/demo/task-1/TASK-MESSAGE-BUS.md', {})).toEqual({ project_id: 'demo', task_id: 'task-1' });
    expect(senderOf('/tasks/demo/PROJECT-MESSAGE-BUS.md', {})).toEqual({ project_id: 'demo' });
    expect(senderOf('/home/My Notes/x.md', {})).toEqual({ project_id: 'my-notes' });
    expect(senderOf('/TASK-MESSAGE-BUS.md', {})).toEqual({ project_id: 'project' });
  });
});
