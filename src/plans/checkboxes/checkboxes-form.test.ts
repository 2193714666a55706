import { describe, expect, it } from 'vitest';
import { completed, openPlanStage, type PlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { taskOf } from '../../../test/support/plan-of.ts';
import { changedLines, planSample } from '../../../test/support/plan-sample.ts';
import type { Plan } from '../../journal/words/plan.ts';
import { settlePlan } from '../graph/settle-plan.ts';

const FILE = { kind: 'checkboxes', path: 'TODO.md' } as const;
const TODO = planSample('TODO.md');
const SECTIONS = planSample('plan.md');

const idsOf = async (plan: PlanStage) => ((await plan.read()).plan?.tasks ?? []).map(({ id, status }) => `${id} ${status}`);
const sure = (plan: Plan | null): Plan => plan ?? { project: '', tasks: [], stories: [], milestones: [], verify: [] };

describe('a list of checkboxes', () => {
  it('has a task for each outermost box; code, dropped items and steps are none', async () => {
    await using plan = await openPlanStage(FILE, TODO);
    expect(await plan.problems()).toEqual([]);
    expect(await idsOf(plan)).toEqual([
      'read-the-settings-from-a-file complete',
      'retry-a-failed-download pending',
      'NET-12 pending',
      'show-the-speed pending',
      'build-a-debian-package pending',
      'build-an-rpm-package pending',
      'resume-of-a-download pending',
      expect.stringMatching(/^task-[0-9a-f]{6} pending$/),
    ]);
    const [, retry, net] = (await plan.read()).plan?.tasks ?? [];
    expect(net?.title).toBe('Give up after 30 seconds');
    expect(retry?.description).toBe(
      'Three times, with a pause between.\n\n- [ ] count the tries\n- [ ] test with a server that fails twice\n\n```sh\n# a list in code is not a task\n- [ ] no task\n```',
    );
  });

  it('has no task for a box without a word', async () => {
    await using plan = await openPlanStage(FILE, '- [ ]\n- [ ] One\n- [ ] \n\n- [ ]\n  Its text is below.\n');
    expect(await plan.problems()).toEqual([]);
    expect((await plan.read()).plan?.tasks.map(({ title, description }) => title.replace(/^task-.*/, '') || description)).toEqual([
      'One',
      'Its text is below.',
    ]);
  });

  it('gets an x for a proven task and its steps, and no other byte changes', async () => {
    await using plan = await openPlanStage(FILE, TODO);
    await plan.edit(completed('retry-a-failed-download'), completed('show-the-speed'));
    expect(changedLines(TODO, plan.text())).toEqual([
      '8: - [ ] Retry a failed download → - [x] Retry a failed download',
      '12: - [ ] test with a server that fails twice → - [x] test with a server that fails twice',
      '19: * [ ] Show the speed → * [x] Show the speed',
    ]);
  });

  it('keeps its ids when a person moves, adds and ticks tasks', async () => {
    await using plan = await openPlanStage(FILE, '- [ ] First\n- [ ] Second\n');
    plan.write('# New heading\n\n- [ ] Before all\n- [x] Second\n\n## Later\n\n  * [ ] First\n');
    expect(await idsOf(plan)).toEqual(['before-all pending', 'second complete', 'first pending']);
  });

  it('is not done while a step is open, even if its own box is ticked', async () => {
    await using plan = await openPlanStage(FILE, '- [x] Task\n  - [ ] step\n');
    expect(await idsOf(plan)).toEqual(['task pending']);
    await plan.edit(completed('task'));
    expect(plan.text()).toBe('- [x] Task\n  - [x] step\n');
  });

  it('reads what a task needs and what proves it from a comment below it', async () => {
    const text = '- [ ] One\n- [ ] Two\n  <!-- ralph: { needs: one, verify: "test -f two", output: two.txt } -->\n  More words.\n';
    await using plan = await openPlanStage(FILE, text);
    expect((await plan.read()).plan?.tasks[1]).toMatchObject({ needs: ['one'], verify: ['test -f two'], outputs: ['two.txt'], description: 'More words.' });
    plan.write(text.replace('needs: one', 'needs: three'));
    expect(await plan.problems()).toEqual(['TODO.md:3: unknown task "three"']);
  });

  it('numbers tasks with the same words, and ticks the right one', async () => {
    const text = '# A\n\n- [x] Write tests\n\n# B\n\n- [ ] Write tests\n\n# C\n\n- [ ] Write tests\n';
    await using plan = await openPlanStage(FILE, text);
    expect(await plan.problems()).toEqual([]);
    expect(await idsOf(plan)).toEqual(['write-tests complete', 'write-tests-2 pending', 'write-tests-3 pending']);
    await plan.edit(completed('write-tests-2'));
    expect(changedLines(text, plan.text())).toEqual(['7: - [ ] Write tests → - [x] Write tests']);
  });

  it('reports two tasks with the same id of their own, with the line', async () => {
    await using plan = await openPlanStage(FILE, '- [ ] NET-1: Read\n- [ ] NET-1: Write\n');
    expect(await plan.problems()).toEqual(['TODO.md:2: duplicate id "NET-1": it is there already in line 1']);
  });

  it('lets an agent claim its own task, but not tick another, drop one, or change what proves one', async () => {
    await using plan = await openPlanStage(FILE, '- [ ] One\n- [ ] Two\n- [ ] Three\n  <!-- ralph: {"verify": "npm test"} -->\n');
    const truth = sure((await plan.read()).plan);
    plan.write('- [x] One\n- [x] Two\n- [ ] Three\n- [ ] Four\n');
    const { claimed, refused, edits } = settlePlan(truth, (await plan.read()).plan, 'one');
    expect(claimed).toBe(true);
    expect(refused.join('\n')).toMatch(/status of two.*\n.*verify commands of three/);
    expect(edits).toMatchObject([{ kind: 'add', task: { id: 'four' } }]);
    plan.write('- [ ] One\n- [-] Two\n');
    expect(settlePlan(truth, (await plan.read()).plan, 'one').refused.join('\n')).toContain('it keeps two, three');
  });

  it('does not take a ticked step for another wording', async () => {
    await using plan = await openPlanStage(FILE, '- [ ] One\n  - [ ] step\n  - [ ] other\n');
    const truth = sure((await plan.read()).plan);
    plan.write('- [ ] One\n  - [x] step\n  - [ ] other\n');
    expect(settlePlan(truth, (await plan.read()).plan, 'one')).toEqual({ claimed: false, edits: [], accepted: [], refused: [] });
  });
});

describe('a plan with sections for its tasks', () => {
  it('has a task for each section and no other; its validation commands are for all of them', async () => {
    await using plan = await openPlanStage(FILE, SECTIONS);
    expect(await plan.problems()).toEqual([]);
    expect(await idsOf(plan)).toEqual(['remember-how-far-it-came complete', 'ask-for-the-rest pending', 'tell-the-user pending']);
    expect((await plan.read()).plan?.verify).toEqual(['npm test', 'npm run lint']);
  });

  it('gets all boxes of a proven task ticked, and no other byte changes', async () => {
    await using plan = await openPlanStage(FILE, SECTIONS);
    await plan.edit(completed('ask-for-the-rest'));
    expect(changedLines(SECTIONS, plan.text())).toEqual([
      '29: - [ ] **Step 2: Send the Range header** → - [x] **Step 2: Send the Range header**',
      '30: - [ ] **Step 3: Commit** → - [x] **Step 3: Commit**',
    ]);
  });

  it('gets a new section for an added task', async () => {
    await using plan = await openPlanStage(FILE, SECTIONS);
    await plan.edit({ kind: 'add', task: taskOf('log-it', { title: 'Log it', priority: 3, description: 'With the time.' }) });
    expect(plan.text()).toContain('- [ ] Print how much is left\n\n### [ ] Task 4: Log it\n\nWith the time.\n\n## Success criteria');
    await plan.edit(completed('log-it'));
    expect(plan.text()).toContain('### [x] Task 4: Log it\n');
  });

  it('reports a task without a box, with the line', async () => {
    await using plan = await openPlanStage(FILE, '# Plan\n\n### Task 1: Think\n\nJust words.\n');
    expect(await plan.problems()).toEqual(['TODO.md:3: this task has no checkbox to tick: write its steps as "- [ ] step" below it']);
  });
});
