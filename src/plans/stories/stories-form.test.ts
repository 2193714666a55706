import { describe, expect, it } from 'vitest';
import { completed, openPlanStage, type PlanStage } from '../../../test/contracts/plan-store-stage.ts';
import { taskOf } from '../../../test/support/plan-of.ts';

const STORIES = `{
  "project": "demo",
  "branchName": "ralph/demo",
  "description": "A demo",
  "verifyCommands": ["npm test", "npm run lint"],
  "userStories": [
    {
      "id": "US-001",
      "title": "As a user",
      "description": "I want it.",
      "acceptanceCriteria": ["It works", "It is\\nfast"],
      "priority": 1,
      "passes": false,
      "reviewStatus": null,
      "reviewCount": 0,
      "reviewFeedback": "",
      "notes": "",
      "dependsOn": []
    },
    { "id": "US-002", "title": "More", "description": "", "acceptanceCriteria": [], "priority": 2, "passes": true, "dependsOn": ["US-001"] }
  ]
}
`;

const stage = (content: string | Buffer): Promise<PlanStage> => openPlanStage({ kind: 'stories', path: 'ralph/tasks.json' }, content);

describe('a file of stories', () => {
  it('is read as a plan', async () => {
    await using plan = await stage(STORIES);
    expect(await plan.read()).toMatchObject({
      plan: {
        project: 'demo',
        verify: ['npm test', 'npm run lint'],
        tasks: [
          taskOf('US-001', { title: 'As a user', description: 'I want it.\n\nAcceptance criteria:\n- It works\n- It is fast' }),
          taskOf('US-002', { title: 'More', priority: 2, status: 'complete', needs: ['US-001'] }),
        ],
      },
      problems: [],
    });
  });

  it('writes completion as passes, and keeps every other byte', async () => {
    await using plan = await stage(STORIES);
    await plan.edit(completed('US-001'));
    expect(plan.text()).toBe(STORIES.replace('"passes": false', '"passes": true'));
    await plan.edit({ kind: 'status', id: 'US-001', status: 'in-progress', at_ms: 0 }, { kind: 'status', id: 'US-002', status: 'blocked', at_ms: 0 });
    expect(plan.text()).toBe(STORIES.replace('"passes": true', '"passes": false'));
  });

  it('finds its criteria in the reworded description of a story', async () => {
    await using plan = await stage(STORIES);
    await plan.edit({ kind: 'reword', id: 'US-001', fields: { description: 'I want more.\n\nAcceptance criteria:\n- It works\n- It "shines"' } });
    expect(plan.text()).toBe(STORIES.replace('I want it.', 'I want more.').replace('"It is\\nfast"', '"It \\"shines\\""'));
  });

  it('stays JSON, however it is written', async () => {
    for (const text of [JSON.stringify(JSON.parse(STORIES)), JSON.stringify(JSON.parse(STORIES), null, '\t'), STORIES.replaceAll('\n', '\r\n')]) {
      await using plan = await stage(text);
      await plan.edit(
        completed('US-001'),
        { kind: 'add', task: taskOf('US-003', { needs: ['US-002'], tags: ['a'] }) },
        { kind: 'reword', id: 'US-002', fields: { complexity: 'S' } },
      );
      const { userStories } = JSON.parse(plan.text());
      expect(userStories).toMatchObject([{ passes: true }, { complexity: 'S' }, { id: 'US-003', passes: false, dependsOn: ['US-002'], tags: ['a'] }]);
    }
  });

  it.each([
    ['{"userStories": [}', "ralph/tasks.json:1: Unexpected token '}' in JSON"],
    ['{\n  "userStories": [\n    {"id": "a"},\n  ]\n}', "ralph/tasks.json:4: Unexpected token ']' in JSON"],
    ['{\n"a": 1 // why\n}', 'ralph/tasks.json:2: '],
    ['{\n"a": tru\n}', 'ralph/tasks.json:2: '],
    ['{"a": 1}\n\nmore', 'ralph/tasks.json:3: '],
    ['{"userStories": [', 'ralph/tasks.json:1: '],
    ['', 'ralph/tasks.json:1: '],
    ['nodes: []', 'ralph/tasks.json:'],
    ['[]', 'ralph/tasks.json:1: it must be a map of names and values'],
    ['{"stories": []}', 'ralph/tasks.json:1: there is no list "userStories"'],
    ['{"userStories": {}}', 'ralph/tasks.json:1: "userStories" must be a list'],
    ['{"userStories": [\n{"id": "a", "passes": "yes"}]}', 'ralph/tasks.json:2: "passes" must be true or false'],
    ['{"userStories": [\n{"id": "a"},\n{"id": "a"}]}', 'ralph/tasks.json:3: duplicate id "a": it is there already in line 2'],
    ['{"userStories": [\n{"id": "a",\n"id": "b"}]}', 'ralph/tasks.json:3: "id" is there twice'],
    ['{"userStories": [\n{"id": "a", "dependsOn": ["b"]},\n{"id": "b", "dependsOn": ["a"]}]}', 'ralph/tasks.json:2: Dependency cycle detected: a → b → a'],
    [`{"userStories": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'ralph/tasks.json:1: '],
  ])('reports its problems: %.50j', async (text, expected) => {
    await using plan = await stage(text);
    expect(await plan.problems()).toContainEqual(expect.stringContaining(expected));
  });
});
