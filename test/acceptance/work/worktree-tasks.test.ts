import { existsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openGitPlace, type Place } from '../../support/place.ts';
import { startRalph } from '../../support/ralph.ts';
import { endOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';

const GRAPH = `version: "1.0"
nodes:
  - {id: T-1, title: First, description: Write one., priority: 1, status: pending}
edges: []
`;

async function openPlanPlace(): Promise<Place> {
  const place = await openGitPlace();
  await place.write('task-graph.yaml', GRAPH);
  place.git('config', 'user.name', 't');
  place.git('config', 'user.email', 't@example.com');
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'plan');
  return place;
}

it('a worktree with a claimed task shows it, and is not removed before the task is released', async () => {
  await using place = await openPlanPlace();
  await place.ralph(['worktree', 'new', 'spike']);
  const spike = join(`${place.path}.ralph`, 'spike');
  const holder = `${hostname()}:spike`;
  const claimed = await place.ralph(['task', 'claim', 'T-1'], { cwd: spike });
  const [table, json] = [await place.ralph(['worktree', 'list']), await place.ralph(['worktree', 'list', '--json'])];
  const [refused, kept] = [await place.ralph(['worktree', 'remove', 'spike']), await place.ralph(['worktree', 'clean'])];
  const reset = await place.ralph(['task', 'reset', 'T-1']);
  const removed = await place.ralph(['worktree', 'remove', 'spike', '--branch']);

  expect(claimed.code).toBe(0);
  expect(table.stdout).toMatch(new RegExp(`^spike .* clean +0 ahead +T-1: in progress by ${holder}$`, 'm'));
  expect(JSON.parse(json.stdout).worktrees).toMatchObject([
    { commits_ahead: 0, commits_behind: 0, task: { id: 'T-1', state: 'in progress', holder, run_id: null } },
  ]);
  expect(refused).toMatchObject({
    code: 4,
    stdout: '',
    stderr: `error: spike is not removed: its task T-1 is in progress, by ${holder}\nhint: Release it with: ralph task reset T-1\n`,
  });
  expect(kept.stdout).toBe(`Kept ${spike}: its task T-1 is in progress, by ${holder}\n`);
  expect(reset.code).toBe(0);
  expect(removed).toMatchObject({ code: 0, stdout: `Removed ${spike}\n` });
});

it('a worktree with a claimed task is removed with --force', async () => {
  await using place = await openPlanPlace();
  await place.ralph(['worktree', 'new', 'spike']);
  const spike = join(`${place.path}.ralph`, 'spike');
  await place.ralph(['task', 'claim', 'T-1'], { cwd: spike });
  expect(await place.ralph(['worktree', 'remove', 'spike', '--force'])).toMatchObject({ code: 0 });
  expect(existsSync(spike)).toBe(false);
});

it('a worktree with a running agent is not removed, even with --force', async () => {
  await using place = await openPlanPlace();
  const [began, mayEnd] = [join(place.beside, 'began'), join(place.beside, 'may-end')];
  const agent = await place.write('../beside/works.sh', `touch ${began}\nwhile [ ! -e ${mayEnd} ]; do sleep 0.05; done\necho x > x.txt\n`);
  const working = startRalph(['work', '--agent', `sh ${agent}`, '--json'], { cwd: place.path, env: { HOME: place.beside, XDG_RUNTIME_DIR: place.beside } });
  await until('the agent works', () => existsSync(began));
  const listed = await place.ralph(['worktree', 'list', '--json']);
  const [forced, cleaned] = [await place.ralph(['worktree', 'remove', 'T-1.1', '--force']), await place.ralph(['worktree', 'clean'])];
  writeFileSync(mayEnd, '');
  const worked = await endOf(working);

  const run = worked.result?.run_id ?? '';
  expect(JSON.parse(listed.stdout).worktrees).toMatchObject([
    { name: 'T-1.1', branch: 'ralph/T-1.1', task: { id: 'T-1', state: 'in progress', holder: `${run}/1`, run_id: run } },
  ]);
  expect(forced).toMatchObject({
    code: 4,
    stderr: `error: T-1.1 is not removed: run ${run} is active in it, on task T-1\nhint: Wait for it, or stop the run with: ralph runs stop ${run}\n`,
  });
  expect(cleaned.stdout).toBe(`Kept ${join(`${place.path}.ralph`, 'T-1.1')}: run ${run} is active in it, on task T-1\n`);
});
