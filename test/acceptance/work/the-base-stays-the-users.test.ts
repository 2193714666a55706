import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { expectTidy, openWorkStage, WORKS, type WorkStage } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const FILES = { 'shared.txt': 'nobody\n', 'other.txt': 'x\n' };
const WAITS = ': >"$here/busy"; await go\n';
const RESOLVES = '[ $role = resolve ] && { printf "both\\n" >shared.txt; git add -A; git commit -q --no-edit; exit; }\n';
const CHANGES = 'echo "by $id" >shared.txt; save; claim';

async function commits(stage: WorkStage, file: string, text: string): Promise<string> {
  await stage.repo.write(file, text);
  stage.repo.git('add', '-A');
  stage.repo.git('commit', '-q', '-m', 'by a person');
  return stage.repo.git('rev-parse', 'HEAD');
}

const has = ({ repo }: WorkStage, commit: string) => repo.git('merge-base', commit, 'main') === commit;

describe.concurrent('a person who commits to the base during a run', () => {
  it('keeps the commit, and the task is merged on top of it', async () => {
    await using stage = await openWorkStage(['A'], WAITS + WORKS, { files: FILES });
    const running = stage.begin();
    await stage.made('busy');
    const commit = await commits(stage, 'person.txt', 'hello\n');
    await stage.make('go');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { left_behind: null } } });
    expect(has(stage, commit)).toBe(true);
    expect(readFileSync(join(stage.repo.path, 'person.txt'), 'utf8')).toBe('hello\n');
    expect(stage.merged()).toEqual(['A']);
    expectTidy(stage);
  });

  it('keeps the commit, and an agent resolves conflicts with it', async () => {
    await using stage = await openWorkStage(['A'], RESOLVES + WAITS + CHANGES, { files: FILES });
    const running = stage.begin();
    await stage.made('busy');
    const commit = await commits(stage, 'shared.txt', 'by a person\n');
    await stage.make('go');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(has(stage, commit)).toBe(true);
    expect(stage.repo.git('show', 'main:shared.txt')).toBe('both');
    expectTidy(stage);
  });

  it('keeps the commit, and a task with an unresolved conflict is parked', async () => {
    await using stage = await openWorkStage(['A'], WAITS + CHANGES, { files: FILES });
    const running = stage.begin('--resolve-tries', '0');
    await stage.made('busy');
    const commit = await commits(stage, 'shared.txt', 'by a person\n');
    await stage.make('go');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 1, result: { work: { tasks: { conflicts: 1 } } } });
    expect(stage.repo.git('rev-parse', 'main')).toBe(commit);
    expect(stage.merged()).toEqual([]);
    expectTidy(stage, ['ralph/A.1']);
  });

  it('and adds a task to the plan has it done', async () => {
    await using stage = await openWorkStage(['A'], `[ "$id" = A ] && { ${WAITS.trim()}; }\n${WORKS}`);
    const running = stage.begin();
    await stage.made('busy');
    const plan = stage.plan().replace('edges:', '  - {id: B, title: More, priority: 1, status: pending} # on B\nedges:');
    await commits(stage, 'task-graph.yaml', plan);
    await stage.make('go');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { work: { tasks: { done: 2 } } } });
    expect(stage.statuses()).toEqual({ A: 'complete', B: 'complete' });
    expectTidy(stage);
  });

  it('and has checked out another branch stays there, and the base still moves', async () => {
    await using stage = await openWorkStage(['A'], WAITS + WORKS, { files: FILES });
    const running = stage.begin();
    await stage.made('busy');
    stage.repo.git('checkout', '-q', '-b', 'elsewhere');
    await stage.make('go');
    const run = await stage.over(running);

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect(stage.repo.git('branch', '--show-current')).toBe('elsewhere');
    expect(stage.repo.git('log', '--format=%s', 'elsewhere')).not.toContain('Merge task');
    expect(stage.repo.git('log', '--format=%s', 'main')).toContain('Merge task A');
  });
});

describe.concurrent('a work tree with uncommitted changes', () => {
  it('is refused, and nothing is changed', async () => {
    await using stage = await openWorkStage(['A'], WORKS, { files: FILES });
    await stage.repo.write('shared.txt', 'mine\n');
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 2, result: { stop_reason: 'fatal' } });
    expect(run.stderr).toMatch(/^error: .*not committed: shared\.txt\nhint: .*--allow-dirty/m);
    expect(stage.calls()).toEqual([]);
    expect(readFileSync(join(stage.repo.path, 'shared.txt'), 'utf8')).toBe('mine\n');
  });

  it('is allowed with --allow-dirty: it follows results that do not touch the changes, and the changes stay', async () => {
    await using stage = await openWorkStage(['A', 'B'], WORKS, { files: FILES });
    await stage.repo.write('shared.txt', 'mine\n');
    await stage.repo.write('untracked.txt', 'mine too\n');
    const run = await stage.work('--allow-dirty');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { tasks: { done: 2 } } } });
    expect(stage.repo.git('status', '--porcelain', '--untracked-files=all').split('\n')).toEqual(['M shared.txt', '?? untracked.txt']);
    expect(readFileSync(join(stage.repo.path, 'shared.txt'), 'utf8')).toBe('mine\n');
  });

  it('stays behind with a message if a result would overwrite the changes, and nothing is lost', async () => {
    await using stage = await openWorkStage(['A', 'B'], CHANGES, { files: FILES, edges: [['A', 'B']] });
    await stage.repo.write('shared.txt', 'mine\n');
    const run = await stage.work('--allow-dirty');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { left_behind: expect.any(String) } } });
    expect(run.stderr).toMatch(/shared\.txt|refs\/ralph\/base\/main/);
    expect(readFileSync(join(stage.repo.path, 'shared.txt'), 'utf8')).toBe('mine\n');
    expect(stage.repo.git('show', 'refs/ralph/base/main:shared.txt')).toBe('by B');
    expect(stage.repo.git('show', 'refs/ralph/base/main:task-graph.yaml').match(/status: complete/g)).toHaveLength(2);
    const again = await stage.work('--allow-dirty');
    expect(again, again.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', iterations: 0 } });
  });
});
