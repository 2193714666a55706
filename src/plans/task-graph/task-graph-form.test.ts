import { describe, expect, it } from 'vitest';
import { completed, openPlanStage, type PlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { taskOf } from '../../../test/support/plan-of.ts';

const GRAPH = `# The plan of the solar project.
version: "1.0"
last_updated: "2026-01-01"
project: solar   # for prompts
verify: npm test
milestones:
- id: M6   # not set in, on purpose
  title: Loop
  tasks: [T-2]
- {id: M7, title: "Later", path: docs/M7.md}
stories:
- id: S-1
  title: 'The loop'
nodes:

    # first things first
    - id: T-1
      title:   Do it
      story: S-1
      milestone: M6
      priority: 1     # urgent
      complexity: M
      status: 'ready'   # soon
      assignee: null
      output: "a.ts, dir/"
      custom: {kept: [as, it, is]}

    - id: T-2
      title: A long title that goes on and on and on and on and on and on and on and on and on and on and on and on, unfolded
      description: >
        Folded
        text.
      status: in-progress
      claimed_by: alpha
      verify:
        - npm run lint
        - npm run build

edges:
    - {from: T-1, to: T-2}
meta:
    total_stories: 9
    total_tasks: 9
    by_status: { ready: 1, pending: 0, in_progress: 1, complete: 0 }
    by_priority:
        "1": 1
    by_milestone: {}
unknown: &anchor
    - kept
`;

const stage = (content?: string | Buffer): Promise<PlanStage> => openPlanStage({ kind: 'task-graph', path: 'task-graph.yaml' }, content);

/** The lines that are not in both, as a patch shows them. */
function diff(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [...old.filter((line) => !now.includes(line)).map((line) => `-${line}`), ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`)];
}

describe('a graph of tasks', () => {
  it('is read with all its parts', async () => {
    await using plan = await stage(GRAPH);
    plan.write('', 'docs/M7.md');
    const { plan: found, problems } = await plan.read();
    expect(problems).toEqual([]);
    expect(found).toEqual({
      project: 'solar',
      verify: ['npm test'],
      stories: [{ id: 'S-1', title: 'The loop', path: null }],
      milestones: [
        { id: 'M6', title: 'Loop', path: null },
        { id: 'M7', title: 'Later', path: 'docs/M7.md' },
      ],
      tasks: [
        taskOf('T-1', { title: 'Do it', story: 'S-1', milestones: ['M6'], complexity: 'M', status: 'ready', outputs: ['a.ts', 'dir/'] }),
        taskOf('T-2', {
          title: 'A long title that goes on and on and on and on and on and on and on and on and on and on and on and on, unfolded',
          description: 'Folded text.',
          milestones: ['M6'],
          priority: 3,
          status: 'in-progress',
          verify: ['npm run lint', 'npm run build'],
          needs: ['T-1'],
        }),
      ],
    });
  });

  it('keeps every byte that an edit does not concern, and updates date, time and counts with a status', async () => {
    await using plan = await stage(GRAPH);
    plan.write('', 'docs/M7.md');
    expect(await plan.edit(completed('T-1'))).toBe('written');
    expect(diff(GRAPH, plan.text())).toEqual([
      '-last_updated: "2026-01-01"',
      "-      status: 'ready'   # soon",
      '-    total_stories: 9',
      '-    total_tasks: 9',
      '-    by_status: { ready: 1, pending: 0, in_progress: 1, complete: 0 }',
      '-    by_milestone: {}',
      '+last_updated: "2026-02-05"',
      "+      status: 'complete'   # soon",
      '+      completed_at: "2026-02-05T08:17:36.832Z"',
      '+    total_stories: 1',
      '+    total_tasks: 2',
      '+    by_status: { ready: 0, pending: 0, in_progress: 1, complete: 1 }',
      '+        "3": 1',
      '+    by_milestone: { M6: [T-1, T-2] }',
    ]);
  });

  it('removes the holder and the completion time of a task that is taken back', async () => {
    await using plan = await stage(GRAPH);
    await plan.edit(completed('T-2'));
    await plan.edit({ kind: 'status', id: 'T-2', status: 'pending', at_ms: 0 });
    expect(plan.text()).toContain('      status: pending\n      completed_at: null\n      claimed_by: null\n');
  });

  it('keeps its line endings', async () => {
    await using plan = await stage(GRAPH.replaceAll('\n', '\r\n'));
    await plan.edit(
      completed('T-1'),
      { kind: 'reword', id: 'T-1', fields: { description: 'two\nlines' } },
      { kind: 'add', task: taskOf('T-3', { needs: ['T-1'] }) },
    );
    expect(plan.text().replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect((await plan.read()).plan?.tasks.map(({ description }) => description)).toEqual(['two\nlines', 'Folded text.', '']);
  });

  it('is edited in brackets, and without a final line end', async () => {
    await using plan = await stage('nodes: [{id: a, status: pending}, {id: b}]\nedges: [{from: a, to: b}]');
    await plan.edit(
      completed('a'),
      { kind: 'status', id: 'b', status: 'blocked', at_ms: 0 },
      { kind: 'add', task: taskOf('c', { title: 'c', priority: 3, needs: ['b'] }) },
    );
    expect(plan.text()).toBe(
      'nodes: [{id: a, status: complete, completed_at: "2026-02-05T08:17:36.832Z"}, {id: b, status: blocked}, { id: c, title: c, priority: 3, status: pending }]\nedges: [{from: a, to: b}, { from: b, to: c }]',
    );
  });

  it('reads merged keys, and writes only into the task itself', async () => {
    const text =
      'x-base: &base\n  status: ready\n  tags: [fast]\nnodes:\n  - <<: *base\n    id: a\n  - id: b\n    <<: [*base]\n    status: pending\n    tags: &t [slow]\n  - id: c\n    tags: *t\n';
    await using plan = await stage(text);
    expect((await plan.read()).plan?.tasks.map(({ status, tags }) => [status, tags])).toEqual([
      ['ready', ['fast']],
      ['pending', ['slow']],
      ['pending', ['slow']],
    ]);
    await plan.edit(completed('a'), { kind: 'reword', id: 'c', fields: { tags: ['own'] } });
    expect(plan.text()).toBe(
      text.replace('    id: a\n', '    id: a\n    status: complete\n    completed_at: "2026-02-05T08:17:36.832Z"\n').replace('tags: *t', 'tags: [own]'),
    );
  });

  it('that needs the library is edited like any other', async () => {
    const text =
      '%YAML 1.2\n---\nnodes:\n  - id: a\n    title: over\n      two lines\n    status: "pen\\x64ing"\n    description: |2+\n        kept\n\n  - ? id\n    : b\n...\n';
    await using plan = await stage(text);
    expect(await plan.problems()).toEqual([]);
    await plan.edit(completed('a'), completed('b'));
    expect((await plan.read()).plan?.tasks.map(({ id, title, status }) => [id, title, status])).toEqual([
      ['a', 'over two lines', 'complete'],
      ['b', 'b', 'complete'],
    ]);
    expect(plan.text()).toContain('description: |2+\n        kept\n\n');
  });
});
