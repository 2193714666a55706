import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv, openedGit } from '../../../test/support/opened-git.ts';
import { markerIn } from '../../../test/support/planted-marker.ts';
import { openRepo } from '../../../test/support/repo.ts';
import { openGitCommand } from './git-command.ts';

const FILES = { 'src/x.txt': 'x\n' };

describe('a nested repository', () => {
  async function withNested(files: Readonly<Record<string, string>> = FILES) {
    const repo = await openRepo(files);
    const { script, ran } = await markerIn(repo);
    const nest = join(repo.path, 'nest');
    await mkdir(nest);
    const inside = (...words: readonly string[]) => repo.git('-C', nest, ...words);
    inside('init', '-q');
    await writeFile(join(nest, 'f.txt'), 'x\n');
    inside('add', '-A');
    inside('commit', '-q', '-m', 'n');
    await writeFile(join(nest, '.gitattributes'), 'f.txt filter=evil\n');
    for (const key of ['filter.evil.clean', 'filter.evil.smudge', 'core.fsmonitor']) inside('config', key, script);
    const touch = async () => await writeFile(join(nest, 'f.txt'), 'y\n');
    await touch();
    return { repo, script, ran, nest, touch, [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose]() };
  }

  it('has its filters run by a plain git', async () => {
    await using world = await withNested();
    world.repo.git('-c', 'core.fsmonitor=false', 'add', '-A');
    await world.touch();
    world.repo.git('-c', 'core.fsmonitor=false', 'status', '--porcelain');
    expect(await world.ran()).toContain('evil.sh');
  });

  it("has no filter run by Ralph's git, and its changes are still reported", async () => {
    await using world = await withNested();
    const { repo, ran, touch } = world;
    repo.git('-c', 'core.fsmonitor=false', 'add', '-A');
    repo.git('-c', 'core.fsmonitor=false', 'commit', '-q', '-m', 'nest');
    const git = await openedGit(repo.path);
    const plain = openGitCommand(repo.path, gitEnv);
    for (const args of [
      ['status', '--porcelain=v2'],
      ['add', '--all', ':/'],
      ['diff-files', '--raw', '--ignore-submodules=none'],
      ['checkout', '--detach', 'HEAD~1'],
    ]) {
      await touch();
      await plain(args, {});
      expect([args[0], await ran()]).toEqual([args[0], '']);
    }
    await touch();
    expect((await plain(['status', '--porcelain'])).stdout).toContain('nest');
    await git.snapshot();
    expect(await ran()).toBe('');
  });

  it('keeps a filter of the outer settings, whatever its own settings say', async () => {
    await using world = await withNested();
    const { repo, ran, nest, touch } = world;
    const good = join(repo.beside, 'good');
    const global = join(repo.beside, 'global');
    await writeFile(global, `[filter "evil"]\n\tclean = "echo good >> '${good}'; cat"\n`);
    repo.git('-c', 'core.fsmonitor=false', 'add', '-A');
    repo.git('-C', nest, 'config', 'core.fsmonitor', 'false');
    await touch();
    await openGitCommand(repo.path, { ...gitEnv, GIT_CONFIG_GLOBAL: global })(['status', '--porcelain'], {});
    expect(await ran()).toBe('');
    expect(await readFile(good, 'utf8')).toContain('good');
  });
});
