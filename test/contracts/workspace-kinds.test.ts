import { chmodSync, chownSync, existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SandboxPort } from '../../src/engine/ports/sandbox.ts';
import { bubblewrapIsMissing } from '../support/bubblewrap.ts';
import { openIsolatedStage, type WorkspaceKind } from '../support/isolated-stage.ts';
import { onlyForRoot } from '../support/skip-loudly.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.root, name), 'utf8');
const EVERY: readonly WorkspaceKind[] = ['isolated', 'copy', 'place'];
const kindsHere = (kinds: readonly WorkspaceKind[]) => kinds.filter((kind) => kind !== 'isolated' || !missing);

describe.each(kindsHere(EVERY))('a process in a workspace of the kind %s', (kind) => {
  it('finds all that the operator has where it works: tracked, changed, untracked, ignored', async () => {
    await using stage = await openIsolatedStage({ kind });
    const { repo } = stage;
    await repo.write('.gitignore', '.env\nnode_modules\n');
    await repo.write('readme.txt', 'changed\n');
    await repo.write('deep/new.txt', 'new\n');
    await repo.write('.env', 'KEY=1\n');
    await repo.write('node_modules/x/index.js', 'x\n');
    const { said } = await stage.inside('pwd; cat readme.txt deep/new.txt .env node_modules/x/index.js; git status --porcelain -uall');
    expect(said).toBe(`${stage.path}\nchanged\nnew\nKEY=1\nx\nM readme.txt\n?? .gitignore\n?? deep/new.txt\n`.replace('\nM ', '\n M '));
  });

  it('has its files landed: edits, new ones, modes, links, moves and deletions, whatever they are called', async () => {
    await using stage = await openIsolatedStage({ kind });
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
    await using stage = await openIsolatedStage({ kind });
    await stage.inside('echo one > one; echo cache > .cache; echo .cache >> .git/info/exclude');
    await writeFile(join(stage.repo.path, 'one'), 'by hand\n');
    await rm(join(stage.repo.path, 'readme.txt'));
    await stage.repo.write('two', 'two\n');
    expect((await stage.inside('cat one two; ls readme.txt')).said).toMatch(/^by hand\ntwo\nls: .*readme.txt/);
  });

  it('has its commits and its files brought over together', async () => {
    await using stage = await openIsolatedStage({ kind });
    await stage.inside('echo one > one; git add one; git commit -qm one; echo two > two');
    expect(stage.repo.git('log', '--format=%s', '-1')).toBe('one');
    expect(stage.repo.git('status', '--porcelain')).toBe('?? two');
  });

  it('works in a folder of the tree that git does not know, and before the first commit', async () => {
    await using stage = await openIsolatedStage({ kind, before: (git) => void git('checkout', '-q', '--orphan', 'fresh') });
    await mkdir(join(stage.repo.path, 'empty/er'), { recursive: true });
    const { said } = await stage.inside('pwd; echo x > x', { cwd: join(stage.repo.path, 'empty/er') });
    expect(said).toBe(`${join(stage.path, 'empty/er')}\n`);
    expect(readIn(stage, 'empty/er/x')).toBe('x\n');
  });

  it.skipIf(onlyForRoot('files of other owners that land'))('keeps whose a file is, and a folder gives its group to what is new', async () => {
    await using stage = await openIsolatedStage({ kind });
    const { path } = stage.repo;
    await stage.repo.write('lib/f', 'f\n');
    chownSync(join(path, 'lib/f'), 54_321, 54_322);
    await mkdir(join(path, 'shared'));
    chownSync(join(path, 'shared'), 0, 54_323);
    chmodSync(join(path, 'shared'), 0o2775);
    await stage.inside('echo g > lib/f; mkdir -p shared; echo n > shared/new; ln -s new shared/link');
    const { uid, gid } = statSync(join(path, 'lib/f'));
    expect([uid, gid, ...['shared/new', 'shared/link'].map((name) => lstatSync(join(path, name)).gid)]).toEqual([54_321, 54_322, 54_323, 54_323]);
  });

  it('works in a linked work tree', async () => {
    await using stage = await openIsolatedStage({
      kind,
      root: (repo) => join(dirname(repo), 'lane'),
      before: (git, path) => void git('worktree', 'add', '-q', '-b', 'lane', join(dirname(path), 'lane')),
    });
    const { code, said } = await stage.inside(
      'cat readme.txt && git branch --show-current && echo one > one && git add one && git commit -qm one && echo two > two',
    );
    expect([code, said.split('\n').at(-2)]).toEqual([0, 'lane']);
    expect([stage.repo.git('log', '--format=%s', '-1', 'lane'), readIn(stage, 'two'), stage.told]).toEqual(['one', 'two\n', []]);
    // Of another work tree it is none.
    await stage.inside('echo three > three', { cwd: stage.repo.path });
    expect(readFileSync(join(stage.repo.path, 'three'), 'utf8')).toBe('three\n');
    await stage.close();
    expect(stage.isLeft()).toBe(false);
  });
});

