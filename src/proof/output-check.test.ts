import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { checkOutputs } from './output-check.ts';

let top: string;
let beside: string;

beforeEach(async () => {
  const folder = await openThrowAwayFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  top = join(folder.path, 'tree');
  beside = join(folder.path, 'beside');
  await mkdir(top);
  await mkdir(beside);
});

async function write(path: string, bytes: number): Promise<void> {
  const file = join(top, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, 'x'.repeat(bytes));
}

const missing = async (...outputs: readonly string[]) => (await checkOutputs(top, outputs)).missing;

describe('the declared outputs', () => {
  it('are fine if files and folders have contents', async () => {
    await write('dist/app.js', 200);
    await write('docs/deep/down/guide.md', 600);
    await symlink('app.js', join(top, 'dist', 'latest.js'));
    expect(await checkOutputs(top, ['dist/app.js', './dist//app.js', 'docs/', 'docs/deep', 'dist/latest.js', 'dist/../docs'])).toEqual({
      missing: [],
      warnings: [],
    });
  });

  it('are reported one by one if they are missing or empty', async () => {
    await write('empty.txt', 0);
    await mkdir(join(top, 'nothing'));
    await write('hidden/.gitkeep', 200);
    await write('hidden/.cache/file', 200);
    await mkdir(join(top, 'hollow/inner'), { recursive: true });
    expect(await missing('gone.txt', 'gone.txt', 'empty.txt', 'nothing', 'hidden', 'hollow', 'empty.txt/below')).toEqual([
      'Output file missing: gone.txt',
      'Output file is empty: empty.txt',
      'Output directory is empty: nothing',
      'Output directory is empty: hidden',
      'Output directory is empty: hollow',
      'Output file missing: empty.txt/below',
    ]);
  });

  it('must be inside the work tree', async () => {
    await writeFile(join(beside, 'secret.txt'), 'x'.repeat(200));
    expect(await missing('../beside/secret.txt', '/etc/passwd', 'a/../../beside/secret.txt', '..', '.git', 'sub/.GIT/config')).toEqual([
      'Output is outside the work tree: ../beside/secret.txt',
      'Output is outside the work tree: /etc/passwd',
      'Output is outside the work tree: a/../../beside/secret.txt',
      'Output is outside the work tree: ..',
      'Output is outside the work tree: .git',
      'Output is outside the work tree: sub/.GIT/config',
    ]);
  });

  it('must not be links that lead out of the work tree, or nowhere', async () => {
    await writeFile(join(beside, 'secret.txt'), 'x'.repeat(200));
    await symlink('/etc/passwd', join(top, 'users.txt'));
    await symlink(beside, join(top, 'folder'));
    await symlink('gone', join(top, 'dangling'));
    await symlink('loop', join(top, 'loop'));
    await writeFile(join(top, '.git'), 'gitdir: elsewhere, and long enough to be something'.repeat(4));
    await symlink('.git', join(top, 'disguised'));
    expect(await missing('users.txt', 'folder', 'folder/secret.txt', 'dangling', 'loop', 'disguised')).toEqual([
      'Output leads out of the work tree: users.txt',
      'Output leads out of the work tree: folder',
      'Output leads out of the work tree: folder/secret.txt',
      'Output file missing: dangling',
      'Output file missing: loop',
      'Output leads out of the work tree: disguised',
    ]);
  });

  it('count only if they are committed, with every link on the way', async () => {
    for (const file of ['kept.txt', 'left.txt', 'docs/guide.md', 'cache/left.md']) await write(file, 600);
    await symlink('kept.txt', join(top, 'good'));
    await symlink('left.txt', join(top, 'to-left'));
    await symlink('kept.txt', join(top, 'left-link'));
    await symlink('./docs/../docs', join(top, 'folder'));
    const committed = new Set(['kept.txt', 'docs', 'docs/guide.md', 'good', 'to-left', 'folder', '']);
    const asked: (readonly string[])[] = [];
    const holds = async (paths: readonly string[]) => {
      asked.push(paths);
      return new Set(paths.filter((path) => committed.has(path)));
    };
    const fine = ['kept.txt', './docs/', 'docs//guide.md', 'good', 'folder', 'folder/guide.md', '.'];
    const bad = ['left.txt', 'cache', 'to-left', 'left-link', 'gone'];
    expect(await checkOutputs(top, [...fine, ...bad], holds)).toEqual({
      missing: [...bad.slice(0, -1).map((output) => `Output file is not committed: ${output}`), 'Output file missing: gone'],
      warnings: [],
    });
    expect(asked).toHaveLength(1);
  });

  it('only cause a warning if they are very small, prose sooner than code', async () => {
    await write('a.js', 99);
    await write('b.js', 100);
    await write('c.md', 499);
    await write('D.MD', 500);
    expect(await checkOutputs(top, ['a.js', 'b.js', 'c.md', 'D.MD'])).toEqual({
      missing: [],
      warnings: ['Output file appears incomplete (only 99 bytes): a.js', 'Output file appears incomplete (only 499 bytes): c.md'],
    });
  });
});
