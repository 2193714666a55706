import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { openTaskFolder, type TaskRuns } from './open-task-folder.ts';

const noRuns: TaskRuns = { anyActive: false, newestDone: null };

/** A task in its project, and other tasks with the given status. */
async function openTask(others: Readonly<Record<string, TaskRuns>> = {}) {
  const root = await openThrowAwayFolder();
  const folder = join(root.path, 'demo', 'task-001');
  await mkdir(folder, { recursive: true });
  const runsOf = async (path: string) => others[path.slice(dirname(folder).length + 1)] ?? noRuns;
  return {
    folder,
    project: dirname(folder),
    task: (dependsOn: readonly string[] = []) => openTaskFolder({ folder, dependsOn, runsOf }),
    names: async () => (await readdir(folder)).sort(),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  };
}

describe('DONE', () => {
  it('exists when a regular file has its name, whatever is in it', async () => {
    await using place = await openTask();
    expect(await place.task().done()).toEqual({ kind: 'absent' });
    await writeFile(join(place.folder, 'DONE'), '');
    expect(await place.task().done()).toEqual({ kind: 'file' });
  });

  it('does not exist when the task folder does not', async () => {
    await using place = await openTask();
    const gone = openTaskFolder({ folder: join(place.project, 'gone'), dependsOn: [], runsOf: async () => noRuns });
    expect(await gone.done()).toEqual({ kind: 'absent' });
  });

  it.each<[string, (path: string) => unknown]>([
    ['directory', (path) => mkdir(path)],
    ['symbolic link', (path) => symlink('TASK.md', path)],
    ['symbolic link', (path) => symlink('nowhere', path)],
    ['named pipe', (path) => execFileSync('mkfifo', [path])],
  ])('is a problem as a %s, even if it leads to a file', async (kind, make) => {
    await using place = await openTask();
    await writeFile(join(place.folder, 'TASK.md'), 'work');
    await make(join(place.folder, 'DONE'));
    expect(await place.task().done()).toEqual({ kind: 'problem', why: `DONE is a ${kind}` });
  });

  it('is a problem as a socket', async () => {
    await using place = await openTask();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(place.folder, 'DONE'), resolve));
    try {
      expect(await place.task().done()).toEqual({ kind: 'problem', why: 'DONE is a socket' });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('is a named problem when it cannot be read', async () => {
    await using place = await openTask();
    await writeFile(join(place.folder, 'file'), '');
    const inAFile = openTaskFolder({ folder: join(place.folder, 'file'), dependsOn: [], runsOf: async () => noRuns });
    expect(await inAFile.done()).toEqual({ kind: 'problem', why: 'DONE cannot be read: ENOTDIR' });
  });
});

describe('a refused DONE', () => {
  it('stays beside its place with its content', async () => {
    await using place = await openTask();
    await writeFile(join(place.folder, 'DONE'), 'really');
    expect(await place.task().refuseDone(1)).toBe('DONE.refused-1');
    expect(await place.names()).toEqual(['DONE.refused-1']);
    expect(await readFile(join(place.folder, 'DONE.refused-1'), 'utf8')).toBe('really');
  });

  it('never overwrites a file: it takes the next free number', async () => {
    await using place = await openTask();
    await writeFile(join(place.folder, 'DONE.refused-1'), 'first');
    await mkdir(join(place.folder, 'DONE.refused-2'));
    await symlink('nowhere', join(place.folder, 'DONE.refused-3'));
    await writeFile(join(place.folder, 'DONE'), 'fourth');
    expect(await place.task().refuseDone(1)).toBe('DONE.refused-4');
    expect(await readFile(join(place.folder, 'DONE.refused-1'), 'utf8')).toBe('first');
    expect(await readFile(join(place.folder, 'DONE.refused-4'), 'utf8')).toBe('fourth');
    expect(await place.names()).toEqual(['DONE.refused-1', 'DONE.refused-2', 'DONE.refused-3', 'DONE.refused-4']);
  });

  it('is null when somebody has removed DONE, or put something else there', async () => {
    await using place = await openTask();
    expect(await place.task().refuseDone(1)).toBeNull();
    await mkdir(join(place.folder, 'DONE'));
    expect(await place.task().refuseDone(1)).toBeNull();
    expect(await place.names()).toEqual(['DONE']);
  });
});

describe('a task that depends on others', () => {
  it('is blocked by those that run, have failed or are missing, and by no other', async () => {
    await using place = await openTask({
      completed: { anyActive: false, newestDone: true },
      running: { anyActive: true, newestDone: null },
      again: { anyActive: true, newestDone: true },
      failed: { anyActive: false, newestDone: false },
      done: { anyActive: false, newestDone: false },
    });
    await mkdir(join(place.project, 'done'));
    await writeFile(join(place.project, 'done', 'DONE'), '');
    expect(await place.task(['done', 'completed', 'running', 'again', 'failed', 'missing']).blockedBy()).toEqual([
      { task: 'running', why: 'running' },
      { task: 'again', why: 'running' },
      { task: 'failed', why: 'failed' },
      { task: 'missing', why: 'missing' },
    ]);
  });

  it('is not unblocked by a DONE that is not a file', async () => {
    await using place = await openTask();
    await mkdir(join(place.project, 'odd', 'DONE'), { recursive: true });
    expect(await place.task(['odd']).blockedBy()).toEqual([{ task: 'odd', why: 'missing' }]);
  });

  it('is not blocked without dependencies', async () => {
    await using place = await openTask();
    expect(await place.task().blockedBy()).toEqual([]);
  });
});