/** Those that keep it from the operator's files. */
const OWN = kindsHere(['isolated', 'copy']);

describe.each(OWN)('a process in a workspace of its own, %s,', (kind) => {
  it('has ignored folders and files as copies, can remove them, and keeps what it made of them until the end', async () => {
    await using stage = await openIsolatedStage({ kind });
    await stage.repo.write('.gitignore', 'node_modules/\ndist/\nout/\n.pytest_cache/\n*.log\n.env\n');
    await stage.repo.write('node_modules/x/a.js', 'a\n');
    await stage.repo.write('out/old', 'old\n');
    await stage.repo.write('.env', 'KEY=1\n');
    const first = await stage.inside(
      'rm -rf out && echo b > node_modules/x/b.js && mkdir dist .pytest_cache && echo built > dist/out && echo 1 > .pytest_cache/v && echo said > x.log && echo KEY=2 > .env && echo 2 > package-lock.json',
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
      expect.stringContaining('ignored folders that the run made do not land: dist/;'),
      expect.stringMatching(/^package-lock\.json has changed, .* with: npm ci$/),
    ]);
    expect(stage.isLeft()).toBe(false);
  });

  it('may be one of several at once: what they made lands when the last has ended', async () => {
    await using stage = await openIsolatedStage({ kind });
    const all = await Promise.all([1, 2, 3].map((n) => stage.inside(`echo ${n} > file-${n}; sleep 0.${n}`, { who: 'gate' })));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(stage.repo.git('status', '--porcelain')).toBe('?? file-1\n?? file-2\n?? file-3');
  });

  it('has landed what nobody may read all the same, and all of it is removed in the end', async () => {
    await using stage = await openIsolatedStage({ kind });
    await stage.repo.write('.gitignore', '.cache/\n');
    await stage.inside('mkdir -p .cache/x shut open; : > .cache/x/f; echo 1 > shut/f; echo 2 > open/f; chmod 000 shut open/f; chmod -R a-w .cache');
    expect([readIn(stage, 'shut/f'), readIn(stage, 'open/f')]).toEqual(['1\n', '2\n']);
    await stage.inside('mkdir -p last/one; : > last/one/f; chmod 555 last/one last');
    await stage.close();
    expect([stage.isLeft(), stage.told]).toEqual([false, []]);
  });
});

describe.each(OWN)('what the operator did while an agent was at work, %s,', (kind) => {
  it('stays; what the agent made of the same file is kept, and all else lands', async () => {
    await using stage = await openIsolatedStage({ kind });
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
    await using stage = await openIsolatedStage({ kind });
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

describe.each(OWN)('a run that died, %s,', (kind) => {
  it('has what its agent had made landed when it goes on, and that once', async () => {
    await using stage = await openIsolatedStage({ kind });
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
    await using stage = await openIsolatedStage({ kind });
    await mkdir(stage.tree, { recursive: true });
    await writeFile(join(stage.tree, 'half'), 'half');
    expect((await (await stage.open()).inside('ls half; echo one > one')).said).toMatch(/half/);
    expect(stage.repo.git('status', '--porcelain')).toBe('?? one');
  });

  it('has what its agent had committed brought over when it goes on', async () => {
    await using stage = await openIsolatedStage({ kind });
    const dead: SandboxPort = { mode: 'guard', enclose: async (call) => ({ ...(await stage.wall.enclose(call)), leave: async () => undefined }) };
    await stage.behind(dead)('echo dead > dead; git add dead; git commit -qm "by a run that died"');
    expect(stage.repo.git('log', '--format=%s', '-1')).not.toBe('by a run that died');
    const again = await stage.open();
    expect(stage.repo.git('log', '--format=%s', '-1')).toBe('by a run that died');
    expect([stage.repo.git('status', '--porcelain'), stage.told]).toEqual(['', []]);
    await again.close();
  });
});
