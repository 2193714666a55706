import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { planTask, planWith } from '../../../../test/support/json-plan.ts';
import { branchWith, gate, merged, merging } from '../../../../test/support/merging.ts';
import { openWorkStage } from '../../../../test/support/plan-stage.ts';
import { never } from '../../../../test/support/process-request.ts';
import type { TaskBranches } from '../../../engine/ports/task-branches.ts';
import { merge } from './merge.ts';

describe('a merge', () => {
  it("moves the base, writes the plan in the same commit, and updates the operator's branch", async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b', { needs: ['a'] }), planTask('c', { needs: ['a', 'b'] })));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    const effect = merging(planTask('a'), head, { gates: [gate('test -f a.txt && pwd')] });
    const judged = await merged(effect, stage.ports);
    expect(judged).toMatchObject({ result: 'merged', missing: [], conflicts: [], kept: null, left_behind: null, unlocked: ['b'], detail: '' });
    expect(judged.results.map(({ green, log }) => ({ green, log }))).toEqual([
      { green: true, log: `.ralph/guardrail_${String(effect.iteration).padStart(3, '0')}_merged1_test_f_a_txt_pwd.log` },
    ]);
    expect(judged.commit).toBe(stage.repo.git('rev-parse', 'main'));
    expect(stage.statuses()).toEqual({ a: 'complete', b: 'pending', c: 'pending' });
    expect(stage.repo.git('log', '-1', '--format=%B', 'main')).toBe(`Merge task a: Do a\n\nRalph-Run: run-1/${effect.iteration}`);
    expect(stage.repo.git('status', '--porcelain')).toBe('');
    expect(await stage.crew.registers.get('merge/main')).toEqual({ n: 2, value: null });
  });

  it('records its proof before the base moves, so that a loop that dies in between still has it', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    const base = () => stage.repo.git('for-each-ref', '--format=%(objectname)', 'refs/ralph/base/main', 'refs/ralph/merged');
    const told: unknown[] = [];
    const effect = merging(planTask('a'), head, { gates: [gate('echo said; test -f a.txt')] });
    const judged = await merge.perform(effect, stage.ports, async (event) => void told.push([event, base()]), never);
    const [onto, tree] = [stage.repo.git('rev-parse', 'main^1'), stage.repo.git('rev-parse', `${head}^{tree}`)];
    const sha256 = createHash('sha256').update('said\n').digest('hex');
    const result = { green: true, output: '', output_sha256: sha256, gate: { command: 'echo said; test -f a.txt' } };
    expect(told).toMatchObject([[{ type: 'merge.proven', key: effect.key, onto, tree, results: [result] }, onto]]);
    expect(judged).toMatchObject({ result: 'merged', tree: stage.repo.git('rev-parse', 'main^{tree}') });
    expect(await merge.find(effect, stage.ports)).toMatchObject({ tree: stage.repo.git('rev-parse', 'main^{tree}') });
  });

  it('that is cut off while its proof is recorded does not move the base', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const controller = new AbortController();
    const effect = merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }));
    expect(await merge.perform(effect, stage.ports, async () => controller.abort('the run is over'), controller.signal)).toMatchObject({ detail: 'cut off' });
    expect(stage.repo.git('for-each-ref', 'refs/ralph/merged')).toBe('');
  });

  it('that was done before is found, and not repeated', async () => {
    const stage = await openWorkStage(planWith(planTask('a/1'), planTask('b', { needs: ['a/1'] })));
    const effect = merging(planTask('a/1'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }));
    expect(await merge.find(effect, stage.ports)).toBeNull();
    const { commit } = await merged(effect, stage.ports);
    stage.repo.git('reset', '-q', '--hard', 'main^');
    expect(await merge.find(effect, stage.ports)).toMatchObject({ result: 'merged', commit, unlocked: ['b'] });
    expect(stage.repo.git('rev-parse', 'main')).toBe(commit);
    expect(await merged(effect, stage.ports)).toMatchObject({ result: 'merged', commit, results: [] });
  });

  it('does not run gates again on a tree that was green before', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    const green_tree = stage.repo.git('rev-parse', `${head}^{tree}`);
    expect(await merged(merging(planTask('a'), head, { green_tree, gates: [gate('false')] }), stage.ports)).toMatchObject({ result: 'merged', results: [] });
  });

  it('that is green alone and red together leaves the base alone and keeps the result', async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b')));
    const [a, b] = [await branchWith(stage, 'a', { 'a.txt': 'x' }), await branchWith(stage, 'b', { 'b.txt': 'x' })];
    const gates = [gate('test "$(cat ?.txt)" = x || { echo too many; exit 3; }'), gate('true')];
    expect(await merged(merging(planTask('a'), a, { gates }), stage.ports)).toMatchObject({ result: 'merged' });
    const before = stage.repo.git('rev-parse', 'refs/ralph/base/main');
    const green_tree = stage.repo.git('rev-parse', `${b}^{tree}`);
    const effect = merging(planTask('b'), b, { gates, green_tree });
    const judged = await merged(effect, stage.ports);
    expect(judged).toMatchObject({ result: 'red', commit: null, kept: `refs/ralph/kept/run-1/${effect.iteration}-merge`, unlocked: [] });
    expect(judged.results.map(({ green, output }) => [green, output])).toEqual([
      [false, 'too many\n'],
      [true, ''],
    ]);
    expect(stage.repo.git('ls-tree', '--name-only', judged.kept ?? '')).toContain('b.txt');
    expect(stage.repo.git('rev-parse', 'refs/ralph/base/main')).toBe(before);
    expect(stage.repo.git('rev-parse', 'main')).toBe(before);
    expect(stage.statuses()).toMatchObject({ b: 'pending' });
  });

  it('that git cannot do names the files, and keeps nothing but the branch', async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b')), { 'shared.txt': 'one\n' });
    const [a, b] = [await branchWith(stage, 'a', { 'shared.txt': 'two\n' }), await branchWith(stage, 'b', { 'shared.txt': 'three\n' })];
    await merged(merging(planTask('a'), a), stage.ports);
    expect(await merged(merging(planTask('b'), b), stage.ports)).toMatchObject({ result: 'conflict', conflicts: ['shared.txt'], kept: null, commit: null });
    expect(stage.repo.git('rev-parse', 'ralph/b.1')).toBe(b);
    expect(await stage.crew.registers.get('merge/main')).toMatchObject({ value: null });
  });

  it("reports git's own words when the disk is full", async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    const branches: TaskBranches = { ...stage.crew.branches, merge: async () => ({ kind: 'trouble', why: 'No space left on device' }) };
    const effect = merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }));
    expect(await merged(effect, stage.with({ branches }))).toMatchObject({ result: 'failed', detail: 'No space left on device' });
  });

  it('is red when a declared output is missing, empty, or a link that leads elsewhere, though a gate creates it', async () => {
    const outputs = ['made.txt', 'empty.txt', 'users.txt', 'ignored.txt', 'there.txt'];
    const stage = await openWorkStage(planWith(planTask('a', { outputs })), { '.gitignore': '.ralph/\nignored.txt\n' });
    const files = { 'empty.txt': '', 'there.txt': 'small', 'ignored.txt': 'not committed', 'users.txt': { link: '/etc/passwd' } };
    const effect = merging(planTask('a', { outputs }), await branchWith(stage, 'a', files), { gates: [gate('echo made >made.txt')] });
    expect(await merged(effect, stage.ports)).toMatchObject({
      result: 'red',
      missing: [
        'Output file missing: made.txt',
        'Output file is empty: empty.txt',
        'Output leads out of the work tree: users.txt',
        'Output file missing: ignored.txt',
      ],
      detail: 'Output file appears incomplete (only 5 bytes): there.txt',
      results: [{ green: true }],
    });
  });

  it('is red when an output exists among the merged files only because an earlier gate created it', async () => {
    const outputs = ['built.txt'];
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b', { outputs })), { '.gitignore': '.ralph/\nbuilt.txt\n' });
    const [a, b] = [await branchWith(stage, 'a', { 'a.txt': 'a\n' }), await branchWith(stage, 'b', { 'b.txt': 'b\n' })];
    await merged(merging(planTask('a'), a, { gates: [gate('echo built >built.txt')] }), stage.ports);
    expect(await merged(merging(planTask('b', { outputs }), b), stage.ports)).toMatchObject({
      result: 'red',
      missing: ['Output file missing: built.txt'],
    });
  });
});
