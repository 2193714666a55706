import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { readTaskFiles } from './task-files.ts';

async function recordDependencies(folder: string, dependsOn: readonly string[]) {
  const files = await readTaskFiles(folder, { prompt: null, needsPrompt: false, dependsOn });
  await files.keep();
  return files.dependsOn;
}

/** The tasks of a project with the contents of their TASK-CONFIG.yaml. */
async function openProject(configs: Readonly<Record<string, string>> = {}) {
  const project = await openThrowAwayFolder();
  const folderOf = (task: string) => join(project.path, task);
  const configOf = (task: string) => join(folderOf(task), 'TASK-CONFIG.yaml');
  await mkdir(folderOf('a'));
  for (const [task, text] of Object.entries(configs)) {
    await mkdir(folderOf(task), { recursive: true });
    await writeFile(configOf(task), text);
  }
  return {
    configOf,
    ask: (...asked: readonly string[]) => recordDependencies(folderOf('a'), asked),
    config: () => readFile(configOf('a'), 'utf8'),
    names: () => readdir(folderOf('a')),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

describe('the dependencies of a task', () => {
  it('are kept for later starts', async () => {
    await using project = await openProject();
    expect(await project.ask(' b ', 'c, b')).toEqual(['b', 'c']);
    expect(await project.config()).toBe('depends_on:\n  - b\n  - c\n');
    expect(await project.ask()).toEqual(['b', 'c']);
  });

  it('are empty by default, and then nothing is written', async () => {
    await using project = await openProject();
    expect(await project.ask()).toEqual([]);
    expect(await project.names()).toEqual([]);
  });

  it('are replaced by others, and removed by an empty value', async () => {
    await using project = await openProject({ a: 'depends_on: [b, c]\nowner: ann\n' });
    expect(await project.ask('d')).toEqual(['d']);
    expect(await project.ask()).toEqual(['d']);
    expect(await project.ask('')).toEqual([]);
    expect(await project.config()).toBe('owner: ann\n');
  });

  it('leave the rest of the file as it is, including comments and long lines', async () => {
    const foreign = `# Ours.\nowner: ann # who else\nnote: ${'word '.repeat(40)}end\n`;
    await using project = await openProject({ a: `${foreign}depends_on: [b]\n# The end.\n` });
    await project.ask('c');
    const config = await project.config();
    expect(config).toContain(foreign);
    expect(config).toContain('# The end.');
    expect(await project.ask()).toEqual(['c']);
  });

  it('do not touch a file that says the same already', async () => {
    await using project = await openProject({ a: 'depends_on:   [ "b" ,c ]\n' });
    const before = await stat(project.configOf('a'));
    expect(await project.ask('b', 'c')).toEqual(['b', 'c']);
    expect((await stat(project.configOf('a'))).ino).toBe(before.ino);
  });

  it.each([
    ['nothing but comments', '# nothing yet\n', []],
    ['an empty key', 'depends_on:\n', []],
    ['one word', 'depends_on: b\n', ['b']],
    ['words with commas', 'depends_on: "b, c"\n', ['b', 'c']],
    ['JSON', '{"depends_on": ["b"]}', ['b']],
  ])('are read from %s', async (_name, text, expected) => {
    await using project = await openProject({ a: text });
    expect(await project.ask()).toEqual(expected);
  });

  it('are added to a file that contains only comments', async () => {
    await using project = await openProject({ a: '# nothing yet\n' });
    await project.ask('b');
    expect(await project.config()).toContain('# nothing yet');
    expect(await project.ask()).toEqual(['b']);
  });
});

describe('refused dependencies', () => {
  it.each([
    [['../evil'], '"../evil" is no task id'],
    [['b,/etc'], '"/etc" is no task id'],
    [['a'], 'task a cannot depend on itself'],
    [['b'], 'dependency cycle detected: a -> b -> a'],
    [['x', 'c'], 'dependency cycle detected: a -> c -> b -> a'],
  ])('are %j: %s', async (asked, message) => {
    await using project = await openProject({ b: 'depends_on: [a]', c: 'depends_on: [x, b]' });
    await expect(project.ask(...asked)).rejects.toMatchObject({ message, exitCode: 2 });
    expect(await project.names()).toEqual([]);
  });

  it('include those that were kept before another task came to depend on this one', async () => {
    await using project = await openProject({ a: 'depends_on: [b]', b: 'depends_on: [a]' });
    await expect(project.ask()).rejects.toMatchObject({ message: 'dependency cycle detected: a -> b -> a' });
  });
});

describe('an unusable configuration', () => {
  it.each([
    ['a tab', 'depends_on:\n\t- b', 'line 2: there is a tab in the indentation, where YAML wants spaces'],
    ['a list', '- b', 'it must be a map of settings'],
    ['a number', 'depends_on: [7]', 'depends_on must be a list of task ids'],
    ['a way out', 'depends_on: [../../etc]', '"../../etc" is no task id'],
    ['far too much', `# ${'x'.repeat(100_000)}`, 'it has more than 100000 characters'],
  ])('with %s is reported in one line, in this task and in its dependencies', async (_name, text, why) => {
    await using project = await openProject({ a: text, b: text });
    await expect(project.ask()).rejects.toMatchObject({ message: `cannot use ${project.configOf('a')}: ${why}`, exitCode: 2 });
    await expect(project.ask('b')).rejects.toMatchObject({ message: `cannot use ${project.configOf('b')}: ${why}`, exitCode: 2 });
    expect(await project.config()).toBe(text);
  });

  it('is never read through a link or a pipe', async () => {
    await using project = await openProject({ b: '' });
    await symlink(project.configOf('b'), project.configOf('a'));
    await expect(project.ask()).rejects.toThrow('it is a symbolic link');
    await expect(project.ask('b')).rejects.toThrow('it is a symbolic link');
    await using other = await openProject();
    execFileSync('mkfifo', [other.configOf('a')]);
    await expect(other.ask()).rejects.toThrow('it is not a regular file');
  });
});
