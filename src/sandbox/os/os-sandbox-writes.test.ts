import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { addWorktree, openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';

const missing = bubblewrapIsMissing();

describe.skipIf(missing)('a process in the os sandbox', () => {
  let stage: SandboxStage;
  let lane: string;
  beforeAll(async () => {
    stage = await openSandboxStage(({ repo }) => ({ sealed: [join(repo.beside, 'run'), join(repo.path, 'deep/er/sealed')] }));
    for (const folder of ['run', 'sibling']) await mkdir(join(stage.repo.beside, folder));
    await writeFile(join(stage.repo.beside, 'run/journal.jsonl'), '{}\n');
    await stage.repo.write('.ralph/settings.json', '{}');
    await stage.repo.write('ralph.yaml', 'a: 1');
    await stage.repo.write('deep/er/sealed/x', '1');
    lane = await addWorktree(stage);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  /** Expects the script to fail inside, and then to succeed outside. */
  const expectWalled = async (script: string, cwd = stage.repo.path) => {
    const inside = await stage.inside(script, { cwd });
    expect(inside, script).not.toMatchObject({ code: 0 });
    expect(await stage.outside(script, { cwd })).toMatchObject({ code: 0 });
  };

  it.each([
    ['a folder beside the project', 'echo x > ../beside/sibling/x'],
    ['the journal of the run', 'echo x >> ../beside/run/journal.jsonl'],
    ['the settings of Ralph', 'echo x > .ralph/settings.json'],
    ['the Ralph settings of the project', 'echo x > ralph.yaml'],
    ['hooks', 'echo x > .git/hooks/post-commit'],
    ['the configuration, by calling git', 'git config core.fsmonitor ./evil'],
    ['the configuration of one work tree', 'echo x > .git/config.worktree'],
    ['attributes', 'echo "* -diff" > .git/info/attributes'],
    ['refs of Ralph', 'git update-ref refs/ralph/x HEAD'],
    ['a folder beside the project through /proc/self/root', 'echo x > /proc/self/root$PWD/../beside/sibling/y'],
  ])('cannot write %s', async (_what, script) => {
    await expectWalled(script);
  });

  it.each([
    ['the whole repository', 'mv .git .git2 && mv .git2 .git'],
    ['the folder of Ralph', 'mv .ralph .ralph2 && mv .ralph2 .ralph'],
    [
      'a folder around attributes',
      'mv .git/info .git/info2 && mkdir .git/info && echo "* -diff" > .git/info/attributes && rm -r .git/info && mv .git/info2 .git/info',
    ],
    ['a folder around refs', 'mv .git/refs .git/refs2 && mv .git/refs2 .git/refs'],
    ['another file over the configuration', 'cp .git/config evil && mv -f evil .git/config'],
    ['a folder around a path that is sealed deep below', 'mv deep deep2 && mv deep2 deep'],
    ['the settings, by deleting them first', 'cp .ralph/settings.json /var/tmp/s.$$ && rm .ralph/settings.json && mv /var/tmp/s.$$ .ralph/settings.json'],
  ])('cannot move or replace %s', async (_what, script) => {
    await expectWalled(script);
  });

  it.each([
    ['the main checkout', 'echo x > ../../repo/planted'],
    ['the .git file that names its part of the repository', 'echo "gitdir: ../home/.ssh" > .git'],
    ['the file that names its repository', 'd=$(git rev-parse --git-dir); c=$(cat $d/commondir); echo /evil > $d/commondir && echo "$c" > $d/commondir'],
    ['the part of a later work tree', 'd=$(git rev-parse --git-common-dir)/worktrees/next; mkdir -p $d && rmdir $d'],
  ])('cannot write, from a linked work tree, %s', async (_what, script) => {
    await expectWalled(script, lane);
    await writeFile(join(lane, '.git'), `gitdir: ${stage.repo.path}/.git/worktrees/lane\n`);
  });

  it('cannot write a file outside through a hard link to it', async () => {
    const file = join(stage.repo.beside, 'sibling/notes');
    await writeFile(file, 'before');
    const script = 'ln ../beside/sibling/notes stolen && echo x > stolen';
    expect(await stage.inside(script)).not.toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe('before');
    expect(await stage.outside(`${script} && rm stolen`)).toMatchObject({ code: 0 });
  });

  it('cannot change its home: its files there are deleted with it', async () => {
    expect((await stage.inside('mkdir -p ~/.config/tool && echo mine > ~/.config/tool/x && cat ~/.config/tool/x')).said).toBe('mine\n');
    expect(await stage.inside('ls ~/.config')).not.toMatchObject({ code: 0 });
    expect(existsSync(join(stage.home, '.config'))).toBe(false);
  });

  it('cannot write the folders of the system', async () => {
    for (const path of ['/etc/ralph-probe', '/usr/local/ralph-probe', '/opt/ralph-probe', '/var/lib/ralph-probe']) {
      const { code } = await stage.inside(`touch ${path}`);
      expect(code, path).not.toBe(0);
      expect(existsSync(path)).toBe(false);
    }
  });
});

describe.skipIf(missing)('a link that an agent could have created', () => {
  it('in place of a sealed path prevents the start', async () => {
    await using stage = await openSandboxStage();
    await symlink('/etc', join(stage.repo.path, '.ralph'));
    await expect(stage.inside('true')).rejects.toMatchObject({
      code: 'sandbox-refused',
      exitCode: 4,
      message: expect.stringContaining('.ralph is a symbolic link'),
    });
  });

  it('in place of a path the operator made writable prevents the start', async () => {
    await using stage = await openSandboxStage(({ repo }) => ({ writable: [join(repo.path, 'out')] }));
    await mkdir(join(stage.repo.beside, 'target'));
    await symlink(join(stage.repo.beside, 'target'), join(stage.repo.path, 'out'));
    await expect(stage.inside('echo x > out/x')).rejects.toMatchObject({ code: 'sandbox-refused' });
  });

  it('on the way to the working folder prevents the start', async () => {
    await using stage = await openSandboxStage();
    await mkdir(join(stage.repo.beside, 'target'));
    await symlink(join(stage.repo.beside, 'target'), join(stage.repo.path, 'package'));
    await expect(stage.inside('true', { cwd: join(stage.repo.path, 'package') })).rejects.toMatchObject({ code: 'sandbox-refused' });
  });

  it('in the work tree opens nothing', async () => {
    await using stage = await openSandboxStage();
    await mkdir(join(stage.repo.beside, 'target'));
    await symlink(join(stage.repo.beside, 'target'), join(stage.repo.path, 'node_modules'));
    expect(await stage.inside('echo x > node_modules/x')).not.toMatchObject({ code: 0 });
    expect(await stage.outside('echo x > node_modules/x')).toMatchObject({ code: 0 });
  });

  it('in place of the hooks prevents the start', async () => {
    await using stage = await openSandboxStage();
    await rm(join(stage.repo.path, '.git/hooks'), { recursive: true, force: true });
    await symlink('/etc', join(stage.repo.path, '.git/hooks'));
    await expect(stage.inside('true')).rejects.toMatchObject({ code: 'sandbox-refused' });
  });
});

describe.skipIf(missing)('a .git file with a false path', () => {
  it('opens nothing but the folder it is in', async () => {
    await using stage = await openSandboxStage();
    await stage.keep('.ssh/id_x', 'secret');
    const folder = join(stage.repo.beside, 'hostile');
    await mkdir(folder);
    await writeFile(join(folder, '.git'), `gitdir: ${stage.home}/.ssh\n`);
    const { said } = await stage.inside('touch ok && echo wrote; cat ~/.ssh/id_x; touch ~/.ssh/x && echo planted; touch ../../repo/x && echo outside', {
      cwd: folder,
    });
    expect(said).toContain('wrote');
    for (const word of ['secret', 'planted', 'outside']) expect(said).not.toContain(word);
  });

  it('gets no part of the repository that belongs to another work tree', async () => {
    await using stage = await openSandboxStage();
    await addWorktree(stage);
    const folder = join(stage.repo.path, 'nested');
    await mkdir(folder);
    await writeFile(join(folder, '.git'), `gitdir: ${stage.repo.path}/.git/worktrees/lane\n`);
    expect(await stage.inside('echo x > ../outside-of-nested', { cwd: folder })).toMatchObject({ code: 0 });
    expect(existsSync(join(stage.repo.path, 'outside-of-nested'))).toBe(true);
  });
});

describe.skipIf(missing)('a reviewer in the os sandbox', () => {
  it.each([
    ['write a file of the work tree', 'echo x > src.txt'],
    ['create a file in the work tree', 'echo x > new.txt'],
    ['remove a file of the work tree', 'rm src.txt'],
    ['move a folder of the work tree', 'mv other other2'],
    ['write a path in the work tree that the operator has opened', 'echo x > folder/open.txt'],
  ])('cannot %s, where other processes can', async (_what, script) => {
    await using stage = await openSandboxStage(({ repo }) => ({ writable: [join(repo.path, 'folder')] }));
    await stage.repo.write('src.txt', 'as it was');
    for (const folder of ['folder', 'other']) await stage.repo.write(`${folder}/x`, 'x');
    expect(await stage.inside(`cat src.txt && ! (${script})`, { judges: true })).toMatchObject({ code: 0, said: expect.stringContaining('as it was') });
    expect(await stage.inside(script)).toMatchObject({ code: 0 });
  });

  it('still has a temporary folder', async () => {
    await using stage = await openSandboxStage();
    expect(await stage.inside('echo x > /tmp/x && cat /tmp/x', { judges: true })).toMatchObject({ code: 0, said: 'x\n' });
  });
});
