import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { appendFile, chmod, mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';
import { addWorktree } from '../../../test/support/os-wall-stage.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.repo.path, name), 'utf8');

describe.skipIf(missing)('a process in a folder of its own', () => {
  it('finds all that the operator has at its usual path: tracked, changed, untracked, ignored', async () => {
    await using stage = await openIsolatedStage();
    const { repo } = stage;
    await repo.write('.gitignore', '.env\nnode_modules\n');
    await repo.write('readme.txt', 'changed\n');
    await repo.write('deep/new.txt', 'new\n');
    await repo.write('.env', 'KEY=1\n');
    await repo.write('node_modules/x/index.js', 'x\n');
    const { said } = await stage.inside('pwd; cat readme.txt deep/new.txt .env node_modules/x/index.js; git status --porcelain -uall');
    expect(said).toBe(`${repo.path}\nchanged\nnew\nKEY=1\nx\nM readme.txt\n?? .gitignore\n?? deep/new.txt\n`.replace('\nM ', '\n M '));
  });

  it('has its files landed: edits, new ones, modes, links, moves and deletions, whatever they are called', async () => {
    await using stage = await openIsolatedStage();
    const { repo } = stage;
    await repo.write('lib/a.txt', 'a\n');
    await repo.write('lib/b.txt', 'b\n');
    await repo.write('was-file', 'x\n');
    await repo.write('was-folder/x', 'x\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'more');
    const latin1 = Buffer.concat([Buffer.from(`${repo.path}/`), Buffer.from([0xe9, 0x2e, 0x74])]);
    await stage.inside(
      `echo more >> readme.txt; mv lib moved; printf '#!/bin/sh\\n' > run.sh; chmod 755 run.sh; ln -s moved/a.txt link; : > empty; rm moved/b.txt
       printf x > "$(printf 'line\\nbreak')"; printf x > "$(printf '\\351.t')"; printf x > "$(printf 'tab\\t"quote')"; mkdir -p 'deep/er one'; echo d > 'deep/er one/d'
       rm was-file; mkdir was-file; echo y > was-file/y; rm -r was-folder; echo z > was-folder`,
    );
    expect(stage.told).toEqual([]);
    expect(readIn(stage, 'readme.txt')).toMatch(/more\n$/);
    expect(readIn(stage, 'moved/a.txt')).toBe('a\n');
    expect(['lib', 'moved/b.txt'].map((name) => existsSync(join(repo.path, name)))).toEqual([false, false]);
    expect(statSync(join(repo.path, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(repo.path, 'link'))).toBe('moved/a.txt');
    expect([readIn(stage, 'empty'), readIn(stage, 'line\nbreak'), readIn(stage, 'tab\t"quote'), readIn(stage, 'deep/er one/d')]).toEqual(['', 'x', 'x', 'd\n']);
    expect(readFileSync(latin1, 'utf8')).toBe('x');
    expect([readIn(stage, 'was-file/y'), readIn(stage, 'was-folder')]).toEqual(['y\n', 'z\n']);
    expect(stage.told).toEqual([]);
  });

  it('sees what the operator did since the one before, and keeps what that one left', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo one > one; echo cache > .cache; echo .cache >> .git/info/exclude');
    await writeFile(join(stage.repo.path, 'one'), 'by hand\n');
    await rm(join(stage.repo.path, 'readme.txt'));
    await stage.repo.write('two', 'two\n');
    expect((await stage.inside('cat one two; ls readme.txt')).said).toMatch(/^by hand\ntwo\nls: .*readme.txt/);
  });

  it('has its commits and its files brought over together', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo one > one; git add one; git commit -qm one; echo two > two');
    expect(stage.repo.git('log', '--format=%s', '-1')).toBe('one');
    expect(stage.repo.git('status', '--porcelain')).toBe('?? two');
  });

  it('is not told of a file that was only touched, and its times are those of the operator', async () => {
    await using stage = await openIsolatedStage();
    const path = join(stage.repo.path, 'readme.txt');
    await utimes(path, 1_600_000_000, 1_600_000_000);
    stage.repo.git('status');
    expect((await stage.inside('stat -c %Y readme.txt; git diff-files --name-only')).said).toBe('1600000000\n');
    await stage.inside('touch readme.txt');
    expect(statSync(path).mtimeMs).toBe(1_600_000_000_000);
  });

  it('has ignored folders and files as copies, can remove them, and keeps what it made of them until the end', async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', 'node_modules/\ndist/\nout/\n*.log\n.env\n');
    await stage.repo.write('node_modules/x/a.js', 'a\n');
    await stage.repo.write('out/old', 'old\n');
    await stage.repo.write('.env', 'KEY=1\n');
    const first = await stage.inside(
      'rm -rf out && echo b > node_modules/x/b.js && mkdir dist && echo built > dist/out && echo said > x.log && echo KEY=2 > .env && echo 2 > package-lock.json',
    );
    expect(first.code, first.said).toBe(0);
    expect(['node_modules/x/b.js', 'dist', 'x.log', 'out/old'].map((name) => existsSync(join(stage.repo.path, name)))).toEqual([false, false, false, true]);
    expect((await stage.inside('cat dist/out x.log .env node_modules/x/b.js; ls out')).said).toMatch(/^built\nsaid\nKEY=2\nb\n.*No such file/s);
    await writeFile(join(stage.repo.path, '.env'), 'KEY=3\n');
    expect((await stage.inside('cat .env; echo KEY=4 > .env')).said).toBe('KEY=3\n');
    await stage.close();
    expect(readIn(stage, '.env')).toBe('KEY=3\n');
    expect(readFileSync(join(stage.runFolder, 'ignored/.env'), 'utf8')).toBe('KEY=4\n');
    expect(stage.warned).toEqual([
      expect.stringMatching(/\.env, x\.log, as the agent left them, is now in .*ignored$/),
      expect.stringContaining('gone with the run: dist/;'),
      expect.stringMatching(/^package-lock\.json has changed, .* with: npm ci$/),
    ]);
    expect(stage.isLeft()).toBe(false);
  });

  it('shares an ignored folder, and a file, that is too large to copy', async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', 'data\n*.bin\n');
    await stage.repo.write('data/small', 'small\n');
    for (const [name, bytes] of [
      ['data/large', 3 * 1024 ** 3],
      ['model.bin', 300 * 1024 ** 2],
    ] as const) {
      await stage.repo.write(name, '');
      await truncate(join(stage.repo.path, name), bytes);
    }
    expect((await stage.inside('cat data/small; echo new > data/new; printf S | dd of=model.bin conv=notrunc 2>/dev/null')).said).toBe('small\n');
    expect(readIn(stage, 'data/new')).toBe('new\n');
    expect((await stage.inside('head -c 1 model.bin; stat -c %s model.bin')).said).toBe('S314572800\n');
    await stage.close();
    expect(stage.warned).toEqual([]);
  });

  it('may be one of several at once: what they made lands when the last has ended', async () => {
    await using stage = await openIsolatedStage();
    const all = await Promise.all([1, 2, 3].map((n) => stage.inside(`echo ${n} > file-${n}; sleep 0.${n}`, { who: 'gate' })));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(stage.repo.git('status', '--porcelain')).toBe('?? file-1\n?? file-2\n?? file-3');
  });

  it('works in a folder of the tree that git does not know, and before the first commit', async () => {
    await using stage = await openIsolatedStage({ before: (git) => void git('checkout', '-q', '--orphan', 'fresh') });
    await mkdir(join(stage.repo.path, 'empty/er'), { recursive: true });
    const { said } = await stage.inside('pwd; echo x > x', { cwd: join(stage.repo.path, 'empty/er') });
    expect(said).toBe(`${join(stage.repo.path, 'empty/er')}\n`);
    expect(readIn(stage, 'empty/er/x')).toBe('x\n');
  });

  it('that judges sees what has landed, and can write nothing', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo one > one');
    const { said } = await stage.inside('cat one; echo two > two', { judges: true });
    expect(said).toMatch(/^one\n.*Read-only/s);
  });

  it('that shares a folder with the loop is seen there at once', async () => {
    await using stage = await openIsolatedStage({
      live: ['ralph'],
      before: (_git, path) => void execFileSync('sh', ['-c', 'mkdir ralph && echo 1 > ralph/tasks.json'], { cwd: path }),
    });
    const { said } = await stage.inside(`echo 2 > ralph/new && mv ralph/new ralph/tasks.json && mv ralph other; ls`);
    expect(readIn(stage, 'ralph/tasks.json')).toBe('2\n');
    expect(said).toContain('ralph');
    expect(stage.told).toEqual([]);
  });
});

