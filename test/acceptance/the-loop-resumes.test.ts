import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../support/claude-script.ts';
import { bash, ends, stay, turn } from '../support/claude-script.ts';
import { deep } from '../support/deep.ts';
import { type EndedRun, endOf, journalOf } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { completes, openWorktreeStage, startOf, type WorktreeProps, type WorktreeStage } from '../support/worktree-stage.ts';

const goesOn = (file: string) => turn(bash(`echo x > ${file}; echo done > work.txt`), ...ends('Not yet.'));

/** Two green iterations, and a third in which the loop is killed; then one that completes. */
const SCRIPT: readonly Turn[] = [goesOn('one.txt'), goesOn('two.txt'), turn(bash('echo half > half.txt; touch "$HOME/third"'), stay), completes()];

async function killedInTheThird(props: WorktreeProps = {}): Promise<WorktreeStage> {
  const stage = await openWorktreeStage(SCRIPT, props);
  const running = stage.beginLoop();
  await stage.made('third');
  running.child.kill('SIGKILL');
  await endOf(running);
  await until('the guardian has ended the agent', () => stage.processes().length === 0);
  return stage;
}

function expectEnded(run: EndedRun, stage: WorktreeStage): void {
  expect(run).toMatchObject({ code: 0, result: { stop_reason: 'all_checks_passed', iterations: 3, commits: 3 } });
  const { branch, found } = startOf(run);
  expect(stage.repo.git('log', '--reverse', '--format=%s', `${found.head}..${branch}`).split('\n')).toEqual(
    [1, 2, 3].map((n) => `Iteration ${n}: Do the work.`),
  );
  expect(stage.repo.git('diff', '--name-only', `${found.head}...${branch}`).split('\n')).toEqual(['half.txt', 'one.txt', 'two.txt', 'work.txt']);
  expect(stage.after()).toMatchObject({ commits: 1, changed: [], processes: [] });
}

describe.concurrent('a loop that was killed in its third iteration', () => {
  it('continues in its worktree when resumed where it was started', async () => {
    await using stage = await killedInTheThird();
    const run = await stage.ralph('loop', '--resume', '--json');

    expectEnded(run, stage);
    expect(stage.worktrees()).toEqual([startOf(run).path]);
    expect(journalOf(run).filter(({ type }) => type === 'run.resumed')).toHaveLength(1);
  });

  deep('that a run goes on elsewhere only by its name is held in a-run-goes-on-where-it-belongs.test.ts', () => {
    it('continues in its worktree when resumed there, or anywhere by its name', async () => {
      await using stage = await killedInTheThird();
      const [path = ''] = stage.worktrees();
      const elsewhere = join(stage.repo.beside, 'elsewhere');
      stage.repo.git('worktree', 'add', '-q', '--detach', elsewhere);
      const unknown = await stage.ralphIn(elsewhere, 'loop', '--resume');
      const status = await stage.ralphIn(path, 'status', '--json');
      const run = await stage.ralphIn(elsewhere, 'run', '--resume', `${status.result?.run_id}`, '--json');
      stage.repo.git('worktree', 'remove', elsewhere);

      expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('error: there is no run here\n') });
      expectEnded(run, stage);
    });
  });

  it('continues in the subfolder of the worktree in which it started', async () => {
    await using stage = await killedInTheThird({ where: 'sub', files: { 'sub/check.sh': 'grep -q done work.txt\n' } });
    const run = await stage.ralph('loop', '--resume', '--json');

    expect(run.code).toBe(0);
    expect(startOf(run)).toMatchObject({ cwd: join(startOf(run).path, 'sub'), origin: join(stage.repo.path, 'sub') });
    expect(stage.repo.git('show', `${startOf(run).branch}:sub/half.txt`)).toBe('half');
  });

  it('says how to restore a removed worktree, and continues after that', async () => {
    await using stage = await killedInTheThird();
    const [path = ''] = stage.worktrees();
    await rm(path, { recursive: true });
    const gone = await stage.ralph('loop', '--resume');
    const commands = /continue it with: (.*) && ralph runs resume \S+\n$/.exec(gone.stderr)?.[1] ?? 'false';
    execFileSync('sh', ['-c', commands], { cwd: stage.repo.path, stdio: 'ignore' });
    const run = await stage.ralph('loop', '--resume', '--json');

    expect(gone.code).toBe(4);
    expect(gone.stderr).toMatch(
      new RegExp(`^error: the worktree of run \\S+ is gone: ${path}\nhint: What it has committed is on branch ralph/\\S+[.] Bring it back`),
    );
    expect(run).toMatchObject({ code: 0, result: { iterations: 3 } });
  });

  it('says that nothing is left if its branch was removed too', async () => {
    await using stage = await killedInTheThird();
    const [listed] = await stage.listed();
    stage.repo.git('worktree', 'remove', '--force', `${listed?.['path']}`);
    stage.repo.git('branch', '-q', '-D', `${listed?.['branch']}`);
    const run = await stage.ralph('loop', '--resume');

    expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining(`hint: Its branch ${listed?.['branch']} is gone as well`) });
  });

  it('cannot be resumed twice at the same time', async () => {
    await using stage = await killedInTheThird();
    const runs = await Promise.all([stage.ralph('loop', '--resume', '--json'), stage.ralph('loop', '--resume', '--json')]);
    const [done, refused] = runs.sort((a, b) => Number(a.code) - Number(b.code));

    expect(done?.code).toBe(0);
    expect([2, 4]).toContain(refused?.code);
    expect(stage.after()).toMatchObject({ calls: 4, commits: 1, changed: [] });
  });
});

describe.concurrent('the files at the start of a loop', () => {
  it('are kept in the repository, including uncommitted ones', async () => {
    await using stage = await openWorktreeStage([turn(bash('echo lost > new.txt; rm check.sh'), ...ends('Not yet.'))]);
    await stage.repo.write('new.txt', 'not committed\n');
    const run = await stage.ralph('loop', 'Do it.', '--agent', 'claude', '--check', 'false', '--max-iterations', '1', '--json');
    const [started] = journalOf(run) as readonly { readonly found?: { readonly tree: string } }[];

    expect(run.code).toBe(1);
    expect(stage.repo.git('show', `${started?.found?.tree}:new.txt`)).toBe('not committed');
  });
});
