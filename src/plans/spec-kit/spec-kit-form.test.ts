import { describe, expect, it } from 'vitest';
import { completed, openPlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { taskOf } from '../../../test/support/plan-of.ts';
import { changedLines, planSample } from '../../../test/support/plan-sample.ts';

const FILE = { kind: 'spec-kit', path: 'specs/001-photo-albums/tasks.md' } as const;
const SAMPLE = planSample('spec-kit-tasks.md');

describe("spec-kit's tasks.md", () => {
  it('is read as it is: phases in turn, [P] in parallel, all else one after the other', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    const { plan: read, problems } = await plan.read();
    expect(problems).toEqual([]);
    expect(read?.tasks.map(({ id, status, story, needs, title }) => [id, status, story, needs, title])).toEqual([
      ['T001', 'complete', null, [], 'Create the project in src/'],
      ['T002', 'pending', null, ['T001'], 'Configure the linter in biome.json'],
      ['T003', 'pending', null, ['T001'], 'Configure the tests in vitest.config.ts'],
      ['T004', 'pending', 'US1', ['T002', 'T003'], 'Test for creating an album in tests/album.test.ts'],
      ['T005', 'pending', 'US1', ['T002', 'T003'], 'Album model in src/album.ts'],
      ['T006', 'pending', 'US1', ['T004', 'T005'], 'Album service in src/album-service.ts (depends on T005)'],
      ['T007', 'pending', 'US1', ['T006'], 'Album page in src/album-page.ts'],
      ['T008', 'pending', null, ['T007'], 'Documentation in docs/'],
    ]);
  });

  it('gets an x for a proven task, and no other byte changes', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE.replaceAll('\n', '\r\n'));
    await plan.edit(completed('T003'));
    expect(changedLines(SAMPLE.replaceAll('\n', '\r\n'), plan.text())).toEqual([
      '26: - [ ] T003 [P] Configure the tests in vitest.config.ts → - [x] T003 [P] Configure the tests in vitest.config.ts',
    ]);
  });

  it('keeps id and labels when a title is reworded, and says what an added task needs', async () => {
    await using plan = await openPlanStage(FILE, SAMPLE);
    await plan.edit(
      { kind: 'reword', id: 'T005', fields: { title: 'The model of an album' } },
      { kind: 'add', task: taskOf('T009', { title: 'Fix the linter', priority: 3, needs: ['T002'] }) },
    );
    expect(plan.text()).toContain('- [ ] T005 [P] [US1] The model of an album\n');
    expect(plan.text()).toContain('- [ ] T008 [P] Documentation in docs/\n- [ ] T009 Fix the linter\n  <!-- ralph: {"needs": ["T002"]} -->\n\n## Notes');
    expect((await plan.read()).plan?.tasks.at(-1)).toMatchObject({ id: 'T009', needs: ['T002'] });
  });

  it('reports an unknown need, a cycle and a duplicate id with the line', async () => {
    await using plan = await openPlanStage(FILE, '- [ ] T001 One (depends on T009)\n- [ ] T002 Two\n- [ ] T002 Two again\n');
    expect(await plan.problems()).toEqual([
      `${FILE.path}:1: unknown task "T009"`,
      expect.stringContaining(`${FILE.path}:3: duplicate id "T002"`),
      ...['cannot depend on itself'].map((text) => expect.stringContaining(text)),
    ]);
  });
});