describe.skipIf(missing)('what the operator did meanwhile', () => {
  it('stays; what the agent made of the same file is kept, and all else lands', async () => {
    await using stage = await openIsolatedStage();
    const { repo } = stage;
    const path = join(repo.path, 'readme.txt');
    const { leave } = await stage.wall.enclose({ who: 'agent', file: 'true', args: [], cwd: repo.path, env: {} });
    await writeFile(join(stage.tree, 'readme.txt'), 'by the agent\n');
    await writeFile(join(stage.tree, 'other'), 'other\n');
    await writeFile(path, 'by hand\n');
    await repo.write('mine', 'mine\n');
    await leave();
    expect([readFileSync(path, 'utf8'), readIn(stage, 'other'), readIn(stage, 'mine')]).toEqual(['by hand\n', 'other\n', 'mine\n']);
    const [line = ''] = stage.told;
    expect(line).toMatch(/^your own change of readme\.txt stays; .* kept at refs\/ralph\/kept\/r1\/files\/\S+$/);
    expect(repo.git('show', `${line.split(' ').at(-1)}:readme.txt`)).toBe('by the agent');
    expect((await stage.inside('cat readme.txt mine')).said).toBe('by hand\nmine\n');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('stays also where it stands in the way, or was never git’s', async () => {
    await using stage = await openIsolatedStage();
    const { repo } = stage;
    await repo.write('.gitignore', '.env\n');
    await repo.write('.env', 'KEY=1\n');
    const { leave } = await stage.wall.enclose({ who: 'agent', file: 'true', args: [], cwd: repo.path, env: {} });
    await mkdir(join(stage.tree, 'made'));
    await writeFile(join(stage.tree, 'made/x'), 'x\n');
    await repo.write('made', 'a file of the operator\n');
    await rm(join(stage.tree, '.gitignore'));
    await writeFile(join(stage.tree, '.env'), 'KEY=evil\n');
    await leave();
    expect([readIn(stage, 'made'), readIn(stage, '.env')]).toEqual(['a file of the operator\n', 'KEY=1\n']);
    expect(stage.told).toEqual([
      expect.stringContaining('your own change of .env stays'),
      expect.stringContaining('made/x cannot be written in your work tree'),
    ]);
  });
});

describe.skipIf(missing)('a run that died', () => {
  it('has what its agent had made landed when it goes on, and that once', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo one > one');
    await stage.wall.enclose({ who: 'agent', file: 'true', args: [], cwd: stage.repo.path, env: {} });
    await writeFile(join(stage.tree, 'two'), 'two\n');
    await rm(join(stage.tree, 'one'));
    // It died while it landed this: half of it is there.
    await stage.repo.write('two', 'two\n');
    const again = await stage.open();
    expect([existsSync(join(stage.repo.path, 'one')), readIn(stage, 'two')]).toEqual([false, 'two\n']);
    expect((await again.inside('cat two')).said).toBe('two\n');
    expect(stage.told).toEqual([]);
    await again.close();
    expect(stage.isLeft()).toBe(false);
  });

  it('before its first process was started leaves nothing that matters', async () => {
    await using stage = await openIsolatedStage();
    await mkdir(stage.tree, { recursive: true });
    await writeFile(join(stage.tree, 'half'), 'half');
    expect((await (await stage.open()).inside('ls half; echo one > one')).said).toMatch(/half/);
    expect(stage.repo.git('status', '--porcelain')).toBe('?? one');
  });
});

describe.skipIf(missing)('a work tree of another kind', () => {
  it('is a linked one', async () => {
    await using plain = await openIsolatedStage();
    const lane = await addWorktree(plain);
    const { openIsolated } = await import('./isolated-around.ts');
    const told: string[] = [];
    const env = { PATH: process.env['PATH'] ?? '', HOME: plain.home, GIT_CONFIG_NOSYSTEM: '1' };
    const isolated = openIsolated({
      ...{
        root: lane,
        commonDir: plain.commonDir,
        sealed: [],
        env,
        live: [],
        keptBelow: 'refs/ralph/kept/r2/files',
        folder: join(plain.commonDir, 'ralph/runs/r2/isolated'),
      },
      ...{ onRefused: ({ target }) => void told.push(target), warn: (line) => void told.push(line) },
    });
    const inside = plain.behind(await isolated.around(plain.wall));
    expect((await inside('cat readme.txt; echo one > one', { cwd: lane })).code).toBe(0);
    expect([readFileSync(join(lane, 'one'), 'utf8'), told]).toEqual(['one\n', []]);
    // Of another work tree it is none.
    await inside('echo two > two', { cwd: plain.repo.path });
    expect(readIn(plain, 'two')).toBe('two\n');
    await isolated[Symbol.asyncDispose]();
  });

  it.each<[string, (git: Stage['repo']['git'], path: string) => void | Promise<void>]>([
    ['with line ends of its own', (git) => void git('config', 'core.autocrlf', 'true')],
    ['that is sparse', (git) => void git('sparse-checkout', 'set', 'lib')],
    ['with files that git was told not to look at', (git) => void git('update-index', '--assume-unchanged', 'readme.txt')],
    ['with a split index', (git) => void git('update-index', '--split-index')],
    ['with files that are only meant to be added', (git, path) => writeFile(join(path, 'later'), 'x').then(() => void git('add', '-N', 'later'))],
    [
      'with a merge under way',
      async (git, path) => {
        git('checkout', '-qb', 'side');
        await appendFile(join(path, 'readme.txt'), 'side\n');
        git('commit', '-qam', 'side');
        git('checkout', '-q', 'main');
        await appendFile(join(path, 'readme.txt'), 'main\n');
        git('commit', '-qam', 'main');
        execFileSync('sh', ['-c', 'git merge -q side || true'], { cwd: path, stdio: 'ignore' });
      },
    ],
    ['whose files nobody else may read', (_git, path) => chmod(join(path, 'readme.txt'), 0o600)],
  ])('is one %s', async (_kind, before) => {
    await using stage = await openIsolatedStage({
      before: async (git, path) => {
        execFileSync('sh', ['-c', 'mkdir lib other && echo l > lib/l && echo o > other/o'], { cwd: path });
        git('add', '-A');
        git('commit', '-qm', 'folders');
        await before(git, path);
      },
    });
    const status = () => stage.repo.git('status', '--porcelain');
    const first = status();
    expect((await stage.inside('echo one > lib/one; echo more >> lib/l')).code).toBe(0);
    expect([readIn(stage, 'lib/one'), readIn(stage, 'lib/l')]).toEqual(['one\n', 'l\nmore\n']);
    await rm(join(stage.repo.path, 'lib/one'));
    await writeFile(join(stage.repo.path, 'lib/l'), 'l\n');
    expect(status()).toBe(first);
    expect(stage.told).toEqual([]);
  });
});
