import { describe, expect, it } from 'vitest';
import { completed, openPlanStage, type PlanStage } from '../../../test/contracts/plan-store-stage.ts';

const stage = (content: string): Promise<PlanStage> => openPlanStage({ kind: 'task-graph', path: 'task-graph.yaml' }, content);

describe('the problems of a graph', () => {
  it('are reported all at once, by file and line', async () => {
    await using plan = await stage(`stories: [{id: S-1}, {id: S-1}, x]
milestones:
  - title: nameless
  - {id: M1, tasks: [T-1, T-404]}
nodes:
  - id: T-1
    status: done
    priority: high
    title: [a]
    story: S-2
    milestone: M9
  - title: nobody
  - id: " T-2"
  - id: T-3
    needs: [T-3, T-5]
    output: ../secrets, /etc/passwd
    path: docs/T-3.md
  - just a text
  - id: T-4
    tags: [{a: b}]
    depends_on: T-6
  - id: T-6
    verify: {a: b}
edges:
  - {from: T-4, to: T-6}
  - {from: T-1}
  - {from: T-1, to: T-9}
  - {from: T-1, to: T-1}
verify: [[]]
`);
    expect(await plan.problems()).toEqual([
      'task-graph.yaml:1: "stories" must be a list of maps with an "id"',
      'task-graph.yaml:1: duplicate id "S-1" of a story',
      'task-graph.yaml:3: there is no "id"',
      'task-graph.yaml:4: unknown task "T-404"',
      'task-graph.yaml:6: unknown story "S-2"',
      'task-graph.yaml:6: unknown milestone "M9"',
      'task-graph.yaml:7: unknown status "done": it is one of pending, planned, ready, in-progress, complete, blocked',
      'task-graph.yaml:8: "priority" must be a number',
      'task-graph.yaml:9: "title" must be a text',
      'task-graph.yaml:12: there is no "id"',
      'task-graph.yaml:13: the id " T-2" has spaces at an end',
      'task-graph.yaml:14: docs/T-3.md does not exist',
      'task-graph.yaml:15: task T-3 cannot depend on itself',
      'task-graph.yaml:15: unknown task "T-5"',
      'task-graph.yaml:16: ../secrets leads out of the work tree',
      'task-graph.yaml:16: /etc/passwd is not relative to the top of the work tree',
      'task-graph.yaml:18: a task must be a map with an "id"',
      'task-graph.yaml:19: Dependency cycle detected: T-4 → T-6 → T-4',
      'task-graph.yaml:20: "tags" must be a text or a list of texts',
      'task-graph.yaml:23: "verify" must be a text or a list of texts',
      'task-graph.yaml:26: an edge must be a map with a "from" and a "to"',
      'task-graph.yaml:27: unknown task "T-9"',
      'task-graph.yaml:28: task T-1 cannot depend on itself',
      'task-graph.yaml:29: "verify" must be a text or a list of texts',
    ]);
    expect((await plan.read()).plan?.tasks.map(({ id }) => id)).toEqual(['T-1', 'T-3', 'T-4', 'T-6']);
  });

  it('leave nothing to read when two tasks have the same id', async () => {
    await using plan = await stage('nodes:\n  - id: a\n  - id: b\n  - id: a\n');
    expect(await plan.read()).toMatchObject({ plan: null, problems: [{ line: 4, message: 'duplicate id "a": it is there already in line 2', task: 'a' }] });
  });

  it.each([
    ['nodes:\n  - id: a\n   title: b\n', /^task-graph.yaml:3: /],
    ['nodes: [{id: a}', /^task-graph.yaml:\d: /],
    ['nodes:\n\t- id: a\n', /^task-graph.yaml:2: a tab cannot set a line in: use spaces$/],
    ['nodes: []\nnodes:\n  - id: a\n', /^task-graph.yaml:2: "nodes" is there twice$/],
    ['nodes:\n  - id: a\n    status: ready\n    status: complete\n', /^task-graph.yaml:4: "status" is there twice$/],
    ['nodes:\n  - id: a\n<<<<<<< HEAD\n    status: ready\n=======\n    status: complete\n>>>>>>> x\n', /^task-graph.yaml:\d: /],
    ['', /^task-graph.yaml:1: it is empty$/],
    ['# only a comment\n', /^task-graph.yaml:1: it is empty$/],
    ['just text\n', /^task-graph.yaml:1: it must be a map of names and values$/],
    ['- a\n', /^task-graph.yaml:1: it must be a map of names and values$/],
    ['edges: []\n', /^task-graph.yaml:1: there is no list "nodes"$/],
    ['nodes: 5\n', /^task-graph.yaml:1: "nodes" must be a list$/],
    ['nodes: []\n---\nnodes: []\n', /^task-graph.yaml:\d: a second document begins; one is all there may be$/],
    ['nodes:\n  - &a {id: x}\n  - *a\n', /^task-graph.yaml:3: a task must be written out: it cannot be an alias$/],
    ['nodes: *nobody\n', /^task-graph.yaml:1: /],
    ['nodes: &a [*a]\n', /^task-graph.yaml:1: the alias \*a stands for nothing that is complete before it$/],
    ['nodes:\n  - id: a\n    verify: !!js/function x\n', /^task-graph.yaml:3: /],
    [`nodes:\n  - id: ${'x'.repeat(5000)}\n`, /^task-graph.yaml:2: the id "x{40}…" has 5000 characters: at most 200 are allowed$/],
    ['nodes:\n  - id: "a\\nb"\n', /^task-graph.yaml:2: the id "a\\nb" has invisible characters$/],
    ['nodes:\n  - id: --force\n', /^task-graph.yaml:2: the id "--force" begins with a dash: commands would take it for an option$/],
    ['nodes:\n  - id: ""\n', /^task-graph.yaml:2: an id must not be empty$/],
    [`nodes: ${'['.repeat(100_000)}`, /^task-graph.yaml:1: there are more than 50 lists and maps inside of each other$/],
    [
      `${'a: &a\n'.repeat(0)}nodes:\n${'  '.repeat(1)}- id: a\n    x:\n${Array.from({ length: 200 }, (_, nth) => `${' '.repeat(6 + nth)}k:\n`).join('')}`,
      /50 lists and maps/,
    ],
  ])('are data, whatever the text: %.60j', async (content, expected) => {
    await using plan = await stage(content);
    const told = await plan.problems();
    expect(told.length).toBeGreaterThan(0);
    expect(
      told.some((line) => expected.test(line)),
      told.join('\n'),
    ).toBe(true);
  });

  it('do not include nested aliases, which are never expanded', async () => {
    const laughs = Array.from({ length: 30 }, (_, nth) => `x${nth + 1}: &x${nth + 1} [${Array(10).fill(`*x${nth}`).join(', ')}]`);
    await using plan = await stage(`x0: &x0 [lol]\n${laughs.join('\n')}\nnodes:\n  - id: a\n    tags: *x30\n`);
    expect(await plan.problems()).toEqual(['task-graph.yaml:31: "tags" must be a text or a list of texts']);
    const lists = `tags: &t [${Array.from({ length: 5000 }, (_, nth) => `t${nth}`).join(', ')}]\nnodes:\n${Array.from({ length: 5000 }, (_, nth) => `  - id: n${nth}\n    tags: *t\n`).join('')}`;
    plan.write(lists);
    expect(await plan.problems()).toContainEqual(expect.stringMatching(/its aliases stand for more than is reasonable$/));
  });

  it('do not include keys such as __proto__', async () => {
    await using plan = await stage(
      'nodes:\n  - id: __proto__\n    __proto__: {status: complete}\n    constructor: {prototype: {polluted: yes}}\n    status: ready\n  - id: constructor\nedges:\n  - {from: __proto__, to: constructor}\nmeta:\n  by_milestone: {__proto__: [x]}\n  by_status: {}\n',
    );
    const { plan: found, problems } = await plan.read();
    expect(problems).toEqual([]);
    expect(found?.tasks.map(({ id, status, needs }) => [id, status, needs])).toEqual([
      ['__proto__', 'ready', []],
      ['constructor', 'pending', ['__proto__']],
    ]);
    await plan.edit(completed('__proto__'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(plan.text()).toContain('by_status: { complete: 1, pending: 1 }');
  });
});
