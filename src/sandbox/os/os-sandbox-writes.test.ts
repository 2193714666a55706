import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { addWorktree, openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';

const missing = bubblewrapIsMissing();

describe.skipIf(missing)('what is behind the wall cannot write', () => {
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

  /** Fails inside first; then the same script does its harm outside. */
  const expectWalled = async (script: string, cwd = stage.repo.path) => {
    const inside = await stage.inside(script, { cwd });
    expect(inside, script).not.toMatchObject({ code: 0 });
    expect(await stage.outside(script, { cwd })).toMatchObject({ code: 0 });
  };

  it.each([
    ['a folder beside the project', 'echo x > ../beside/sibling/x'],
    ['the journal of the run', 'echo x >> ../beside/run/journal.jsonl'],
    ['settings of Ralph', 'echo x > .ralph/settings.json'],
    ['what Ralph is told by the project', 'echo x > ralph.yaml'],
    ['hooks', 'echo x > .git/hooks/post-commit'],
    ['configuration by git itself', 'git config core.fsmonitor ./evil'],
    ['configuration of one work tree', 'echo x > .git/config.worktree'],
    ['attributes', 'echo "* -diff" > .git/info/attributes'],
    ['refs of Ralph', 'git update-ref refs/ralph/x HEAD'],
    ['through /proc/self/root', 'echo x > /proc/self/root$PWD/../beside/sibling/y'],
  ])('%s', async (_what, script) => {
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
    ['a folder around what is sealed deep below', 'mv deep deep2 && mv deep2 deep'],
    ['nothing in place of settings', 'cp .ralph/settings.json /var/tmp/s.$$ && rm .ralph/settings.json && mv /var/tmp/s.$$ .ralph/settings.json'],
  ])('and cannot move: %s', async (_what, script) => {
    await expectWalled(script);
  });

  it.each([
    ['the main checkout', 'echo x > ../../repo/planted'],
    ['where its own part of the repository lies', 'echo "gitdir: ../home/.ssh" > .git'],
    ['what names its repository', 'd=$(git rev-parse --git-dir); c=$(cat $d/commondir); echo /evil > $d/commondir && echo "$c" > $d/commondir'],
    ['the part of a work tree to come', 'd=$(git rev-parse --git-common-dir)/worktrees/next; mkdir -p $d && rmdir $d'],
  ])('from a linked work tree: %s', async (_what, script) => {
    await expectWalled(script, lane);
    await writeFile(join(lane, '.git'), `gitdir: ${stage.repo.path}/.git/worktrees/lane\n`);
  });

  it('a file outside through a hard link to it', async () => {
    const file = join(stage.repo.beside, 'sibling/notes');
    await writeFile(file, 'before');
    const script = 'ln ../beside/sibling/notes stolen && echo x > stolen';
    expect(await stage.inside(script)).not.toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe('before');
    expect(await stage.outside(`${script} && rm stolen`)).toMatchObject({ code: 0 });
  });

  it('its home: what it writes there is its own, and gone with it', async () => {
    expect((await stage.inside('mkdir -p ~/.config/tool && echo mine > ~/.config/tool/x && cat ~/.config/tool/x')).said).toBe('mine\n');
    expect(await stage.inside('ls ~/.config')).not.toMatchObject({ code: 0 });
    expect(existsSync(join(stage.home, '.config'))).toBe(false);
  });

  it('the folders of the system', async () => {
    for (const path of ['/etc/ralph-probe', '/usr/local/ralph-probe', '/opt/ralph-probe', '/var/lib/ralph-probe']) {
      const { code } = await stage.inside(`touch ${path}`);
      expect(code, path).not.toBe(0);
      expect(existsSync(path)).toBe(false);
    }
  });
});

describe.skipIf(missing)('a link somebody planted', () => {
  it('in place of a sealed path ends the start', async () => {
    await using stage = await openSandboxStage();
    await symlink('/etc', join(stage.repo.path, '.ralph'));
    await expect(stage.inside('true')).rejects.toMatchObject({
      code: 'sandbox-refused',
      exitCode: 4,
      message: expect.stringContaining('.ralph is a symbolic link'),
    });
  });

  it('in place of what the operator made writable ends the start', async () => {
    await using stage = await openSandboxStage(({ repo }) => ({ writable: [join(repo.path, 'out')] }));
    await mkdir(join(stage.repo.beside, 'target'));
    await symlink(join(stage.repo.beside, 'target'), join(stage.repo.path, 'out'));
    await expect(stage.inside('echo x > out/x')).rejects.toMatchObject({ code: 'sandbox-refused' });
  });

  it('on the way to the folder it works in ends the start', async () => {
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

  it('in place of hooks ends the start', async () => {
    await using stage = await openSandboxStage();
    await rm(join(stage.repo.path, '.git/hooks'), { recursive: true, force: true });
    await symlink('/etc', join(stage.repo.path, '.git/hooks'));
    await expect(stage.inside('true')).rejects.toMatchObject({ code: 'sandbox-refused' });
  });
});

describe.skipIf(missing)('a .git file that lies', () => {
  it('opens nothing but the folder it lies in', async () => {
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

describe.skipIf(missing)('who judges behind the wall', () => {
  it.each([
    ['write a file', 'echo x > src.txt'],
    ['make one', 'echo x > new.txt'],
    ['remove one', 'rm src.txt'],
    ['move a folder', 'mv other other2'],
    ['write what the operator has opened in the tree', 'echo x > folder/open.txt'],
  ])('cannot %s of the work tree, where others can', async (_what, script) => {
    await using stage = await openSandboxStage(({ repo }) => ({ writable: [join(repo.path, 'folder')] }));
    await stage.repo.write('src.txt', 'as it was');
    for (const folder of ['folder', 'other']) await stage.repo.write(`${folder}/x`, 'x');
    expect(await stage.inside(`cat src.txt && ! (${script})`, { judges: true })).toMatchObject({ code: 0, said: expect.stringContaining('as it was') });
    expect(await stage.inside(script)).toMatchObject({ code: 0 });
  });

  it('has a temporary folder all the same', async () => {
    await using stage = await openSandboxStage();
    expect(await stage.inside('echo x > /tmp/x && cat /tmp/x', { judges: true })).toMatchObject({ code: 0, said: 'x\n' });
  });
});
