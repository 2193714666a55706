import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { plainRepository } from './plain-repository.ts';

const env = { PATH: process.env['PATH'] ?? '' };

async function openRepository() {
  const folder = await openThrowAwayFolder();
  const path = realpathSync(folder.path);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8' }).trim();
  git('init', '-q');
  return { path, git, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('a plain repository', () => {
  it('is where git says', async () => {
    await using place = await openRepository();
    place.git('remote', 'add', 'origin', 'https://example.test/a.git');
    place.git('config', 'user.name', 'Somebody Else');
    const [top, ...folders] = place.git('rev-parse', '--show-toplevel', '--absolute-git-dir').split('\n');
    expect(plainRepository(place.path, env)).toEqual({ topLevel: top, gitDir: folders[0], commonDir: folders[0] });
  });

  it.each([
    ['a bare repository', '[core]\n\tbare = true\n'],
    ['bare without a value', '[core]\n\tbare\n'],
    ['another work tree', '[core]\n\tworktree = /elsewhere\n'],
    ['an include', '[include]\n\tpath = more\n'],
    ['an extension', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n'],
    ['an invalid line', 'what is this\n'],
    ['two words on a line', '[core] bare = true\n'],
  ])('is not recognised with %s: git must be asked', async (_name, more) => {
    await using place = await openRepository();
    appendFileSync(join(place.path, '.git', 'config'), more);
    expect(plainRepository(place.path, env)).toBeNull();
  });

  it('is not recognised from below, without a HEAD, without git, with settings from elsewhere, or without a repository', async () => {
    await using place = await openRepository();
    mkdirSync(join(place.path, 'below'));
    expect(plainRepository(join(place.path, 'below'), env)).toBeNull();
    expect(plainRepository(place.path, { PATH: '/nowhere' })).toBeNull();
    expect(plainRepository(place.path, { ...env, GIT_CONFIG_COUNT: '0' })).toBeNull();
    writeFileSync(join(place.path, '.git', 'HEAD'), 'nothing\n');
    expect(plainRepository(place.path, env)).toBeNull();
    rmSync(join(place.path, '.git'), { recursive: true });
    writeFileSync(join(place.path, '.git'), 'gitdir: elsewhere\n');
    expect(plainRepository(place.path, env)).toBeNull();
  });
});
