import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { appendFile, chmod, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';

const missing = bubblewrapIsMissing();
type Stage = Awaited<ReturnType<typeof openIsolatedStage>>;
const readIn = (stage: Stage, name: string) => readFileSync(join(stage.repo.path, name), 'utf8');

describe.skipIf(missing)('a process in an isolated workspace', () => {
  it("does not see a touched file as changed, and sees the operator's file times", async () => {
    await using stage = await openIsolatedStage();
    const path = join(stage.repo.path, 'readme.txt');
    await utimes(path, 1_600_000_000, 1_600_000_000);
    stage.repo.git('status');
    expect((await stage.inside('stat -c %Y readme.txt; git diff-files --name-only')).said).toBe('1600000000\n');
    await stage.inside('touch readme.txt');
    expect(statSync(path).mtimeMs).toBe(1_600_000_000_000);
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

  it('that judges sees what has landed, and cannot write', async () => {
    await using stage = await openIsolatedStage();
    await stage.inside('echo one > one');
    const { said } = await stage.inside('cat one; echo two > two', { judges: true });
    expect(said).toMatch(/^one\n.*Read-only/s);
  });

  it('that shares a folder with the loop writes there directly', async () => {
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

describe.skipIf(missing)('an isolated workspace works with a work tree', () => {
  it.each<[string, (git: Stage['repo']['git'], path: string) => void | Promise<void>]>([
    ['with Windows line ends', (git) => void git('config', 'core.autocrlf', 'true')],
    ['that is sparse', (git) => void git('sparse-checkout', 'set', 'lib')],
    ['with files that git must not look at', (git) => void git('update-index', '--assume-unchanged', 'readme.txt')],
    ['with a split index', (git) => void git('update-index', '--split-index')],
    ['with files that are only marked to be added', (git, path) => writeFile(join(path, 'later'), 'x').then(() => void git('add', '-N', 'later'))],
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
    ['whose files only the owner may read', (_git, path) => chmod(join(path, 'readme.txt'), 0o600)],
  ])('%s', async (_kind, before) => {
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
