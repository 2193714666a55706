import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notForRoot } from '../../../test/support/skip-loudly.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { takeLock } from '../../store/lock.ts';
import { type InitRequest, initPlan } from './init-plan.ts';

const FILES = ['prd.md', 'progress.txt', 'prompt.md', 'tasks.json'];
const NOW_MS = Date.UTC(2025, 5, 15);

const init = (project: string, over: Partial<InitRequest> = {}) => initPlan({ project, name: 'My Feature', force: false, nowMs: NOW_MS, ...over });
const read = (project: string, name: string) => readFileSync(join(project, name), 'utf8');

describe('a new plan', () => {
  it('has four files, a name, a branch and a date', async () => {
    await using folder = await openThrowAwayFolder();
    const made = await init(folder.path);

    expect(made).toMatchObject({ kind: 'made', name: 'My Feature', branch: 'ralph/My-Feature', kept: [], marker: 'added' });
    expect(readdirSync(join(folder.path, 'ralph')).sort()).toEqual(FILES);
    expect(JSON.parse(read(folder.path, 'ralph/tasks.json'))).toMatchObject({ project: 'My Feature', branchName: 'ralph/My-Feature' });
    expect(read(folder.path, 'ralph/progress.txt')).toContain('Started: 2025-06-15\nPRD: My Feature\n');
    expect(read(folder.path, '.gitignore')).toBe('.ralph-active\n');
  });

  it('is named after its folder where nobody names it', async () => {
    await using folder = await openThrowAwayFolder();
    mkdirSync(join(folder.path, 'shop'));
    expect(await init(join(folder.path, 'shop'), { name: null })).toMatchObject({ name: 'shop', branch: 'ralph/shop' });
  });

  it('is made once: the second time nothing is changed', async () => {
    await using folder = await openThrowAwayFolder();
    await init(folder.path);
    writeFileSync(join(folder.path, 'ralph/prd.md'), 'mine');
    expect(await init(folder.path, { name: 'other' })).toEqual({ kind: 'there', path: 'ralph/tasks.json' });
    expect(read(folder.path, 'ralph/prd.md')).toBe('mine');
    expect(read(folder.path, '.gitignore')).toBe('.ralph-active\n');
  });

  it('replaces all four files with --force, and leaves the marker ignored once', async () => {
    await using folder = await openThrowAwayFolder();
    await init(folder.path);
    for (const name of FILES) writeFileSync(join(folder.path, 'ralph', name), 'mine');
    expect(await init(folder.path, { name: 'other', force: true })).toMatchObject({ kind: 'made', kept: [], marker: 'there' });
    for (const name of FILES) expect(read(folder.path, `ralph/${name}`)).not.toContain('mine');
    expect(readdirSync(join(folder.path, 'ralph')).sort()).toEqual(FILES);
  });

  it('keeps an existing PRD, and files of an interrupted init', async () => {
    await using folder = await openThrowAwayFolder();
    mkdirSync(join(folder.path, 'ralph'));
    writeFileSync(join(folder.path, 'ralph/prd.md'), '# Mine\n');
    expect(await init(folder.path)).toMatchObject({ kept: ['ralph/prd.md'], written: ['ralph/prompt.md', 'ralph/progress.txt', 'ralph/tasks.json'] });
    expect(read(folder.path, 'ralph/prd.md')).toBe('# Mine\n');
  });

  it('removes the temporary files of an interrupted init, and no others', async () => {
    await using folder = await openThrowAwayFolder();
    mkdirSync(join(folder.path, 'ralph'));
    writeFileSync(join(folder.path, `ralph/prd.md.${randomUUID()}.tmp`), 'half');
    writeFileSync(join(folder.path, 'ralph/prd.md.tmp'), 'theirs');
    await init(folder.path);
    expect(readdirSync(join(folder.path, 'ralph')).sort()).toEqual(['prd.md', 'prd.md.tmp', 'progress.txt', 'prompt.md', 'tasks.json']);
  });

  it('is not replaced while a loop is running', async () => {
    await using folder = await openThrowAwayFolder();
    await init(folder.path);
    mkdirSync(join(folder.path, '.ralph'));
    await takeLock(join(folder.path, '.ralph/lock'), 'run-1');
    await expect(init(folder.path, { force: true })).rejects.toMatchObject({ code: 'workspace-busy', message: expect.stringContaining('run-1') });
  });

  it.each([
    ['no newline at its end', 'dist', 'dist\n.ralph-active\n'],
    ['line ends of Windows', 'a\r\nb\r\n', 'a\r\nb\r\n.ralph-active\r\n'],
    ['the marker already', 'a\n/.ralph-active\nb', 'a\n/.ralph-active\nb'],
    ['the marker with a blank behind it', '.ralph-active \n', '.ralph-active \n'],
    ['a comment about it', '# .ralph-active\n', '# .ralph-active\n.ralph-active\n'],
  ])('adds the marker to a .gitignore with %s', async (_, before, after) => {
    await using folder = await openThrowAwayFolder();
    writeFileSync(join(folder.path, '.gitignore'), before, { mode: 0o640 });
    await init(folder.path);
    expect(read(folder.path, '.gitignore')).toBe(after);
    expect(lstatSync(join(folder.path, '.gitignore')).mode & 0o777).toBe(0o640);
  });

  it.each(['ralph', 'ralph/prd.md', 'ralph/prompt.md', 'ralph/progress.txt', 'ralph/tasks.json'])('is never written through a link: %s', async (name) => {
    await using folder = await openThrowAwayFolder();
    const project = join(folder.path, 'project');
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(folder.path, 'outside'), 'theirs');
    mkdirSync(join(folder.path, 'folder'));
    symlinkSync(join(folder.path, name === 'ralph' ? 'folder' : 'outside'), join(project, name));

    await expect(init(project, { force: true })).rejects.toMatchObject({ code: 'plan-not-written', exitCode: 2 });
    expect(read(folder.path, 'outside')).toBe('theirs');
    expect(readdirSync(join(folder.path, 'folder'))).toEqual([]);
    expect(existsSync(join(project, '.gitignore'))).toBe(false);
  });

  it('leaves a .gitignore that is a link unchanged, and says so', async () => {
    await using folder = await openThrowAwayFolder();
    const project = join(folder.path, 'project');
    mkdirSync(project);
    writeFileSync(join(folder.path, 'outside'), 'theirs');
    symlinkSync('../outside', join(project, '.gitignore'));
    expect(await init(project)).toMatchObject({ kind: 'made', marker: 'refused' });
    expect(read(folder.path, 'outside')).toBe('theirs');
  });

  it.skipIf(notForRoot('a plan where nothing can be written'))('is refused where nothing can be written', async () => {
    await using folder = await openThrowAwayFolder();
    chmodSync(folder.path, 0o555);
    await expect(init(folder.path)).rejects.toMatchObject({ code: 'plan-not-written', exitCode: 4 });
    chmodSync(folder.path, 0o755);
  });
});
