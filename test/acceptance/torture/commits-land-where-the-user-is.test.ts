import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { LOOK, MESSAGE, nameAuthor, names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { deepRows } from '../../support/deep.ts';
import { WORK } from '../../support/stage.ts';

const run = (stage: { readonly ralphIn: (cwd: string, ...args: readonly string[]) => Promise<{ readonly code: number | null }> }, cwd: string) =>
  stage.ralphIn(cwd, 'run', '-p', 'Do the work.', '--agent', 'claude', '--guardrail', 'cat work.txt', '--json');

describe.concurrent('a commit goes', () => {
  it('to a detached HEAD, and no branch moves', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    const { repo } = stage;
    repo.git('checkout', '-q', '--detach');
    const { code } = await stage.run();

    expect(code).toBe(0);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(repo.git('log', '--format=%s', 'main')).toBe('start');
    expect(repo.git('branch', '--show-current')).toBe('');
    expect(stage.after()).toMatchObject({ changed: [], processes: [] });
  });

  it.each(deepRows('git itself reads the condition', ['gitdir:repo/', 'gitdir/i:REPO/', 'onbranch:main'], 1))(
    'by the author whom the user’s git names for %s',
    async (condition) => {
      const userConfig = `[includeIf "${condition}"]\n\tpath = author.gitconfig\n`;
      await using stage = await openCommittingStage([works, names(MESSAGE)], { userConfig });
      const { repo } = stage;
      await writeFile(join(repo.beside, 'author.gitconfig'), '[user]\n\tname = Included\n');
      repo.git('config', '--unset', 'user.name');
      const { code, stderr } = await stage.run();

      expect(code, stderr).toBe(0);
      expect(repo.git('log', '-1', '--format=%an: %s')).toBe(`Included: ${MESSAGE}`);
    },
  );

  it('to the branch that the agent created', async () => {
    await using stage = await openCommittingStage([turn(bash(`git checkout -qb feature; ${WORK}`), ...ends(CLAIM)), names(MESSAGE)]);
    const { code } = await stage.run();

    expect(code).toBe(0);
    expect(stage.repo.git('log', '--reverse', '--format=%s', 'feature')).toBe(`start\n${MESSAGE}`);
    expect(stage.repo.git('log', '--format=%s', 'main')).toBe('start');
  });

  it('to a branch without commits, as its first', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], { gate: `${LOOK}; sh check.sh` });
    stage.repo.git('checkout', '-q', '--orphan', 'fresh');
    const { code } = await stage.run();

    expect(code).toBe(0);
    expect(stage.subjects()).toEqual([MESSAGE]);
    expect(stage.seen()).toEqual([stage.repo.git('rev-parse', 'HEAD^{tree}')]);
    expect(stage.inLastCommit()).toEqual(['.ralph/settings.json', 'check.sh', 'work.txt']);
    expect(stage.after()).toMatchObject({ commits: 1, changed: [] });
  });

  it('to a new repository, as its first', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    const fresh = join(stage.repo.path, '..', 'fresh');
    await mkdir(join(fresh, '.ralph'), { recursive: true });
    stage.repo.git('init', '-q', '-b', 'main', fresh);
    nameAuthor(stage.repo, fresh);
    await writeFile(join(fresh, '.ralph/settings.json'), readFileSync(join(stage.repo.path, '.ralph/settings.json')));
    const { code } = await run(stage, fresh);

    expect(code).toBe(0);
    expect(stage.repo.git('-C', fresh, 'log', '--format=%s')).toBe(MESSAGE);
    expect(stage.repo.git('-C', fresh, 'ls-files')).toBe('.ralph/settings.json\nwork.txt');
    expect(stage.repo.git('-C', fresh, 'status', '--porcelain')).toBe('');
  });

  it('to the worktree of the run, and the others do not change', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    const { repo } = stage;
    const tree = join(repo.path, '..', 'tree');
    repo.git('worktree', 'add', '-q', '-b', 'other', tree);
    await repo.write('half-done.txt', 'by the user\n');
    const { code } = await run(stage, tree);

    expect(code).toBe(0);
    expect(repo.git('log', '--reverse', '--format=%s', 'other')).toBe(`start\n${MESSAGE}`);
    expect(repo.git('-C', tree, 'status', '--porcelain')).toBe('');
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: ['?? half-done.txt'], processes: [] });
  });

  it('to the submodule of the run', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)]);
    const { repo } = stage;
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo.path, 'sub');
    nameAuthor(repo, 'sub');
    const { code } = await run(stage, join(repo.path, 'sub'));

    expect(code).toBe(0);
    expect(repo.git('-C', 'sub', 'log', '--reverse', '--format=%s')).toBe(`start\n${MESSAGE}`);
    expect(repo.git('-C', 'sub', 'status', '--porcelain')).toBe('');
    expect(stage.subjects()).toEqual(['start']);
  });

  it('to the whole repository if the loop runs in a subfolder: with changes outside of it, but none of our files', async () => {
    const agent = turn(bash(`${WORK}; echo above > ../above.txt`), ...ends(CLAIM));
    const settings = JSON.stringify({ scm: { command: 'git', tasks: ['commit'] } });
    await using stage = await openCommittingStage([agent, names(MESSAGE)], {
      files: { 'sub/check.sh': 'grep -qs done work.txt', 'sub/.ralph/settings.json': settings },
      where: 'sub',
    });
    const { code } = await stage.run();

    expect(code).toBe(0);
    expect(stage.inLastCommit()).toEqual(['above.txt', 'sub/work.txt']);
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });

  it('to the author that scm.command names', async () => {
    const scm = { command: 'git -c "user.name=Another One" -c user.email=other@example.com', tasks: ['commit --signoff'] };
    await using stage = await openCommittingStage([works, names(MESSAGE)], { settings: { scm } });
    const { code } = await stage.run();

    expect(code).toBe(0);
    expect(stage.repo.git('log', '-1', '--format=%an <%ae>%n%B')).toBe(
      `Another One <other@example.com>\n${MESSAGE}\n\nSigned-off-by: Another One <other@example.com>`,
    );
  });
});
