import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonPlan, PLAN_FILE, planTask, planWith } from '../../../../test/support/json-plan.ts';
import { branchWith, gate, merged, merging } from '../../../../test/support/merging.ts';
import { openWorkStage } from '../../../../test/support/plan-stage.ts';
import type { PlanStore } from '../../../engine/ports/stores.ts';
import type { Merge } from '../../../journal/effects/work-effect.ts';
import type { PlanEdit } from '../../../journal/words/plan.ts';
import { openPlanStore } from '../../../plans/open-plan-store.ts';

describe('the plan in a merge', () => {
  it("gets the agent's additions and edits, as far as they still fit", async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b')));
    const edits: Merge['edits'] = [
      { kind: 'add', task: planTask('c', { needs: ['a'] }) },
      { kind: 'add', task: planTask('d', { needs: ['gone'] }) },
      { kind: 'reword', id: 'b', fields: { title: 'Do b well' } },
    ];
    const judged = await merged(merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }), { edits }), stage.ports);
    expect(judged).toMatchObject({ result: 'merged', unlocked: ['c'], detail: '1 edit(s) of the plan no longer fit it' });
    expect((await stage.crew.plan.read())?.plan?.tasks.map(({ id, title, status }) => [id, title, status])).toEqual([
      ['a', 'Do a', 'complete'],
      ['b', 'Do b well', 'pending'],
      ['c', 'Do c', 'pending'],
    ]);
  });

  it('keeps its comments and its order when people write it themselves', async () => {
    const yaml = '# ours\nnodes:\n  - id: b   # second\n    title: Do b\n  - { id: a, title: Do a, status: ready }\nedges: []\n';
    const stage = await openWorkStage(planWith(), { 'task-graph.yaml': yaml });
    const planIn = (top: string) => openPlanStore({ kind: 'task-graph', top, path: 'task-graph.yaml', cacheFolder: null });
    const edits: Merge['edits'] = [{ kind: 'reword', id: 'b', fields: { title: 'Do b well' } }];
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n', 'task-graph.yaml': 'nodes: []\n' });
    const judged = await merged(merging(planTask('a'), head, { edits }), stage.with({ plan: planIn(stage.repo.path), planIn }));
    expect(judged).toMatchObject({ result: 'merged', detail: '', left_behind: null });
    const text = stage.repo.git('show', 'main:task-graph.yaml');
    for (const kept of ['# ours', 'id: b   # second', 'title: Do b well', 'status: complete']) expect(text).toContain(kept);
  });

  it('is that of the base, whatever the branch has made of it', async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b')));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n', [PLAN_FILE]: null });
    expect(await merged(merging(planTask('a'), head), stage.ports)).toMatchObject({ result: 'merged', detail: '' });
    expect(stage.statuses()).toEqual({ a: 'complete', b: 'pending' });
  });

  it('does not include what a gate writes into it', async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b')));
    const gates = [gate(`sed -i s/pending/complete/ ${PLAN_FILE}`)];
    const judged = await merged(merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }), { gates }), stage.ports);
    expect(judged).toMatchObject({ result: 'merged', detail: '' });
    expect(stage.statuses()).toEqual({ a: 'complete', b: 'pending' });
    expect(stage.repo.git('ls-tree', '--name-only', 'main')).toContain('a.txt');
  });

  it('goes without additions that cannot be written, and the run continues', async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b')));
    const planIn = (top: string): PlanStore => {
      const store = jsonPlan(top);
      const refuses = (edits: readonly PlanEdit[]) => edits.some(({ kind }) => kind === 'add');
      return {
        ...store,
        write: async (digest, edits) => (refuses(edits) ? Promise.reject(new Error('it would say\nsomething else')) : store.write(digest, edits)),
      };
    };
    const edits: Merge['edits'] = [{ kind: 'add', task: planTask('c') }];
    const judged = await merged(merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' }), { edits }), stage.with({ planIn }));
    expect(judged).toMatchObject({ result: 'merged', detail: 'what its agent added to the plan was not written: it would say something else' });
    expect(stage.statuses()).toEqual({ a: 'complete', b: 'pending' });
  });

  it('does not keep a result from landing when it is not committed', async () => {
    const stage = await openWorkStage(planWith(planTask('a')));
    stage.repo.git('rm', '-q', '--cached', PLAN_FILE);
    stage.repo.git('commit', '-q', '-m', 'the plan is mine alone');
    const judged = await merged(merging(planTask('a'), await branchWith(stage, 'a', { 'a.txt': 'a\n' })), stage.ports);
    expect(judged).toMatchObject({ result: 'merged', detail: 'the plan was not written: it is not in the merged tree' });
  });
});

describe('the plan at home', () => {
  it('may be half-edited: the result lands all the same', async () => {
    const stage = await openWorkStage(planWith(planTask('a'), planTask('b', { needs: ['a'] })));
    const head = await branchWith(stage, 'a', { 'a.txt': 'a\n' });
    await writeFile(join(stage.repo.path, PLAN_FILE), '{ "tasks": [');
    const judged = await merged(merging(planTask('a'), head), stage.ports);
    expect(judged).toMatchObject({ result: 'merged', left_behind: expect.stringContaining('plan.json'), unlocked: [] });
    expect(stage.statuses()).toMatchObject({ a: 'complete' });
  });
});
