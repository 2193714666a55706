import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.repo.path, name), 'utf8');

describe.skipIf(missing)('a change of .gitignore by an agent', () => {
  it("does not delete the operator's files that are ignored from now on", async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('build/mine', 'mine\n');
    await stage.inside('echo build > .gitignore; echo new > build/new');
    expect([readIn(stage, 'build/mine'), existsSync(join(stage.repo.path, 'build/new'))]).toEqual(['mine\n', false]);
    await stage.inside('cat build/mine; echo one > one');
    expect([readIn(stage, 'build/mine'), readIn(stage, 'one')]).toEqual(['mine\n', 'one\n']);
    await stage.inside('rm build/mine');
    expect(existsSync(join(stage.repo.path, 'build/mine'))).toBe(false);
  });

  it("keeps the operator's shared folders, inside and outside", async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', 'node_modules\n.env\n');
    await stage.repo.write('node_modules/x/a.js', 'a\n');
    await stage.repo.write('.env', 'KEY=1\n');
    await stage.inside('rm .gitignore');
    expect((await stage.inside('cat node_modules/x/a.js .env; echo one > one')).said).toBe('a\nKEY=1\n');
    expect((await stage.inside('cat node_modules/x/a.js; echo two > two')).said).toBe('a\n');
    expect([readIn(stage, 'node_modules/x/a.js'), readIn(stage, '.env'), readIn(stage, 'two')]).toEqual(['a\n', 'KEY=1\n', 'two\n']);
    await stage.inside('echo node_modules > .gitignore');
    await stage.inside('echo b >> node_modules/x/a.js');
    expect(readIn(stage, 'node_modules/x/a.js')).toBe('a\nb\n');
  });
});

describe.skipIf(missing)('files in repositories that an agent made land', () => {
  it.each([
    ['however deep these are', 'for n in 1 2 3 4 5 6 7 8; do mkdir d; cd d; git init -q; done; echo x > f', 'd/d/d/d/d/d/d/d/f'],
    ['whose name is two lines', 'mkdir "$(printf "a\\nb")"; cd a*; git init -q; echo x > f', 'a\nb/f'],
    [
      'that are links',
      'mkdir l; git init -q /tmp/l; ln -s /tmp/l/.git l/.git; ln -s nowhere l/g; mkdir m; ln -s nowhere m/.git; echo x > l/f; echo x > m/f',
      'm/f',
    ],
    ['however many', 'for n in $(seq 130); do mkdir -p r/$n/.git; echo x > r/$n/f; done', 'r/117/f'],
  ])('%s', async (_which, make, file) => {
    await using stage = await openIsolatedStage();
    await stage.inside(make);
    expect(stage.told).toEqual([]);
    expect(readIn(stage, file)).toBe('x\n');
    await stage.inside(`echo y >> '${file}'`);
    expect(readIn(stage, file)).toBe('x\ny\n');
    expect(
      stage.repo
        .git('ls-files', '--others', '--exclude-standard')
        .split('\n')
        .filter((name) => name.includes('.git')),
    ).toEqual([]);
  });

  it('even if their name is not text', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside(`d=$(printf '\\351'); mkdir "$d"; cd "$d"; git init -q; git commit -q --allow-empty -m x; echo x > f`);
    const at = Buffer.concat([Buffer.from(`${stage.repo.path}/`), Buffer.from([0xe9]), Buffer.from('/f')]);
    expect(readFileSync(at, 'utf8')).toBe('x\n');
  });

  it('unless git ignores these repositories, which are left alone', async () => {
    await using stage = await openIsolatedStage();
    await stage.repo.write('.gitignore', 'cache/\n');
    await stage.inside('mkdir -p cache/r; cd cache/r; git init -q; git commit -q --allow-empty -m kept');
    expect((await stage.inside('git -C cache/r log --format=%s')).said).toBe('kept\n');
  });
});

describe.skipIf(missing)("files that the operator's git settings refuse to add land", () => {
  it.each([
    [
      'line ends',
      [
        ['config', 'core.autocrlf', 'true'],
        ['config', 'core.safecrlf', 'true'],
      ],
    ],
    ['what is not in a sparse work tree', [['sparse-checkout', 'set', 'lib']]],
  ])('%s', async (_what, settings) => {
    await using stage = await openIsolatedStage({
      before: async (git, path) => {
        for (const name of ['lib', 'other']) await mkdir(join(path, name)).then(() => writeFile(join(path, name, 'f'), 'f\n'));
        git('add', '-A');
        git('commit', '-qm', 'folders');
        for (const words of settings) git(...words);
      },
    });
    await stage.inside('mkdir -p deep other; echo new > deep/new; echo new > other/new; echo more >> lib/f');
    expect([readIn(stage, 'deep/new'), readIn(stage, 'other/new'), readIn(stage, 'lib/f')]).toEqual(['new\n', 'new\n', 'f\nmore\n']);
    expect(stage.repo.git('ls-files', '--deleted')).toBe('');
    expect(stage.told).toEqual([]);
  });
});
