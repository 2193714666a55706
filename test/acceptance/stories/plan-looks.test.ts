import { describe, expect, it } from 'vitest';
import { openGitPlace, type Place } from '../../support/place.ts';
import { refused } from '../../support/refused.ts';
import { approved, story, storyPlan } from '../../support/stories-spec.ts';

const plan = {
  ...storyPlan(approved('US-001', { description: 'x' }), story('US-002', { title: 'Pay\u001b[31m', priority: 2, dependsOn: ['US-001'], description: 'y' })),
  verifyCommands: ['npm test'],
};

async function openPlanPlace(text = JSON.stringify(plan)): Promise<Place> {
  const place = await openGitPlace();
  await place.write('ralph/tasks.json', text);
  return place;
}

describe.concurrent('ralph plan check', () => {
  it('reports a valid list', async () => {
    await using place = await openPlanPlace();
    expect(await place.ralph(['plan', 'check'])).toMatchObject({ code: 0, stdout: 'ralph/tasks.json: 2 stories, no problems\n', stderr: '' });
  });

  it('reports every problem on its own line, with exit code 1', async () => {
    const stories = [approved('a', { reviewStatus: null }), story('b', { reviewStatus: 'changes_requested' })];
    await using place = await openPlanPlace(JSON.stringify(storyPlan(...stories)));
    const { code, stdout } = await place.ralph(['plan', 'check']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ralph\/tasks\.json: Story a has passes=true but reviewStatus is 'null', not 'approved'\./);
    expect(stdout).toMatch(/^ralph\/tasks\.json: Story b .*feedback required/m);
    const json = await place.ralph(['plan', 'check', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ plan: 'ralph/tasks.json', valid: false, stories: 2, problems: [expect.any(String), expect.any(String)] });
  });

  it('refuses a truncated file and a cap of 0', async () => {
    await using place = await openPlanPlace('{"project": "x", "userSt');
    expect(await place.ralph(['plan', 'check'])).toMatchObject({ code: 1, stdout: expect.stringMatching(/^ralph\/tasks\.json: [^\n]+\n$/) });
    expect(await refused(place, ['plan', 'check', '--review-cap', '0'])).toMatchObject({ code: 2 });
  });
});

describe.concurrent('ralph plan status', () => {
  it('shows every story without terminal control characters', async () => {
    await using place = await openPlanPlace();
    const { code, stdout } = await place.ralph(['plan', 'status']);
    expect(code).toBe(0);
    expect(stdout).toBe(`ralph/tasks.json: demo, branch ralph/demo

STORY   STATUS    REVIEWS  DEPENDS ON  TITLE
US-001  approved  1        -           Title of US-001
US-002  open      0        US-001      Pay

1 of 2 stories done
`);
  });

  it('prints one JSON object, with the statistics of all runs with --stats', async () => {
    await using place = await openPlanPlace();
    const { stdout } = await place.ralph(['plan', 'status', '--stats', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      plan: 'ralph/tasks.json',
      project: 'demo',
      branch: 'ralph/demo',
      done: 1,
      total: 2,
      stories: [
        { id: 'US-001', status: 'approved', reviews: 1, depends_on: [] },
        { id: 'US-002', status: 'open', depends_on: ['US-001'] },
      ],
      stats: { runs: 0, cap_hits: 0, modes: { implement: { iterations: 0 }, review: { iterations: 0 }, 'review-fix': { iterations: 0 } } },
    });
  });

  it('says how to create a plan if there is none', async () => {
    await using place = await openGitPlace();
    expect(await refused(place, ['plan', 'status'])).toMatchObject({ code: 2, hint: 'Make one with: ralph plan init' });
  });
});
