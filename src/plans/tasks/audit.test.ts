import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { type AuditChange, openTaskAudit, readTaskAudit } from './audit.ts';

const auditFile = (home: string) => join(home, 'logs', 'task-audit.jsonl');

let folder: ThrowAwayFolder;
beforeEach(async () => {
  folder = await openThrowAwayFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const word = (task_id: string): AuditChange => ({ event: 'claimed', task_id, old_status: 'ready', new_status: 'in-progress', trigger: 'me' });

describe('the audit log of tasks', () => {
  it('has a line for each change, with time and worktree', async () => {
    await openTaskAudit(folder.path, 'alpha')(word('T-1'));
    const lines = (await readFile(auditFile(folder.path), 'utf8')).split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ ...word('T-1'), timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), worktree: 'alpha' });
  });

  it('keeps a given time and worktree', async () => {
    await openTaskAudit(folder.path, 'alpha')({ ...word('T-1'), timestamp: '2026-01-01T00:00:00Z', worktree: 'beta', notes: 'why' });
    expect(await readTaskAudit(folder.path, 5)).toMatchObject([{ timestamp: '2026-01-01T00:00:00Z', worktree: 'beta', notes: 'why' }]);
  });

  it('loses no line of many concurrent writers', async () => {
    const audit = openTaskAudit(folder.path, 'alpha');
    await Promise.all(Array.from({ length: 200 }, (_, index) => audit(word(`T-${index}`))));
    expect(new Set((await readTaskAudit(folder.path, 1_000)).map(({ task_id }) => task_id)).size).toBe(200);
  });

  it('returns the last entries, oldest first, and skips foreign lines', async () => {
    const audit = openTaskAudit(folder.path, 'alpha');
    for (const id of ['T-1', 'T-2', 'T-3']) await audit(word(id));
    await appendFile(auditFile(folder.path), 'not json\n{"event":"claimed"}\n\n');
    expect((await readTaskAudit(folder.path, 2)).map(({ task_id }) => task_id)).toEqual(['T-2', 'T-3']);
    expect(await readTaskAudit(folder.path, 0)).toEqual([]);
  });

  it('is empty when the file does not exist', async () => {
    expect(await readTaskAudit(folder.path, 20)).toEqual([]);
  });
});

describe('a writer of the audit log', () => {
  it('is not stopped by a folder that cannot be made', async () => {
    await writeFile(join(folder.path, 'logs'), 'a file');
    await openTaskAudit(folder.path, 'alpha')(word('T-1'));
    expect(await readTaskAudit(folder.path, 20)).toEqual([]);
  });

  it('is not stopped by a link, and writes nothing through it', async () => {
    await mkdir(join(folder.path, 'logs'));
    await writeFile(join(folder.path, 'precious'), '');
    await symlink(join(folder.path, 'precious'), auditFile(folder.path));
    await openTaskAudit(folder.path, 'alpha')(word('T-1'));
    expect(await readFile(join(folder.path, 'precious'), 'utf8')).toBe('');
  });

  it('is not stopped by a pipe that nobody reads', async () => {
    await mkdir(join(folder.path, 'logs'));
    expect(spawnSync('mkfifo', [auditFile(folder.path)]).status).toBe(0);
    await openTaskAudit(folder.path, 'alpha')(word('T-1'));
    expect(await readTaskAudit(folder.path, 20)).toEqual([]);
  });
});
