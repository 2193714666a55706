import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { readTaskFiles } from './task-files.ts';

async function openTask() {
  const root = await openThrowAwayFolder();
  const folder = join(root.path, 'demo', 'task-001');
  await mkdir(folder, { recursive: true });
  return {
    folder,
    file: join(folder, 'TASK.md'),
    beside: root.path,
    names: () => readdir(folder),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  };
}

async function taskPrompt(folder: string, prompt: RunSettings['prompt'] | null, needsPrompt: boolean) {
  const files = await readTaskFiles(folder, { prompt, needsPrompt, dependsOn: [] });
  await files.keep();
  return files.prompt;
}

const said = (text: string) => ({ from: 'text' as const, text });

describe('TASK.md', () => {
  it('is created from the first prompt, letter for letter', async () => {
    await using task = await openTask();
    expect(await taskPrompt(task.folder, said('Build it.\r\n ä '), true)).toEqual(said('Build it.\r\n ä '));
    expect(await readFile(task.file, 'utf8')).toBe('Build it.\r\n ä ');
    expect(await task.names()).toEqual(['TASK.md']);
  });

  it("is created from a prompt file too, which stays the agent's prompt", async () => {
    await using task = await openTask();
    const path = join(task.beside, 'prompt.md');
    await writeFile(path, 'Build it.');
    expect(await taskPrompt(task.folder, { from: 'file', path }, true)).toEqual({ from: 'file', path });
    expect(await readFile(task.file, 'utf8')).toBe('Build it.');
  });

  it('is never overwritten, though a later prompt takes precedence', async () => {
    await using task = await openTask();
    await writeFile(task.file, 'first');
    expect(await taskPrompt(task.folder, said('second'), true)).toEqual(said('second'));
    expect(await readFile(task.file, 'utf8')).toBe('first');
  });

  it('is the prompt when no other is given', async () => {
    await using task = await openTask();
    await writeFile(task.file, 'Build it.\n');
    expect(await taskPrompt(task.folder, null, true)).toEqual(said('Build it.\n'));
    expect(await taskPrompt(task.folder, said(' \n'), true)).toEqual(said('Build it.\n'));
  });

  it('has one first prompt, however many runs start at once, and leaves no temporary files', async () => {
    await using task = await openTask();
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => taskPrompt(task.folder, said(text), true)));
    expect(await readFile(task.file, 'utf8')).toMatch(/^[abcd]$/);
    expect(await task.names()).toEqual(['TASK.md']);
  });
});

describe('a task without a prompt', () => {
  it('is refused in the words of the seed, with what to do', async () => {
    await using task = await openTask();
    const refusal = { message: 'TASK.md not found and no prompt provided', exitCode: 2, hint: expect.stringContaining(task.file) };
    await expect(taskPrompt(task.folder, null, true)).rejects.toMatchObject(refusal);
    await expect(taskPrompt(join(task.folder, 'gone'), null, true)).rejects.toMatchObject({ message: refusal.message });
    expect(await task.names()).toEqual([]);
  });

  it('is refused for an empty file as well', async () => {
    await using task = await openTask();
    await writeFile(task.file, ' \n');
    await expect(taskPrompt(task.folder, null, true)).rejects.toMatchObject({ message: 'TASK.md is empty and no prompt provided' });
  });

  it('is accepted for a command that needs no prompt', async () => {
    await using task = await openTask();
    expect(await taskPrompt(task.folder, null, false)).toEqual(said(''));
    expect(await task.names()).toEqual([]);
  });
});

describe('a TASK.md that is not plain text', () => {
  it.each<[string, string, (path: string, beside: string) => unknown]>([
    ['a link', 'it is a symbolic link', (path, beside) => symlink(join(beside, 'secret'), path)],
    ['a link to nothing', 'it is a symbolic link', (path, beside) => symlink(join(beside, 'nowhere'), path)],
    ['a directory', 'it is a directory', (path) => mkdir(path)],
    ['a pipe', 'it is not a regular file', (path) => execFileSync('mkfifo', [path])],
    ['other bytes', 'it is not UTF-8 text', (path) => writeFile(path, Buffer.from([0xff, 0xfe, 0x00]))],
    ['far too long', 'it is larger than a megabyte', (path) => writeFile(path, 'x'.repeat(1024 * 1024 + 1))],
  ])('is refused as %s, with a prompt and without', async (_name, why, make) => {
    await using task = await openTask();
    await writeFile(join(task.beside, 'secret'), 'a secret');
    await make(task.file, task.beside);
    for (const prompt of [null, said('Build it.')]) {
      await expect(taskPrompt(task.folder, prompt, true)).rejects.toMatchObject({ message: `cannot use ${task.file}: ${why}`, exitCode: 2 });
    }
    expect(await readdir(task.beside)).toEqual(['demo', 'secret']);
  });
});

it('a missing prompt file is refused before anything is kept', async () => {
  await using task = await openTask();
  await expect(taskPrompt(task.folder, { from: 'file', path: join(task.beside, 'gone.md') }, true)).rejects.toThrow(OperatorError);
  expect(await task.names()).toEqual([]);
});
