import { expect, it } from 'vitest';
import { planOf, taskOf } from '../../../test/support/plan-of.ts';
import { filesFirst } from '../../recipes/work/task-prompt.ts';

it('the list goes from the notes for agents by milestone and story to the task and its plan', () => {
  const plan = planOf([], {
    stories: [
      { id: 'S-1', title: '', path: 'docs/S-1.md' },
      { id: 'S-2', title: '', path: 'docs/S-2.md' },
    ],
    milestones: [
      { id: 'M1', title: '', path: 'docs/MILESTONES.md' },
      { id: 'M2', title: '', path: null },
      { id: 'M3', title: '', path: 'docs/MILESTONES.md' },
    ],
  });
  const task = taskOf('a', { story: 'S-1', milestones: ['M1', 'M2', 'M3'], path: 'docs/a.md' });
  expect(filesFirst(plan, task, 'task-graph.yaml')).toEqual(['AGENTS.md', 'CLAUDE.md', 'docs/MILESTONES.md', 'docs/S-1.md', 'docs/a.md', 'task-graph.yaml']);
  expect(filesFirst(plan, taskOf('b'), 'task-graph.yaml')).toEqual(['AGENTS.md', 'CLAUDE.md', 'task-graph.yaml']);
});
