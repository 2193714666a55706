import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.repo.path, name), 'utf8');

describe.skipIf(missing)('what an agent leaves that is not a file of the project', () => {
  it.each([
    ['without a commit', 'git init -q'],
    ['with one', 'git init -q && git add -A && git commit -qm x'],
    ['that is a worktree elsewhere', 'git init -q --separate-git-dir=/tmp/elsewhere'],
  ])("may be a repository %s: its files land, and the operator's git never sees its settings", async (_kind, make) => {
    await using stage = await openIsolatedStage();
    const { repo } = stage;
    const evil = `git config core.fsmonitor 'touch ${repo.beside}/escaped; :' && git config filter.e.clean 'touch ${repo.beside}/escaped'`;
    await stage.inside(`mkdir -p app/src && cd app && echo a > src/a && ${make} && ${evil}; mkdir inner && cd inner && git init -q && echo b > b`);
    expect([readIn(stage, 'app/src/a'), readIn(stage, 'app/inner/b')]).toEqual(['a\n', 'b\n']);
    expect([existsSync(join(repo.path, 'app/.git')), existsSync(join(repo.path, 'app/inner/.git'))]).toEqual([false, false]);
    execFileSync('git', ['status'], { cwd: join(repo.path, 'app') });
    expect(existsSync(join(repo.beside, 'escaped'))).toBe(false);
    await stage.inside('cd app && echo more >> src/a; git status; rm inner/b');
    expect([readIn(stage, 'app/src/a'), existsSync(join(repo.path, 'app/inner'))]).toEqual(['a\nmore\n', false]);
    expect(repo.git('status', '--porcelain', '-uall')).toBe('?? app/src/a');
  });

  it("may be a change of the operator's nested repository: it stays inside, and is kept", async () => {
    await using stage = await openIsolatedStage();
    const { repo } = stage;
    const [nested, mark] = [join(repo.path, 'vendor/lib'), join(repo.beside, 'escaped')];
    await repo.write('vendor/lib/a', 'a\n');
    execFileSync('sh', ['-c', 'git init -q && git add a && git -c user.name=t -c user.email=t@example.com commit -qm a'], { cwd: nested });
    const attack = `cd vendor/lib && git config core.fsmonitor 'touch ${mark}; :' && echo '* filter=e' > .gitattributes && echo b > a; rm -rf .git/objects`;
    expect((await stage.inside(`git -C vendor/lib log --format=%s; ${attack}`)).said).toBe('a\n');
    execFileSync('git', ['status'], { cwd: nested });
    expect([existsSync(mark), readIn(stage, 'vendor/lib/a'), existsSync(join(nested, '.gitattributes')), stage.told]).toEqual([false, 'a\n', false, []]);
    expect((await stage.inside('cat vendor/lib/a; rm -rf vendor/lib/.git; echo one > one')).said).toBe('b\n');
    expect([readIn(stage, 'one'), existsSync(join(nested, '.gitattributes')), stage.told]).toEqual(['one\n', false, []]);
    await stage.close();
    expect(readFileSync(join(stage.runFolder, 'ignored/vendor/lib/a'), 'utf8')).toBe('b\n');
    expect(stage.warned.map((line) => line.replace(/\S+\/ignored$/, ''))).toEqual([
      'vendor/lib is a repository of its own: agents and gates have a copy of it, of which nothing comes back',
      'what was made in a repository of its own does not land: vendor/lib, as it was left, is now in ',
    ]);
    await stage.outside(attack.replace(/; rm .*/, ''));
    execFileSync('git', ['status'], { cwd: nested, stdio: 'ignore' });
    expect(existsSync(mark)).toBe(true);
  });

  it('does not land if it is a pipe, a socket, or a pipe in the place of a file', async () => {
    await using stage = await openIsolatedStage();
    const make = `mkfifo pipe; rm -f readme.txt; mkfifo readme.txt; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket", Listen => 1) or die'; echo one > one`;
    expect(await stage.inside(make)).toEqual({ code: 0, said: '' });
    const kinds = () =>
      ['pipe', 'socket', 'readme.txt'].map((name) => lstatSync(join(stage.repo.path, name), { throwIfNoEntry: false })?.isFile() ?? 'missing');
    expect([kinds(), readIn(stage, 'one')]).toEqual([['missing', 'missing', true], 'one\n']);
    await stage.outside(make);
    expect(kinds()).toEqual([false, false, false]);
  });

  it('lands under each of two names that differ only in their case, but not as a .git in another case', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo two > README.TXT; mkdir -p .GIT sub/.Git GIT~1; echo evil | tee .GIT/config sub/.Git/config GIT~1/config > sub/x; echo one > one');
    expect([readIn(stage, 'readme.txt'), readIn(stage, 'README.TXT'), readIn(stage, 'sub/x'), readIn(stage, 'one')]).toEqual([
      'hello\n',
      'two\n',
      'evil\n',
      'one\n',
    ]);
    expect(['.GIT', 'sub/.Git', 'GIT~1'].filter((name) => existsSync(join(stage.repo.path, name)))).toEqual([]);
    expect(stage.told.join()).toContain('.GIT');
  });

  it('is named when everything has ended that the agent left running: what lands is what was named', async () => {
    await using stage = await openIsolatedStage();
    const counts = 'i=0; while :; do i=$((i+1)); echo $i > counter; done';
    await stage.inside(`(setsid sh -c '${counts}' >/dev/null 2>&1 &); until [ -s counter ]; do :; done`);
    const { tree } = JSON.parse(readFileSync(join(stage.folder, 'state.json'), 'utf8'));
    const named = execFileSync('git', ['--git-dir', join(stage.folder, 'reader'), 'cat-file', '-p', `${tree}:counter`], { encoding: 'utf8' });
    expect([readIn(stage, 'counter'), readFileSync(join(stage.tree, 'counter'), 'utf8')]).toEqual([named, named]);
  });

  it('never replaces a file that the operator goes on writing while Ralph reads and lands', async () => {
    await using stage = await openIsolatedStage();
    const [file, next, end] = [join(stage.repo.path, 'readme.txt'), join(stage.repo.beside, 'next'), join(stage.repo.beside, 'end')];
    const writes = `i=0; while [ ! -e '${end}' ]; do i=$((i+1)); echo "mine $i" > '${next}'; mv '${next}' '${file}'; done`;
    const writer = spawn('sh', ['-c', writes], { stdio: 'ignore' });
    await stage.inside('until grep -q nothing other; do echo nothing > other; done; echo theirs > readme.txt');
    const seen = readIn(stage, 'readme.txt');
    writeFileSync(end, '');
    await once(writer, 'close');
    expect([seen, readIn(stage, 'readme.txt')]).toEqual([expect.stringMatching(/^mine \d+\n$/), expect.stringMatching(/^mine \d+\n$/)]);
    expect([readIn(stage, 'other'), stage.told]).toEqual(['nothing\n', [expect.stringMatching(/^your own change of readme\.txt stays/)]]);
  });

  it('does not land if Ralph obeys it', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo evil > ralph.yaml; mkdir -p .ralph; echo evil > .ralph/settings.json');
    expect(['ralph.yaml', '.ralph/settings.json'].map((name) => existsSync(join(stage.repo.path, name)))).toEqual([false, false]);
    expect(stage.told).toContain(join(stage.repo.path, 'ralph.yaml'));
  });

  it.each([
    ['at once', 'mkdir -p app/objects app/refs; echo x | tee app/objects/x app/refs/x; echo "ref: refs/heads/main" > app/HEAD; printf "$EVIL" > app/config'],
    [
      'in parts',
      'mkdir -p app/objects; echo x > app/objects/x; echo "ref: refs/heads/main" > app/HEAD; printf "$EVIL" > app/config',
      'mkdir -p app/refs; echo x > app/refs/x',
    ],
    [
      'in two places',
      'mkdir -p app all/objects all/refs; echo x | tee all/objects/x all/refs/x; echo "ref: refs/heads/main" > app/HEAD; echo ../all > app/commondir; printf "$EVIL[extensions]\\n\\tworktreeConfig=true\\n" > all/config; printf "$EVIL" > app/config.worktree',
    ],
  ])('does not land if it is a repository under another name, made %s', async (_how, ...makes) => {
    await using stage = await openIsolatedStage();
    const mark = join(stage.repo.beside, 'escaped');
    const evil = `EVIL='[core]\\n\\trepositoryFormatVersion=0\\n\\tworktree=..\\n\\tfsmonitor="touch ${mark}; false"\\n'`;
    const isObeyed = () => {
      execFileSync('sh', ['-c', 'cd app 2>/dev/null && git status; true'], { cwd: stage.repo.path, stdio: 'ignore' });
      return existsSync(mark);
    };
    for (const make of makes)
      await stage.inside(`${evil}; ${make}; mkdir -p src/HEAD src/objects src/refs; echo one | tee src/HEAD/one src/objects/one src/refs/one > one`);
    expect([isObeyed(), readIn(stage, 'one'), readIn(stage, 'src/HEAD/one')]).toEqual([false, 'one\n', 'one\n']);
    expect(stage.told).toEqual([join(stage.repo.path, 'app')]);
    for (const make of makes) await stage.outside(`${evil}; ${make}`);
    expect(isObeyed()).toBe(true);
  });

  it('is reported at once if it is too large to be read', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo "*.log" > .gitignore; truncate -s 3T a.log; echo one > one');
    expect([stage.told, readIn(stage, 'one')]).toEqual([[], 'one\n']);
    await stage.inside('truncate -s 3T large');
    expect(stage.told[0]).toMatch(/what was made is kept in .*: .*large is larger than 32 GiB/);
  });

  it('is never written through a link', async () => {
    await using stage = await openIsolatedStage();
    const { repo } = stage;
    const outside = join(repo.beside, 'outside');
    await mkdir(outside);
    await repo.write('.gitignore', 'data\n');
    await symlink(outside, join(repo.path, 'data'));
    await stage.inside('rm data .gitignore; mkdir data; echo evil > data/evil; echo one > one');
    expect(readdirSync(outside)).toEqual([]);
    expect(readIn(stage, 'one')).toBe('one\n');
    expect(stage.told[0]).toContain('data/evil');
    await stage.inside(`rm -rf data; ln -s ${outside} src; ln -s ${outside} deep`);
    await stage.inside('rm -f src deep; mkdir src; echo x > src/x');
    expect(readdirSync(outside)).toEqual([]);
    expect(readIn(stage, 'src/x')).toBe('x\n');
  });

  it("cannot replace a command of the operator's filter: files are read inside the sandbox", async () => {
    await using stage = await openIsolatedStage({
      before: async (git, path) => {
        execFileSync('sh', ['-c', 'printf "#!/bin/sh\\ncat\\n" > clean.sh && chmod 755 clean.sh && echo "*.x filter=own" > .gitattributes && echo a > a.x'], {
          cwd: path,
        });
        git('config', 'filter.own.clean', './clean.sh');
        git('add', '-A');
        git('commit', '-qm', 'filtered');
      },
    });
    const { repo } = stage;
    await stage.inside(`printf '#!/bin/sh\\ntouch ${repo.beside}/escaped\\ncat\\n' > clean.sh; echo b > a.x; echo c > c.x`);
    expect(readIn(stage, 'c.x')).toBe('c\n');
    expect(existsSync(join(repo.beside, 'escaped'))).toBe(false);
  });

  it('cannot be hidden by its size and its times', async () => {
    await using stage = await openIsolatedStage();
    const before = readIn(stage, 'readme.txt');
    await stage.inside('true');
    await stage.inside(
      `touch -r readme.txt ../t 2>/dev/null || touch -r readme.txt /tmp/t; tr a-z b-za < readme.txt > /tmp/r; cat /tmp/r > readme.txt; touch -r /tmp/t readme.txt`,
    );
    const after = readIn(stage, 'readme.txt');
    expect([after.length, after === before]).toEqual([before.length, false]);
  });
});
