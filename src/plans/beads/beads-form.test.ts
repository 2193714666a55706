import { describe, expect, it } from 'vitest';
import { completed, openPlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { changedLines, planSample } from '../../../test/support/plan-sample.ts';

const FILE = { kind: 'beads', path: '.beads/issues.jsonl' } as const;
const SAMPLE = planSample('issues.jsonl');

describe("beads' issues.jsonl", () => {
  it('is read as it is: an epic is a story, and whoever waits for it waits for its children', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    const { plan: read, problems } = await plan.read();
    expect(problems).toEqual([]);
    expect(read?.stories).toEqual([{ id: 'notes-e1', title: 'Search', path: null }]);
    expect(read?.tasks.map(({ id, status, needs, priority, story, tags }) => [id, status, needs, priority, story, tags])).toEqual([
      ['notes-a1f', 'complete', [], 1, 'notes-e1', ['db']],
      ['notes-b2c', 'pending', ['notes-a1f'], 2, 'notes-e1', []],
      ['notes-c3d', 'pending', ['notes-a1f', 'notes-b2c'], 0, null, []],
      ['notes-d4e', 'blocked', [], 4, null, []],
    ]);
    expect(read?.tasks[0]?.description).toBe('One row per word.\n\nAcceptance criteria:\nA note of 1 MB is indexed within a second.');
  });

  it('gets a closed issue for a proven task, with its time; other lines stay', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    await plan.edit(completed('notes-b2c'));
    const time = '2026-02-05T08:17:36.832Z';
    expect(changedLines(SAMPLE, plan.text())).toHaveLength(1);
    const [was, is] = [SAMPLE, plan.text()].map((text) => JSON.parse(text.split('\n')[2] ?? ''));
    expect(is).toEqual({ ...was, status: 'closed', updated_at: time, closed_at: time });
    await plan.edit({ kind: 'status', id: 'notes-b2c', status: 'pending', at_ms: 0 });
    expect(JSON.parse(plan.text().split('\n')[2] ?? '')).toMatchObject({ status: 'open', closed_at: null });
  });

  it('that is broken is reported with the line', async () => {
    await using plan = await openPlanStage(
      FILE,
      '{"id":"a","title":"A","status":"open"}\n{"id":"b"\n\n{"id":"c","dependencies":[{"depends_on_id":"x","type":"blocks"}]}\n',
    );
    expect(await plan.problems()).toEqual([expect.stringContaining(`${FILE.path}:2: `), `${FILE.path}:4: unknown task "x"`]);
    plan.write('{"id":"a","status":"finished"}');
    expect(await plan.problems()).toEqual([expect.stringContaining(`${FILE.path}:1: unknown status "finished"`)]);
  });
});
