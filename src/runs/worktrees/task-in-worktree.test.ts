import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faraway, gone, us } from '../../../test/support/made-runs.ts';
import { openRepo } from '../../../test/support/repo.ts';
import type { Holder, TaskRegister } from '../../journal/words/task-register.ts';
import { registerName } from '../../plans/graph/standing.ts';
import { taskSlug } from '../../plans/graph/task-slug.ts';
import { writePlanHome } from '../../plans/tasks/open-tasks.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import { openTaskOfWorktree } from './task-in-worktree.ts';

const PLAN = 'task-graph.yaml';
const IDS = ['T-1', 'T-2', 'odd/one'];
const TASKS = IDS.map((id) => `  - {id: ${id}, title: t, description: d, priority: 1, status: pending}`).join('\n');
const YAML = `version: "1.0"\nnodes:\n${TASKS}\n  - {id: T-9, title: t, description: d, priority: 1, status: complete}\nedges: []\n`;

const lane = (process: ProcessIdentity): Holder => {
  const { host, bootId, pid, startTime } = process;
  return { name: 'r1/2', run: 'r1', lane: 2, process: { host, boot_id: bootId, pid, start_time: startTime } };
};
const person = (name: string): Holder => ({ name, run: null, lane: null, process: null });

function registerOf(state: TaskRegister['state'], holder: Holder | null, branch: string | null = null): TaskRegister {
  return { state, holder, key: '', at: 1, branch, base: null, tries: 0, feedback: '' };
}

async function openRepository(plan = YAML) {
  const repo = await openRepo({ [PLAN]: plan });
  const repository = { topLevel: repo.path, commonDir: join(repo.path, '.git') };
  const registers = openFileRegisters(join(repository.commonDir, 'ralph', 'registers'));
  return {
    path: repo.path,
    commonDir: repository.commonDir,
    put: (id: string, value: unknown) => registers.put(registerName(PLAN, id), 1, value),
    async tell(branch: string | null, name = 'somewhere') {
      return (await openTaskOfWorktree(repository))({ path: join(repo.beside, name), branch });
    },
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
}

describe('a worktree belongs to the task', () => {
  it.each<[string, TaskRegister, object]>([
    ['of a lane that lives', registerOf('held', lane(us())), { state: 'in progress', holder: 'r1/2', run: 'r1' }],
    ['of a lane nobody can ask for', registerOf('held', lane(faraway)), { state: 'in progress', holder: 'r1/2' }],
    ['of a lane that is dead', registerOf('held', lane(gone())), { state: 'left', holder: null, run: null }],
    ['that was let go', registerOf('free', lane(us()), 'ralph/T-1.1'), { state: 'left', holder: null }],
    ['that failed', registerOf('failed', lane(us()), 'ralph/T-1.1'), { state: 'failed', holder: null, run: null }],
    ['that cannot be merged', registerOf('conflict', lane(us()), 'ralph/T-1.1'), { state: 'conflict' }],
    ['that is done', registerOf('done', lane(us()), 'ralph/T-1.1'), { state: 'done' }],
  ])('of its branch: %s', async (_whose, register, expected) => {
    await using repository = await openRepository();
    await repository.put('T-1', register);
    expect(await repository.tell('ralph/T-1.1')).toMatchObject({ id: 'T-1', ...expected });
  });

  it('that was claimed in it', async () => {
    await using repository = await openRepository();
    await repository.put('T-2', registerOf('held', person(`${hostname()}:spike`)));
    expect(await repository.tell('ralph/spike', 'spike')).toEqual({ id: 'T-2', state: 'in progress', holder: `${hostname()}:spike`, run: null });
    expect(await repository.tell('ralph/other', 'other')).toBeNull();
  });

  it('that its branch is named after, even if somebody else holds the task now', async () => {
    await using repository = await openRepository();
    await repository.put('T-1', registerOf('held', lane(gone())));
    expect(await repository.tell('ralph/T-1.7')).toEqual({ id: 'T-1', state: 'left', holder: null, run: null });
    expect(await repository.tell('ralph/T-9.3')).toMatchObject({ id: 'T-9', state: 'done' });
  });

  it('of its branch even if the task id cannot be a branch name', async () => {
    await using repository = await openRepository();
    expect(await repository.tell(`ralph/${taskSlug('odd/one')}.1`)).toMatchObject({ id: 'odd/one' });
  });

  it('of the current plan, wherever that plan lies', async () => {
    await using repository = await openRepository();
    const home = join(repository.path, '..', 'home');
    await mkdir(home);
    await writeFile(join(home, PLAN), YAML.replace('T-2', 'T-5'));
    await writePlanHome(repository.commonDir, { plan: { kind: 'task-graph', path: PLAN }, home });
    expect(await repository.tell('ralph/T-5.1')).toMatchObject({ id: 'T-5' });
    expect(await repository.tell('ralph/T-2.1')).toBeNull();
  });
});

describe('a worktree belongs to no task', () => {
  it.each(['ralph/20260101-000000-4f2a91', 'ralph/T-1', 'ralph/unknown.1', null])('on branch %j', async (branch) => {
    await using repository = await openRepository();
    expect(await repository.tell(branch)).toBeNull();
  });

  it('without a readable plan', async () => {
    await using none = await openRepository('');
    await using broken = await openRepository('nodes: [');
    expect([await none.tell('ralph/T-1.1'), await broken.tell('ralph/T-1.1')]).toEqual([null, null]);
  });
});
