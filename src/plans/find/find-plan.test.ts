import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { findPlan } from './find-plan.ts';

const TICKET = '---\nid: a\n---\n';
const STORIES = '{"userStories": []}';
const ISSUE = '{"id": "a", "title": "A"}';

async function placeWith(files: Readonly<Record<string, string>>): Promise<ThrowAwayFolder> {
  const folder = await openThrowAwayFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), content);
  }
  return folder;
}

describe('the plan of a work tree', () => {
  it.each([
    [{ 'task-graph.yaml': 'nodes: []' }, 'task-graph', 'task-graph.yaml'],
    [{ 'task-graph.yml': '' }, 'task-graph', 'task-graph.yml'],
    [{ 'ralph/tasks.json': STORIES }, 'stories', 'ralph/tasks.json'],
    [{ 'tasks.json': STORIES }, 'stories', 'tasks.json'],
    [{ 'tickets/a.md': TICKET }, 'tickets', 'tickets'],
    [{ 'docs/active/tickets/a.md': TICKET.replaceAll('\n', '\r\n') }, 'tickets', 'docs/active/tickets'],
    [{ 'task-graph.yaml': '', 'docs/active/tickets/a.md': TICKET }, 'task-graph', 'task-graph.yaml'],
    [{ 'prd.json': STORIES }, 'prd', 'prd.json'],
    [{ 'scripts/ralph/prd.json': STORIES, 'TODO.md': '- [ ] a' }, 'prd', 'scripts/ralph/prd.json'],
    [{ '.taskmaster/tasks/tasks.json': '{"master": {"tasks": []}}' }, 'taskmaster', '.taskmaster/tasks/tasks.json'],
    [{ '.beads/issues.jsonl': '{"id": "a"}' }, 'beads', '.beads/issues.jsonl'],
    [{ '.beads/notes.jsonl': ISSUE, '.beads/deletions.jsonl': '{"id": "a", "ts": "x"}', '.beads/interactions.jsonl': '' }, 'beads', '.beads/notes.jsonl'],
    [{ '.beads/notes.jsonl': ISSUE, '.beads/notes.base.jsonl': ISSUE, '.beads/molecules.jsonl': ISSUE }, 'beads', '.beads/notes.jsonl'],
    [{ 'specs/001-a/tasks.md': '- [ ] T001 a', 'specs/002-b/tasks.md': '- [x] T001 b' }, 'spec-kit', 'specs/001-a/tasks.md'],
    [{ 'docs/plans/one.md': '- [x] a', 'docs/plans/two.md': '- [ ] a', 'docs/plans/three.txt': '- [ ] a' }, 'checkboxes', 'docs/plans/two.md'],
    [{ 'fix_plan.md': '- [ ] a', 'task-graph.yaml': '', 'prd.json': STORIES }, 'task-graph', 'task-graph.yaml'],
    [{ 'fix_plan.md': '- [ ] a', 'prd.json': STORIES }, 'prd', 'prd.json'],
    [{ 'task-graph.yaml': '', 'tasks.json': '{"tasks": []}', 'tickets/README.md': '# About' }, 'task-graph', 'task-graph.yaml'],
  ])('is the only one there is: %j', async (files, kind, path) => {
    await using place = await placeWith(files);
    expect(await findPlan(place.path, null)).toEqual({ kind, path });
  });

  it('must be named when there are several', async () => {
    await using place = await placeWith({ 'task-graph.yaml': '', 'ralph/tasks.json': STORIES });
    await expect(findPlan(place.path, null)).rejects.toMatchObject({
      code: 'plan-ambiguous',
      exitCode: 2,
      message: 'there are several plans: task-graph.yaml, ralph/tasks.json',
      hint: expect.stringContaining('--plan'),
    });
  });

  it('must be named when a folder has several', async () => {
    await using place = await placeWith({ 'docs/a.md': '- [ ] a', 'docs/b.md': '- [ ] b' });
    await expect(findPlan(place.path, 'docs')).rejects.toMatchObject({ code: 'plan-ambiguous', message: 'there are several plans: docs/a.md, docs/b.md' });
  });

  it('gets a hint on how to make one when there is none', async () => {
    await using place = await placeWith({ 'tasks.json': '{}', 'tickets/notes.txt': '' });
    await expect(findPlan(place.path, null)).rejects.toMatchObject({ code: 'plan-missing', exitCode: 2, hint: expect.stringContaining('task-graph.yaml') });
  });

  it('is asked for by its name if it lies at no usual path', async () => {
    await using place = await placeWith({ 'README.md': '# About', 'TODO.md': '- [ ] a' });
    await expect(findPlan(place.path, null)).rejects.toMatchObject({ code: 'plan-missing', hint: 'If you mean TODO.md, say so: ralph work --plan TODO.md' });
  });

  it.each<[Readonly<Record<string, string>>, string]>([
    [{ 'docs/a b.md': '- [ ] a' }, "If you mean 'a b.md', say so: ralph work --plan 'a b.md'"],
    [{ 'TODO.md': '- [ ] a', 'docs/notes.md': '- no box' }, 'If you mean ../TODO.md, say so: ralph work --plan ../TODO.md'],
    [{ 'TODO.md': '- [ ] a', 'docs/prd.json': STORIES }, 'If you mean prd.json or ../TODO.md, say so: ralph work --plan prd.json'],
    [{ 'docs/README.md': '- [ ] a', 'docs/x.md': '- [ ] a', 'docs/PLAN.md': '- [ ] a' }, 'If you mean PLAN.md, say so: ralph work --plan PLAN.md'],
  ])('is looked for in the folder of the person too, and named from there: %j', async (files, hint) => {
    await using place = await placeWith({ 'docs/x.txt': '', ...files });
    const message = `there is no plan in ${place.path}, the top of this repository`;
    await expect(findPlan(place.path, null, join(place.path, 'docs'))).rejects.toMatchObject({ code: 'plan-missing', message, hint });
  });

  it.each([
    ['plans/x.yaml', 'task-graph', 'plans/x.yaml'],
    ['./plans/../plans/x.yaml', 'task-graph', 'plans/x.yaml'],
    ['prd.json', 'prd', 'prd.json'],
    ['stories', 'stories', 'stories'],
    ['graph', 'task-graph', 'graph'],
    ['work', 'tickets', 'work'],
    ['empty/', 'tickets', 'empty'],
    ['ralph', 'stories', 'ralph/tasks.json'],
    ['TODO.md', 'checkboxes', 'TODO.md'],
    ['spec', 'spec-kit', 'spec/tasks.md'],
    ['spec/tasks.md', 'spec-kit', 'spec/tasks.md'],
    ['plans/plain.md', 'checkboxes', 'plans/plain.md'],
    ['some.json', 'taskmaster', 'some.json'],
    ['own/.beads', 'beads', 'own/.beads/notes.jsonl'],
    ['own', 'beads', 'own/.beads/notes.jsonl'],
    ['no-issues.jsonl', 'beads', 'no-issues.jsonl'],
    ['reviewed.json', 'stories', 'reviewed.json'],
  ])('is the named one: %s', async (wanted, kind, path) => {
    await using place = await placeWith({
      'plans/x.yaml': '',
      'prd.json': '{}',
      stories: '\n{ "userStories": [] }',
      graph: '# a plan\nnodes: []',
      'work/a.md': TICKET,
      'empty/b.txt': '',
      'ralph/tasks.json': '{}',
      'TODO.md': '',
      'spec/tasks.md': '- [x] **T001** a',
      'plans/plain.md': '1. [ ] a',
      'some.json': '{"tasks": [{"id": 1}]}',
      'own/.beads/notes.jsonl': ISSUE,
      'own/.beads/deletions.jsonl': '{"id": "a", "ts": "x"}',
      'no-issues.jsonl': '',
      'reviewed.json': '{"userStories": [{"reviewStatus": null}]}',
    });
    expect(await findPlan(place.path, wanted)).toEqual({ kind, path });
    expect(await findPlan(place.path, join(place.path, wanted))).toEqual({ kind, path });
  });

  it('may be named by another path of the work tree', async () => {
    await using place = await placeWith({ 'tree/task-graph.yaml': '' });
    symlinkSync('tree', join(place.path, 'link'));
    const expected = { kind: 'task-graph', path: 'task-graph.yaml' };
    expect(await findPlan(join(place.path, 'tree'), join(place.path, 'link/task-graph.yaml'))).toEqual(expected);
    expect(await findPlan(join(place.path, 'link'), join(place.path, 'tree/task-graph.yaml'))).toEqual(expected);
  });

  it.each([
    ['nothing.yaml', 'plan-missing'],
    ['../outside.yaml', 'plan-outside'],
    ['/etc/hosts', 'plan-outside'],
    ['.', 'plan-outside'],
    ['out/plan.yaml', 'plan-outside'],
    ['tickets/a.md', 'plan-unknown'],
    ['notes.md', 'plan-unknown'],
  ])('is refused when it is not a plan of this work tree: %s', async (wanted, code) => {
    await using place = await placeWith({
      'tree/tickets/a.md': `${TICKET}\n- [ ] a step of the ticket\n`,
      'tree/notes.md': '# Notes\n\n- no box\n',
      'outside.yaml': '',
      'elsewhere/plan.yaml': '',
    });
    symlinkSync('../elsewhere', join(place.path, 'tree/out'));
    await expect(findPlan(join(place.path, 'tree'), wanted)).rejects.toMatchObject({ code, exitCode: 2 });
  });
});
