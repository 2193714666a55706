import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
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

  it('does not land if it is a pipe, a socket, or a pipe in the place of a file', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('mkfifo pipe; rm readme.txt; mkfifo readme.txt; echo one > one');
    expect([existsSync(join(stage.repo.path, 'pipe')), lstatSync(join(stage.repo.path, 'readme.txt'), { throwIfNoEntry: false })?.isFIFO() ?? false]).toEqual([
      false,
      false,
    ]);
    expect(readIn(stage, 'one')).toBe('one\n');
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
      'mkdir -p app all/objects all/refs; echo x | tee all/objects/x all/refs/x; echo "ref: refs/heads/main" > app/HEAD; echo ../all > app/commondir; printf "$EVIL" > all/config',
    ],
  ])('does not land if it is a repository under another name, made %s', async (_how, ...makes) => {
    await using stage = await openIsolatedStage();
    const mark = join(stage.repo.beside, 'escaped');
    for (const make of makes)
      await stage.inside(`EVIL='[core]\\n\\tbare=false\\n\\tworktree=..\\n\\tfsmonitor=touch ${mark}; false\\n'; ${make}; echo one > one`);
    execFileSync('sh', ['-c', 'cd app 2>/dev/null && git status; true'], { cwd: stage.repo.path, stdio: 'ignore' });
    expect([existsSync(mark), readIn(stage, 'one')]).toEqual([false, 'one\n']);
    expect(stage.told).toEqual([join(stage.repo.path, 'app')]);
  });

  it('is reported at once if it is too large to be read', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo "*.log" > .gitignore; truncate -s 3T a.log; echo one > one');
    expect([stage.told, readIn(stage, 'one')]).toEqual([[], 'one\n']);
    await stage.inside('truncate -s 3T large');
    expect(stage.told[0]).toMatch(/large is larger than 32 GiB; what was made is kept in/);
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
