import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { lfsIsMissing } from '../../../test/support/git-lfs.ts';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { openSandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { enclosePrograms } from './enclose-programs.ts';
import { openGitCommand } from './git-command.ts';
import { readGitPrograms } from './git-programs.ts';

/** A repository with these settings, and Ralph's git in it, which runs its programs in the sandbox. */
async function openStage(settings: Readonly<Record<string, string>>) {
  const stage = await openSandboxStage();
  const { repo, wall, home } = stage;
  for (const [key, value] of Object.entries(settings)) repo.git('config', key, value);
  const [env, folder] = [{ ...gitEnv, HOME: home, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.abbrev', GIT_CONFIG_VALUE_0: '7' }, join(repo.beside, 'run')];
  const open = async (given: Readonly<Record<string, string>> = env) => {
    const { programs } = await readGitPrograms(repo.path, given);
    const place = { wall, programEnv: { PATH: gitEnv.PATH, HOME: home }, root: repo.path, commonDir: join(repo.path, '.git') };
    return await enclosePrograms(programs, { ...place, folder, env: given });
  };
  const enclosed = await open();
  const gitAt = (cwd: string) => async (script: string) => {
    const answer = await openGitCommand(cwd, enclosed)(script.split(' '), {});
    if (answer.code !== 0) throw new Error(answer.stderr);
    return answer.stdout.trim();
  };
  return { ...stage, open, enclosed, folder, gitAt, git: gitAt(repo.path) };
}

describe.skipIf(bubblewrapIsMissing())('a filter of the operator’s git', () => {
  it('gets the name and the content of the file, and sees no secret, network or writable file', async () => {
    await using stage = await openStage({ 'filter.x.clean': 'sh tools/clean.sh %f 100%%', 'filter.x.smudge': 'tr A-Z a-z' });
    const { repo, git, home } = stage;
    await stage.keep('.ssh/id', 'a key');
    await repo.write('.gitattributes', '*.x filter=x\n');
    const tries = `touch here ../beside/out .git/planted "${home}/planted"; cat "${home}/.ssh/id"; (exec 3<>/dev/tcp/127.0.0.1/80)`;
    await repo.write('tools/clean.sh', `{ ${tries}; } >&2 2>/dev/null; echo "$1|$2|$DEPLOY_TOKEN"; cat "${home}/.ssh/id" 2>/dev/null; tr a-z A-Z\n`);
    await repo.write("it's $(touch out).x", 'text\n');
    await git('add -A');
    expect(repo.git('show', ":it's $(touch out).x")).toBe("it's $(touch out).x|100%|\nTEXT");
    expect(readdirSync(repo.path).toSorted()).toEqual(['.git', '.gitattributes', "it's $(touch out).x", 'readme.txt', 'tools']);
    expect([existsSync(join(repo.beside, 'out')), existsSync(join(repo.path, '.git/planted')), readdirSync(home).toSorted()]).toEqual([false, false, ['.ssh']]);
    // In another worktree, and after its settings have changed.
    repo.git('config', 'filter.x.smudge', `touch ${repo.beside}/escaped; cat`);
    await git('-c user.name=x -c user.email=x commit -qm x');
    await git(`worktree add -q ${repo.beside}/other`);
    expect(readFileSync(join(repo.beside, "other/it's $(touch out).x"), 'utf8')).toBe("it's $(touch out).x|100%|\ntext\n");
    expect(existsSync(join(repo.beside, 'escaped'))).toBe(false);
    expect(readdirSync(stage.folder).filter((name) => !/^(?:\d+|git-program|inside|seccomp|variables)$/.test(name))).toEqual([]);
  });

  it('is enclosed once, also by a run that another run has started', async () => {
    await using stage = await openStage({ 'filter.x.clean': 'tr a-z A-Z', 'filter.empty.clean': '' });
    expect(stage.enclosed).toMatchObject({ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'core.abbrev', GIT_CONFIG_KEY_1: 'filter.x.clean' });
    expect(await stage.open(stage.enclosed)).toEqual(stage.enclosed);
  });

  it.skipIf(lfsIsMissing())('may be git-lfs: large files go into its store and come out of it, and nothing else gets there', async () => {
    await using stage = await openStage({});
    const { repo } = stage;
    repo.git('lfs', 'install', '--local', '--skip-repo');
    await repo.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    // One process for all files, then one for each file.
    for (const text of ['large\n', 'larger\n']) {
      const enclosed = await stage.open();
      const git = async (...words: readonly string[]) => {
        const { code, stderr } = await openGitCommand(repo.path, enclosed)(words, {});
        expect(code, stderr).toBe(0);
      };
      await rm(join(repo.path, '.git/lfs'), { recursive: true, force: true });
      await repo.write('a.bin', text);
      await git('add', '-A');
      const id = createHash('sha256').update(text).digest('hex');
      const stored = join(repo.path, '.git/lfs/objects', id.slice(0, 2), id.slice(2, 4), id);
      expect([repo.git('show', ':a.bin').includes(`oid sha256:${id}`), readFileSync(stored, 'utf8')]).toEqual([true, text]);
      await git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-qm', text);
      await git('worktree', 'add', '-q', '--detach', join(repo.beside, text.trim()));
      expect(readFileSync(join(repo.beside, text.trim(), 'a.bin'), 'utf8')).toBe(text);
      if (text === 'large\n') repo.git('config', '--unset', 'filter.lfs.process');
    }
  });

  it('cannot write through links in the store of git-lfs, nor bring what does not match its name', async () => {
    const plant = `l=.git/lfs/objects; mkdir -p $l/aa/bb $l/cc; echo x > $l/aa/bb/aabb${'0'.repeat(60)}; ln -s /etc $l/cc/dd; echo y > .git/lfs/planted`;
    await using stage = await openStage({
      'filter.x.clean': `: lfs; ${plant}; echo lfs > /tmp/y; d=$(sha256sum < /tmp/y); d=\${d%% *}; mkdir -p $l/\${d%\${d#??}}/11; cp /tmp/y $l/\${d%\${d#??}}/11/$d; cat`,
    });
    const { repo, git } = stage;
    const lfs = join(repo.path, '.git/lfs');
    const name = createHash('sha256').update('lfs\n').digest('hex');
    await mkdir(join(lfs, 'objects'), { recursive: true });
    await mkdir(join(repo.beside, 'outside'));
    await symlink(join(repo.beside, 'outside'), join(lfs, 'objects', name.slice(0, 2)));
    await writeFile(join(repo.path, '.gitattributes'), '*.x filter=x\n');
    await writeFile(join(repo.path, 'a.x'), 'a\n');
    await git('add -A');
    expect([readdirSync(lfs), readdirSync(join(lfs, 'objects')), readdirSync(join(repo.beside, 'outside'))]).toEqual([['objects'], [name.slice(0, 2)], []]);
    await rm(join(lfs, 'objects', name.slice(0, 2)));
    await writeFile(join(repo.path, 'b.x'), 'b\n');
    await git('add -A');
    expect(readFileSync(join(lfs, 'objects', name.slice(0, 2), '11', name), 'utf8')).toBe('lfs\n');
  });
});

describe.skipIf(bubblewrapIsMissing())('a merge driver of the operator’s git', () => {
  it.each([
    ['gets the three files and the path, and its result counts', 'cat %A %B > %A.new; echo "%L" %P >> %A.new; mv %A.new %A', "ours\ntheirs\n7 it's.x"],
    ['may refuse', 'exit 1', null],
    ['cannot have another file read as its result', 'rm %A; ln -s $HOME/../secret %A', 'ours'],
  ])('%s', async (_what, driver, result) => {
    await using stage = await openStage({ 'merge.own.driver': `touch ../beside/escaped; ${driver}` });
    const { repo, git } = stage;
    await writeFile(join(repo.beside, 'secret'), 'secret\n');
    await repo.write('.gitattributes', '*.x merge=own\n');
    for (const [branch, text] of [
      ['base', 'base\n'],
      ['theirs', 'theirs\n'],
      ['ours', 'ours\n'],
    ] as const) {
      repo.git('checkout', '-q', '-b', branch, ...(branch === 'ours' ? ['base'] : []));
      await repo.write("it's.x", text);
      repo.git('add', '-A');
      repo.git('commit', '-qm', branch);
    }
    const merged = await openGitCommand(repo.path, stage.enclosed)(['merge-tree', '--write-tree', '--name-only', 'ours', 'theirs']);
    expect(merged.code, merged.stderr).toBe(result === null ? 1 : 0);
    if (result !== null) expect(await git(`show ${merged.stdout.trim()}:it's.x`)).toBe(result);
    expect([existsSync(join(repo.beside, 'escaped')), repo.git('status', '--porcelain')]).toEqual([false, '']);
  });
});
