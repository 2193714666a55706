import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { eventsOf, finishes, honest, openLoopStage, receiptOf, TASK, tries } from '../../support/loop-stage.ts';
import { openPlace, type Place } from '../../support/place.ts';
import { openRepo } from '../../support/repo.ts';
import { iterationsOf, WORK } from '../../support/stage.ts';

vi.setConfig({ maxConcurrency: 3 });

/** Does half of the work in its first call and the rest in the second; keeps the prompts. */
const WORKER = `if [ -e ../beside/prompt.1 ]; then cat >../beside/prompt.2; echo done >work.txt; echo COMPLETE; else cat >../beside/prompt.1; echo half >work.txt; echo "Not yet."; fi\n`;

async function openWorkersPlace(): Promise<Place> {
  const place = await openPlace();
  await writeFile(join(place.beside, 'worker.sh'), WORKER);
  return place;
}

const LOOP = ['loop', TASK, '--agent', 'sh ../beside/worker.sh', '--check', 'grep -q done work.txt', '--json'];
const promptOf = ({ beside }: Place, n: number) => readFileSync(join(beside, `prompt.${n}`), 'utf8');

/** Everything that agents and checks need here, without git. */
async function pathWithoutGit({ beside }: Place): Promise<string> {
  for (const name of ['sh', 'cat', 'grep', 'sleep', 'ps', 'env']) await symlink(`/bin/${name}`, join(beside, name)).catch(() => undefined);
  return beside;
}

describe.concurrent('a loop', () => {
  it('works without a repository, and says that there is no diff', async () => {
    await using place = await openWorkersPlace();
    const run = await place.ralph(LOOP);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(promptOf(place, 2)).toContain('## Changes from Previous Iterations\n\nThis is not a git repository, so there is no diff');
    expect(receiptOf(run)).toMatchObject({ commit: null, tree: null, where: 'workspace' });
  });

  it('works without git', async () => {
    await using place = await openWorkersPlace();
    place.git('init', '-q');
    const run = await place.ralph(LOOP, { env: { PATH: await pathWithoutGit(place) } });
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(promptOf(place, 2)).toMatch(/so there is no diff: look at the files themselves/);
  });

  it.for([
    ['--protect', 'work.txt'],
    ['--verify', 'clean'],
    ['--commit', ''],
    ['--worktree', ''],
  ])('refuses options that need a repository: %s', async ([flag = '', value = '']) => {
    await using place = await openWorkersPlace();
    const run = await place.ralph([...LOOP, flag, ...(value === '' ? [] : [value])]);
    expect(run).toMatchObject({ code: 4, result: { stop_reason: 'fatal', done: false, message: expect.stringMatching(/needs? a git repository/) } });
    expect(place.everything().some((path) => path.includes('prompt.1'))).toBe(false);
  });

  it('works before the first commit, and may create it', async () => {
    await using place = await openWorkersPlace();
    place.git('init', '-q');
    place.git('config', 'user.name', 't');
    place.git('config', 'user.email', 't@example.com');
    await place.write('tests.sh', 'grep -q done work.txt\n');
    const run = await place.ralph([...LOOP, '--protect', 'tests.sh', '--verify', 'clean', '--commit']);
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2, commits: 1 } });
    expect(promptOf(place, 2)).toContain('+half');
    expect(place.git('log', '--format=%s')).toBe('Iteration 2: Do the work.');
    expect(receiptOf(run)).toMatchObject({ commit: place.git('rev-parse', 'HEAD'), where: 'clean' });
  });

  it('works on a detached HEAD and keeps it detached', async () => {
    await using stage = await openLoopStage([tries('echo half > work.txt'), honest]);
    stage.repo.git('checkout', '-q', '--detach');
    const start = stage.repo.git('rev-parse', 'HEAD');
    const run = await stage.loop('--protect', 'check.sh', '--verify', 'clean');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(stage.prompts()[1]).toContain('+half');
    expect(stage.repo.git('rev-parse', 'HEAD')).toBe(start);
    expect(() => stage.repo.git('symbolic-ref', 'HEAD')).toThrow();
  });

  it('works beside and inside a submodule', async () => {
    await using library = await openRepo({ 'lib.txt': 'library\n' });
    await using stage = await openLoopStage([tries('echo half > work.txt'), honest]);
    stage.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    stage.repo.git('commit', '-qm', 'with a library');
    const beside = await stage.loop('--protect', 'check.sh', '--verify', 'clean');
    const inside = await stage.ralphIn(join(stage.repo.path, 'library'), 'loop', TASK, '--agent', 'claude', '--check', 'grep -q done work.txt', '--json');

    expect(beside, beside.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(stage.prompts()[1]).toContain('+half');
    expect(inside, inside.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 1 } });
    expect(receiptOf(inside).tree).toMatch(/^[0-9a-f]{40}$/);
  });

  it('reports the change of an agent inside a submodule', async () => {
    await using library = await openRepo({ 'lib.txt': 'library\n' });
    await using stage = await openLoopStage([tries('cd library && echo mine > lib.txt && git -c user.name=a -c user.email=a@e commit -qam mine'), honest]);
    stage.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    stage.repo.git('commit', '-qm', 'with a library');
    const run = await stage.loop();
    expect(run).toMatchObject({ code: 0 });
    expect(stage.prompts()[1]).toMatch(/^ library +\|/m);
  });

  it('keeps committed and uncommitted work of an agent', async () => {
    await using stage = await openLoopStage([tries('echo half > half.txt; git add -A; git commit -qm "Half of it"; echo loose > loose.txt'), finishes(WORK)]);
    const run = await stage.loop('--commit');
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.repo.git('log', '--reverse', '--format=%s').split('\n')).toEqual(['start', 'Half of it', 'Iteration 2: Do the work.']);
    expect(stage.after().changed).toEqual([]);
    expect(eventsOf(run, 'receipt.written')).toMatchObject([{ commit: stage.repo.git('rev-parse', 'HEAD') }]);
  });
});
