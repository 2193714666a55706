import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planTask, planWith } from '../../../../test/support/json-plan.ts';
import { isRunning } from '../../../../test/support/live-processes.ts';
import { branchWith, gate, merged, merging } from '../../../../test/support/merging.ts';
import { openWorkStage } from '../../../../test/support/plan-stage.ts';
import { until } from '../../../../test/support/until.ts';

describe('the merge queue', () => {
  it('lets no two workers run gates at once, and each sees the work of those before it', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const stage = await openWorkStage(planWith(...names.map((name) => planTask(name))));
    const heads: string[] = [];
    for (const name of names) heads.push(await branchWith(stage, name, { [`${name}.txt`]: name }));
    const seat = join(stage.repo.beside, 'overlap');
    const alone = gate(`mkdir '${seat}' && sleep 0.2 && rmdir '${seat}'`);
    const effects = names.map((name, index) => merging(planTask(name), heads[index] ?? '', { gates: [alone, gate('ls *.txt')] }));
    const all = await Promise.all(effects.map((effect) => merged(effect, stage.ports)));
    expect(all.map(({ result }) => result)).toEqual(['merged', 'merged', 'merged', 'merged']);
    expect(all.map(({ results }) => results[1]?.output)).toEqual(['a.txt\n', 'a.txt\nb.txt\n', 'a.txt\nb.txt\nc.txt\n', 'a.txt\nb.txt\nc.txt\nd.txt\n']);
    expect(stage.statuses()).toEqual({ a: 'complete', b: 'complete', c: 'complete', d: 'complete' });
    expect(new Set(all.flatMap(({ results }) => results.map(({ log }) => log))).size).toBe(8);
  });

  it('starts again when another process has moved the base meanwhile', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    const other = await branchWith(stage, 'b', { 'other.txt': 'b\n' });
    const once = gate(`test -f other.txt || git update-ref refs/ralph/base/main ${other}`);
    expect(await merged(merging(planTask('a'), head, { gates: [once] }), stage.ports)).toMatchObject({ result: 'merged', left_behind: null });
    expect(stage.repo.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(expect.arrayContaining(['a.txt', 'other.txt']));
  });

  it('does not start again for ever', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    const base = 'refs/ralph/base/main';
    const moves = gate(`echo x >>'${stage.repo.beside}/tries'; git update-ref ${base} $(git commit-tree -p ${base} -m other ${base}^{tree})`);
    expect(await merged(merging(planTask('a'), head, { gates: [moves] }), stage.ports)).toMatchObject({ result: 'moved', commit: null });
    expect(readFileSync(join(stage.repo.beside, 'tries'), 'utf8')).toBe('x\n'.repeat(5));
    expect(stage.repo.git('for-each-ref', 'refs/ralph/merged')).toBe('');
  });

  it('does not land the work of a task that somebody else holds by now', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const name = 'task/plan.json/a';
    await stage.crew.registers.put(name, 1, {});
    await stage.crew.registers.put(name, 2, {});
    const effect = merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }));
    expect(await merged(effect, stage.ports)).toMatchObject({ result: 'failed', detail: 'somebody else has the task by now' });
    const holder = { name: 'run-1/1', run: 'run-1', lane: 1, process: stage.crew.process };
    await stage.crew.registers.put(name, 3, { state: 'held', holder, key: '', at: 0, branch: null, base: null, tries: 0, feedback: '' });
    expect(await merged(effect, stage.ports)).toMatchObject({ result: 'merged' });
  });
});

describe('a merge that is cut off', () => {
  it('ends its gates, lands nothing, and says nothing about the work', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const pidFile = join(stage.repo.beside, 'pid');
    const controller = new AbortController();
    const effect = merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }), {
      gates: [gate(`echo $$ >'${pidFile}'; sleep 600`), gate('echo next >>x')],
    });
    const doing = merged(effect, stage.ports, controller.signal);
    await until('the gate runs', () => existsSync(pidFile));
    controller.abort('the run is over');
    expect(await doing).toMatchObject({ result: 'failed', detail: 'cut off', results: [], kept: null });
    expect(stage.repo.git('for-each-ref', 'refs/ralph/merged')).toBe('');
    expect(await stage.crew.registers.get('merge/main')).toEqual({ n: 2, value: null });
  });

  it('while it waits for its turn has not begun', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const holder = { name: 'run-2/merge:1.1', run: 'run-2', lane: null, process: { ...stage.crew.process, pid: 1 } };
    await stage.crew.registers.put('merge/main', 1, holder);
    const controller = new AbortController();
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    const doing = merged(merging(planTask('a'), head), stage.with({ livenessOf: () => 'alive' }), controller.signal);
    controller.abort('enough');
    expect(await doing).toMatchObject({ result: 'failed', detail: 'cut off' });
    expect(await stage.crew.registers.get('merge/main')).toEqual({ n: 1, value: holder });
  });

  it('by the end of the whole run is not red, but by the time limit of a gate it is', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    const pidFile = join(stage.repo.beside, 'pid');
    const hangs = `echo $$ >'${pidFile}'; sleep 600`;
    const endMs = stage.ports.clock.nowMs() + 500;
    expect(await merged(merging(planTask('a'), head, { gates: [gate(hangs)], until: endMs }), stage.ports)).toMatchObject({
      result: 'failed',
      detail: 'cut off',
    });
    const judged = await merged(merging(planTask('a'), head, { gates: [gate(hangs, 500)] }), stage.ports);
    expect(judged).toMatchObject({ result: 'red', results: [{ green: false, ending: { kind: 'stopped', cause: 'deadline' } }] });
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });
});
