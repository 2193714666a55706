import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';

describe('a process that works in a copy', () => {
  it('gets the path of the copy wherever the call names the work tree, and finds what Ralph writes for it', async () => {
    await using stage = await openIsolatedStage({ kind: 'copy' });
    const { root, path } = stage;
    await stage.repo.write('.ralph/guardrail.log', 'red\n');
    const env = { PATH: `${root}/bin:/usr/bin:/bin`, PWD: root, RUN: join(root, '.git/ralph') };
    const call = { who: 'agent', file: `${root}/a.sh`, args: [`--in=${root}`], cwd: root, env, stdin: `Look at ${root}.` } as const;
    const { leave, ...enclosed } = await stage.wall.enclose(call);
    expect(enclosed).toMatchObject({ file: `${path}/a.sh`, args: [`--in=${path}`], cwd: path, stdin: `Look at ${path}.` });
    expect(enclosed.env).toMatchObject({ PATH: `${path}/bin:/usr/bin:/bin`, PWD: path, RUN: join(root, '.git/ralph') });
    expect(readFileSync(join(path, '.ralph/guardrail.log'), 'utf8')).toBe('red\n');
    await leave();
    const commit = await stage.wall.enclose({ ...call, who: 'gate', file: 'git', args: ['commit', `--message=in ${root}`] });
    expect(commit.args).toEqual(['commit', `--message=in ${root}`]);
    await commit.leave();
    expect(stage.repo.git('status', '--porcelain')).toBe('?? .ralph/');
  });

  it("has its own git: its settings and hooks have no effect outside, a push fails, and the operator's hooks run in it", async () => {
    await using stage = await openIsolatedStage({
      kind: 'copy',
      before: async (git, path) => {
        git('remote', 'add', 'origin', join(path, '.git'));
        await writeFile(join(path, '.git/hooks/pre-commit'), '#!/bin/sh\necho hooked\n', { mode: 0o755 });
      },
    });
    const mark = join(stage.repo.beside, 'escaped');
    const { said } = await stage.inside(
      `echo one > one; git add one; git commit -qm one; git push -q origin HEAD:refs/heads/pushed || echo no push
       git config core.fsmonitor 'touch ${mark}; :'; git config filter.e.clean 'touch ${mark}; cat'; echo '* filter=e' > .gitattributes
       printf '#!/bin/sh\\ntouch ${mark}\\n' > .git/hooks/post-index-change; chmod 755 .git/hooks/post-index-change; echo two > two; git branch -D main; git tag -d x`,
    );
    expect(said).toMatch(/^hooked\n[\s\S]*no push\n/);
    stage.repo.git('status');
    expect(existsSync(mark)).toBe(false);
    expect([stage.repo.git('log', '--format=%s', '-1'), stage.repo.git('branch', '--list', 'pushed'), readFileSync(join(stage.root, 'two'), 'utf8')]).toEqual([
      'one',
      '',
      'two\n',
    ]);
  });

  it('has a copy of a nested repository, and no change to that comes back', async () => {
    await using stage = await openIsolatedStage({ kind: 'copy' });
    await stage.inside('true');
    await stage.repo.write('vendor/lib/f', 'f\n');
    await stage.outside('git init -q && git add -A && git commit -qm lib', { cwd: join(stage.root, 'vendor/lib') });
    const { said } = await stage.inside('git -C vendor/lib log --format=%s; echo g > vendor/lib/f; echo one > one');
    expect(said).toBe('lib\n');
    expect(['vendor/lib/f', 'one'].map((name) => readFileSync(join(stage.root, name), 'utf8'))).toEqual(['f\n', 'one\n']);
    expect(stage.warned).toEqual([expect.stringContaining('vendor/lib is a repository of its own')]);
  });

  it('starts again if somebody has removed the copy of a dead run', async () => {
    await using stage = await openIsolatedStage({ kind: 'copy' });
    await stage.wall.enclose({ who: 'agent', file: 'true', args: [], cwd: stage.root, env: {} });
    await rm(stage.path, { recursive: true });
    const again = await stage.open();
    expect((await again.inside('cat readme.txt; echo one > one')).code).toBe(0);
    expect([stage.repo.git('status', '--porcelain'), stage.warned]).toEqual(['?? one', [expect.stringContaining('is gone')]]);
  });
});
