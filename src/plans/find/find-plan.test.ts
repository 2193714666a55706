import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { findPlan } from './find-plan.ts';

const TICKET = '---\nid: a\n---\n';
const STORIES = '{"userStories": []}';

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

  it('gets a hint on how to make one when there is none', async () => {
    await using place = await placeWith({ 'tasks.json': '{}', 'tickets/notes.txt': '' });
    await expect(findPlan(place.path, null)).rejects.toMatchObject({ code: 'plan-missing', exitCode: 2, hint: expect.stringContaining('task-graph.yaml') });
  });

  it.each([
    ['plans/x.yaml', 'task-graph', 'plans/x.yaml'],
    ['./plans/../plans/x.yaml', 'task-graph', 'plans/x.yaml'],
    ['prd.json', 'stories', 'prd.json'],
    ['stories', 'stories', 'stories'],
    ['graph', 'task-graph', 'graph'],
    ['work', 'tickets', 'work'],
    ['empty/', 'tickets', 'empty'],
    ['ralph', 'stories', 'ralph/tasks.json'],
  ])('is the named one: %s', async (wanted, kind, path) => {
    await using place = await placeWith({
      'plans/x.yaml': '',
      'prd.json': '{}',
      stories: '\n{ "userStories": [] }',
      graph: '# a plan\nnodes: []',
      'work/a.md': TICKET,
      'empty/b.txt': '',
      'ralph/tasks.json': '{}',
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
  ])('is refused when it is not a plan of this work tree: %s', async (wanted, code) => {
    await using place = await placeWith({ 'tree/tickets/a.md': TICKET, 'outside.yaml': '', 'elsewhere/plan.yaml': '' });
    symlinkSync('../elsewhere', join(place.path, 'tree/out'));
    await expect(findPlan(join(place.path, 'tree'), wanted)).rejects.toMatchObject({ code, exitCode: 2 });
  });
});
