import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endOf } from '../../support/stage.ts';
import { eventsIn, openWorkStage, WORKS, type WorkStage } from '../../support/work-stage.ts';

/** Another branch in another work tree, from before any work. */
function anotherTree({ repo }: WorkStage): string {
  const path = join(repo.beside, 'other');
  repo.git('worktree', 'add', '-q', '-b', 'other', path);
  return path;
}

/** The work of its dependency must be in its work tree. */
const NEEDS_A = `[ "$id" = A ] || test -f A.txt || exit 9\n${WORKS}`;
const EDGES = [['A', 'B']] as const;

describe.concurrent('a task that was merged into one branch', () => {
  it('does not make its dependents ready on another branch', async () => {
    await using stage = await openWorkStage(['A', 'B'], NEEDS_A, { edges: EDGES });
    const other = anotherTree(stage);
    const first = await stage.work('-n', '1');
    const second = await endOf(stage.beginIn(other));

    expect(stage.merged(), first.stderr).toEqual(['A']);
    const verdicts = eventsIn(stage, 'attempt.ended').map(({ verdict }) => verdict);
    expect(verdicts, second.stderr).not.toContain('failed');
  });

  it('is not reported as complete for another branch', async () => {
    await using stage = await openWorkStage(['A'], WORKS);
    const other = anotherTree(stage);
    const first = await stage.work();
    const second = await endOf(stage.beginIn(other));

    expect(first, first.stderr).toMatchObject({ code: 0 });
    const isThere = stage.repo.git('ls-tree', '--name-only', 'other').includes('A.txt');
    expect([second.result?.done, isThere], second.stderr).toEqual([isThere, isThere]);
  });
});

describe.concurrent('a person who resets a merged task in the plan', () => {
  it('has it done again, and the console says so', async () => {
    await using stage = await openWorkStage(['A'], `[ "$nth" = 1 ] || echo "once more" >again.txt\n${WORKS}`);
    await stage.work();
    await stage.repo.write('task-graph.yaml', stage.plan().replace(/complete, completed_at: "[^"]*"/, 'pending'));
    stage.repo.git('commit', '-qam', 'A must be done again');
    const run = await stage.work();

    const isDoneAgain = stage.repo.git('ls-tree', '--name-only', 'main').includes('again.txt');
    expect({ isDoneAgain, isTold: /done before as [0-9a-f]{7}; the plan says that it is not/.test(run.stderr) }, run.stderr).toEqual({
      isDoneAgain: true,
      isTold: true,
    });
  });

  it('has it done again only after a commit: an old editor buffer that was saved over the plan does not count', async () => {
    await using stage = await openWorkStage(['A', 'B'], `[ "$id" = A ] || { : >"$here/busy"; await go; }\n${WORKS}`);
    const running = stage.begin();
    await stage.made('busy');
    await stage.repo.write('task-graph.yaml', stage.plan().replace(/complete, completed_at: "[^"]*"/, 'pending'));
    await stage.make('go');
    const run = await stage.over(running);

    expect(stage.calls(), run.stderr).toEqual(['A', 'B']);
    expect(run).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { left_behind: expect.stringContaining('task-graph.yaml') } } });
  });
});

describe.concurrent('an uncommitted plan', () => {
  it.each(['untracked', 'ignored'])('and is %s says in the end what is complete, or it is told that it cannot', async (how) => {
    await using stage = await openWorkStage(['A'], 'work; ralph task complete A');
    if (how === 'ignored') await stage.repo.write('.gitignore', 'task-graph.yaml\n');
    stage.repo.git('rm', '-q', '--cached', 'task-graph.yaml');
    stage.repo.git('add', ...(how === 'ignored' ? ['.gitignore'] : []), '.ralph');
    stage.repo.git('commit', '-q', '-m', 'the plan is mine alone');
    const run = await stage.work('--allow-dirty');

    const isWritten = stage.statuses()['A'] === 'complete';
    const isTold = /the plan .*not|task-graph\.yaml .*not/.test(run.stderr);
    expect({ isWritten, isTold, isKnown: isWritten || isTold }, run.stderr).toMatchObject({ isKnown: true });
  });
});
