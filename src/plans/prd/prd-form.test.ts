import { describe, expect, it } from 'vitest';
import { completed, openPlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { changedLines, planSample } from '../../../test/support/plan-sample.ts';

const PRD = { kind: 'prd', path: 'prd.json' } as const;

describe('a prd.json', () => {
  it('is read as it is: a story that passes is complete, the criteria belong to the description', async () => {
    await using plan = await openPlanStage(PRD, planSample('prd.json'));
    const { plan: read, problems } = await plan.read();
    expect(problems).toEqual([]);
    expect(read?.project).toBe('Team notes');
    expect(read?.tasks.map(({ id, status, needs, tags, priority }) => [id, status, needs, tags, priority])).toEqual([
      ['US-001', 'complete', [], [], 1],
      ['US-002', 'pending', ['US-001'], ['ui'], 2],
      ['US-003', 'pending', ['US-002'], [], 3],
    ]);
    expect(read?.tasks[1]?.description).toBe(
      'As a member, I want my team to see my note.\n\nAcceptance criteria:\n- A button shares and unshares the note\n- Other teams do not see it',
    );
  });

  it('gets passes: true for a proven task, and no other byte changes', async () => {
    await using plan = await openPlanStage(PRD, planSample('prd.json'));
    await plan.edit(completed('US-002'));
    expect(changedLines(planSample('prd.json'), plan.text())).toEqual(['21: "passes": false, → "passes": true,']);
    await plan.edit(completed('US-003'));
    expect(changedLines(planSample('prd.json'), plan.text())).toHaveLength(2);
  });

  it('that is broken is reported with the line', async () => {
    await using plan = await openPlanStage(PRD, '{\n  "userStories": [\n    { "id": "US-001", "passes": "yes" },\n    { "title": "No id" }\n  ]\n}\n');
    expect(await plan.problems()).toEqual(['prd.json:3: "passes" must be true or false', 'prd.json:4: there is no "id"']);
    plan.write('{\n  "userStories": [\n}\n');
    expect(await plan.problems()).toEqual([expect.stringContaining('prd.json:3: Unexpected token')]);
    plan.write('{ "stories": [] }');
    expect(await plan.problems()).toEqual(['prd.json:1: there is no list "userStories"']);
  });
});
