import { describe, expect, it } from 'vitest';
import { completed, openPlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { taskOf } from '../../../test/support/plan-of.ts';
import { changedLines, planSample } from '../../../test/support/plan-sample.ts';

const FILE = { kind: 'taskmaster', path: '.taskmaster/tasks/tasks.json' } as const;
const SAMPLE = planSample('taskmaster.json');

describe("Taskmaster's tasks.json", () => {
  it('is read as it is: subtasks before their task, tags as milestones, cancelled tasks left out', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    const { plan: read, problems } = await plan.read();
    expect(problems).toEqual([]);
    expect(read?.tasks.map(({ id, status, needs, priority, milestones }) => [id, status, needs, priority, milestones[0]])).toEqual([
      ['1', 'complete', [], 1, 'master'],
      ['2', 'pending', ['1', '2.1', '2.2'], 1, 'master'],
      ['2.1', 'complete', ['1'], 1, 'master'],
      ['2.2', 'pending', ['2.1', '1'], 1, 'master'],
      ['3', 'blocked', ['2'], 5, 'master'],
      ['5', 'pending', ['2'], 3, 'master'],
      ['reports.1', 'pending', [], 3, 'reports'],
      ['reports.2', 'pending', ['reports.1'], 3, 'reports'],
    ]);
    expect(read?.tasks[0]?.description).toBe('Folders, build and tests.\n\nDetails:\nUse the template of the team.\n\nTest strategy:\nnpm test is green.');
  });

  it('gets "done" for a proven task or subtask, and no other byte changes', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    await plan.edit(completed('2.2'), completed('reports.1'));
    expect(changedLines(SAMPLE, plan.text())).toEqual([
      '36: "status": "pending", → "status": "done",',
      expect.stringMatching(/^73: .*"title": "Export as CSV".*"status": "pending".* → .*"status": "done"/),
    ]);
  });

  it('keeps details and test strategy apart when a description is reworded', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    await plan.edit({ kind: 'reword', id: '1', fields: { description: 'Folders.\n\nTest strategy:\nnpm run check is green.' } });
    expect(changedLines(SAMPLE, plan.text())).toEqual([
      '7: "description": "Folders, build and tests.", → "description": "Folders.",',
      '8: "details": "Use the template of the team.", → "details": "",',
      '9: "testStrategy": "npm test is green.", → "testStrategy": "npm run check is green.",',
    ]);
  });

  it('gets a new task in the list of its tag', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    await plan.edit({ kind: 'add', task: taskOf('reports.7', { milestones: ['reports'], needs: ['reports.2'] }) });
    expect((await plan.read()).plan?.tasks.at(-1)).toMatchObject({ id: 'reports.7', needs: ['reports.2'], milestones: ['reports'] });
    expect(JSON.parse(plan.text()).reports.tasks.at(-1)).toMatchObject({ id: 7, dependencies: ['2'], status: 'pending', priority: 'high' });
  });

  it('is also read in the old layout without tags', async () => {
    await using plan = await openPlanStage(FILE, '{"tasks": [{"id": 1, "title": "One", "status": "pending", "dependencies": []}]}');
    expect((await plan.read()).plan?.tasks).toMatchObject([{ id: '1', milestones: [] }]);
  });

  it('that is broken is reported with the line', async () => {
    await using plan = await openPlanStage(FILE, '{"master": {"tasks": [\n{"id": 1, "status": "finished"},\n{"id": 2, "dependencies": [9]}\n]}}');
    expect(await plan.problems()).toEqual([
      `${FILE.path}:2: unknown status "finished": it is one of pending, in-progress, done, completed, review, deferred, blocked, cancelled`,
      `${FILE.path}:3: unknown task "9"`,
    ]);
    plan.write('{}');
    expect(await plan.problems()).toEqual([`${FILE.path}:1: there is no list "tasks"`]);
  });
});
