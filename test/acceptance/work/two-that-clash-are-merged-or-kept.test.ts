import { describe, expect, it, vi } from 'vitest';
import { eventsIn, expectNoBase, expectTidy, openWorkStage } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

/** Both start before either is merged, and change the same line. */
const MEET = ': >"$here/began.$id"; await began.A; await began.B';
const CLASH = `${MEET}\necho "by $id" >shared.txt; save; claim`;
const RESOLVES = '[ $role = resolve ] && { printf "by A\\nby B\\n" >shared.txt; git add -A; git commit -q --no-edit; exit; }\n';
const FILES = { 'shared.txt': 'nobody\n' };
const WORKERS = ['--workers', '2'];

describe.concurrent('two parallel tasks that change the same line', () => {
  it('are both merged if an agent resolves the conflict', async () => {
    await using stage = await openWorkStage(['A', 'B'], RESOLVES + CLASH, { files: FILES });
    const run = await stage.work(...WORKERS);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { tasks: { done: 2, conflicts: 0 } } } });
    expect(stage.repo.git('show', 'main:shared.txt')).toBe('by A\nby B');
    expect([...stage.merged()].sort()).toEqual(['A', 'B']);
    expect(stage.calls()).toHaveLength(3);
    const [asked] = [...stage.prompts('A'), ...stage.prompts('B')].filter((prompt) => prompt.includes('merge conflict'));
    expect(asked).toContain('shared.txt');
    expectTidy(stage);
  });

  it('are merged although a third one is merged while the conflict is resolved: that resolution is no used-up try', async () => {
    const meet = ': >"$here/began.$id"; await began.A; await began.B; await began.C';
    const third = '[ $id = C ] && [ $role = work ] && { await resolving; }\n';
    const resolve = `[ $role = resolve ] && { : >"$here/resolving"; [ $id = C ] || [ $nth -gt 2 ] || while ! git log --format=%s refs/ralph/base/main | grep -q 'task C'; do sleep 0.05; done
      printf "all of them, $nth\\n" >shared.txt; git add -A; git commit -q --no-edit; exit; }\n`;
    await using stage = await openWorkStage(['A', 'B', 'C'], `${resolve}${meet}\n${third}echo "by $id" >shared.txt; save; claim`, { files: FILES });
    const run = await stage.work('--workers', '3', '--resolve-tries', '1');

    expect([...stage.merged()].sort(), run.stderr).toEqual(['A', 'B', 'C']);
    expect(run).toMatchObject({ code: 0, result: { work: { tasks: { done: 3, conflicts: 0 } } } });
    expectTidy(stage);
  });

  const unresolved = [
    ['no agent resolves', '[ $role = resolve ] && exit\n', []],
    ['is committed with its markers', '[ $role = resolve ] && { git add -A; git commit -q --no-edit; exit; }\n', []],
    ['no agent may resolve', '', ['--resolve-tries', '0']],
  ] as const;

  it.each(unresolved)('and that %s: one is merged, the other is parked with both sides kept, and the base is untouched', async (_, resolve, flags) => {
    await using stage = await openWorkStage(['A', 'B'], resolve + CLASH, { files: FILES });
    const run = await stage.work(...WORKERS, ...flags);

    expect(run, run.stderr).toMatchObject({ code: 1, result: { stop_reason: 'stuck', done: false, work: { tasks: { done: 1, conflicts: 1 } } } });
    const [winner = ''] = stage.merged();
    const loser = winner === 'A' ? 'B' : 'A';
    expect(stage.merged()).toEqual([winner]);
    expect(stage.repo.git('show', 'main:shared.txt')).toBe(`by ${winner}`);
    expect(stage.repo.git('log', '--format=%s', `ralph/${loser}.1`).split('\n')).toContain(`work of ${loser}`);
    expectNoBase(stage);
    expect((await stage.ralph('task', 'show', loser)).stdout).toContain('conflict');
    expectTidy(stage, [`ralph/${loser}.1`]);
    expect(run.stderr).not.toContain('All tasks complete');
  });
});

describe.concurrent('two parallel tasks that are green alone and red together', () => {
  const ALONE = `test "$(ls | grep -c '^[AB].txt')" -le 1 || { echo too many; exit 1; }`;

  it('leave the base untouched and the result kept', async () => {
    await using stage = await openWorkStage(['A', 'B'], `${MEET}; work; claim`);
    const run = await stage.work(...WORKERS, '--check', ALONE, '--unproven-tries', '0');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { work: { tasks: { done: 1, unproven: 1 } } } });
    expect(stage.merged()).toHaveLength(1);
    const [red] = eventsIn(stage, 'merge.judged').filter(({ result }) => result === 'red');
    expect(stage.repo.git('ls-tree', '--name-only', String(red?.['kept']))).toMatch(/A\.txt\nB\.txt/);
    expectNoBase(stage);
    expect(stage.repo.git('ls-tree', '--name-only', 'main').match(/^[AB]\.txt$/gm)).toHaveLength(1);
  });

  it('are merged when the retried task sees the other', async () => {
    const script = `${MEET}; [ $nth = 1 ] || rm -f A.txt B.txt; work; claim`;
    await using stage = await openWorkStage(['A', 'B'], script);
    const run = await stage.work(...WORKERS, '--check', ALONE);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, work: { tasks: { done: 2, unproven: 1 } } } });
    const again = [...stage.prompts('A').slice(1), ...stage.prompts('B').slice(1)];
    expect(again).toEqual([expect.stringContaining('too many')]);
    expectTidy(stage);
  });
});
