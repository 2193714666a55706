import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faraway, forgeLock, gone, holdRun, makeRun, ofTask, stopped } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { pruneLines } from '../command/runs.ts';
import { type PrunedRuns, pruneRuns } from './prune-runs.ts';

const LONG_AGO = 1_000;
const NOW = 1_000_000;
const request = { olderThanMs: 60_000, keepFailed: false, dryRun: false, nowMs: NOW };

interface Home extends AsyncDisposable {
  readonly path: string;
  readonly runs: string;
  prune(over?: Partial<typeof request>): Promise<PrunedRuns>;
}

async function openHome(): Promise<Home> {
  const folder = await openThrowAwayFolder();
  const runs = join(folder.path, '.ralph', 'runs');
  await mkdir(runs, { recursive: true });
  return {
    path: folder.path,
    runs,
    prune: (over = {}) => pruneRuns(folder.path, { root: null, project: null, task: null }, { ...request, ...over }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const names = ({ removed }: PrunedRuns) => removed.map(({ told }) => told.sight.run).sort();
const reasons = ({ kept }: PrunedRuns) => Object.fromEntries(kept.map(({ told, why }) => [told.sight.run, why]));

describe('prune', () => {
  it('removes old finished runs and their locks, and nothing else', async () => {
    await using home = await openHome();
    for (const run of ['done', 'failed', 'dead']) await forgeLock(home.runs, run, gone());
    await makeRun(home.runs, 'done', { after: [stopped('completed', 0)], at: LONG_AGO });
    await makeRun(home.runs, 'failed', { after: [stopped('max_iterations')], at: LONG_AGO });
    await makeRun(home.runs, 'dead', { writer: gone(), at: LONG_AGO });
    await makeRun(home.runs, 'young', { after: [stopped('completed', 0)], at: NOW - 30_000 });
    const pruned = await home.prune();

    expect(names(pruned)).toEqual(['dead', 'done', 'failed']);
    expect(reasons(pruned)).toEqual({ young: 'it ended only 29s ago' });
    expect(await readdir(home.runs)).toEqual(['young']);
  });

  it('keeps runs that are alive, may be alive, wait, or cannot be read', async () => {
    await using home = await openHome();
    await makeRun(home.runs, 'alive', { at: LONG_AGO });
    const letGo = await holdRun(home.runs, 'alive');
    await makeRun(home.runs, 'far', { writer: faraway, at: LONG_AGO });
    await makeRun(home.runs, 'waits', { after: [stopped('waiting', 0)], at: LONG_AGO });
    await makeRun(home.runs, 'resumed', { after: [stopped('interrupted')], at: LONG_AGO });
    await forgeLock(home.runs, 'resumed', faraway);
    await mkdir(join(home.runs, 'odd', 'journal.jsonl'), { recursive: true });
    const pruned = await home.prune();
    await letGo();

    expect(names(pruned)).toEqual([]);
    expect(reasons(pruned)).toEqual({
      alive: 'it is running',
      far: 'it may be running where it cannot be seen from here',
      waits: 'it is waiting and can be resumed',
      resumed: 'it may be running where it cannot be seen from here',
      odd: 'it cannot be read: its journal is not a regular file',
    });
  });

  it('keeps failed runs when that is asked for', async () => {
    await using home = await openHome();
    await makeRun(home.runs, 'done', { after: [stopped('completed', 0)], at: LONG_AGO });
    await makeRun(home.runs, 'failed', { after: [stopped('stuck')], at: LONG_AGO });
    await makeRun(home.runs, 'dead', { writer: gone(), at: LONG_AGO });
    const pruned = await home.prune({ keepFailed: true });

    expect(names(pruned)).toEqual(['done']);
    expect(reasons(pruned)).toEqual({ failed: 'it is not done (failed)', dead: 'it is not done (dead)' });
  });

  it('keeps a child while its parent is not over, and removes it together with the parent', async () => {
    await using home = await openHome();
    const child = (parent: string) => ({ settings: ofTask({ parent }, 'job'), after: [stopped('completed', 0)], at: LONG_AGO });
    await makeRun(home.runs, 'waits', { after: [stopped('waiting', 0)], at: LONG_AGO });
    await makeRun(home.runs, 'over', { after: [stopped('completed', 0)], at: LONG_AGO });
    await makeRun(home.runs, 'child-of-waits', child('waits'));
    await makeRun(home.runs, 'child-of-over', child('over'));
    await makeRun(home.runs, 'child-of-nobody', child('nobody'));
    const pruned = await home.prune();

    expect(names(pruned)).toEqual(['child-of-nobody', 'child-of-over', 'over']);
    expect(reasons(pruned)).toMatchObject({ 'child-of-waits': 'its parent run waits is not over' });
  });

  it('keeps a run while git has work of its agent that did not land, and names what goes with the others', async () => {
    await using home = await openHome();
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t', ...words], { cwd: home.path, encoding: 'utf8' });
    const runs = join(home.path, '.git', 'ralph', 'runs');
    git('init', '-q');
    await mkdir(runs, { recursive: true });
    git('commit', '-q', '--allow-empty', '-m', 'x');
    const refs = ['files/files/1.1', 'git/git/1.1/HEAD', 'left/a.1-left', 'reverted/1.1'].map((name) => `refs/ralph/kept/${name}`);
    for (const ref of refs) git('update-ref', ref, 'HEAD');
    for (const run of ['files', 'git', 'left', 'reverted']) await makeRun(runs, run, { after: [stopped('completed', 0)], at: LONG_AGO });
    const lines = [pruneLines(await home.prune({ dryRun: true }), true), pruneLines(await home.prune(), false)];

    const kept = (run: string, ref: string) => `Kept ${run}: work of its agent that did not land is only at ${ref}: take it, then git update-ref -d ${ref}`;
    const went = [`reverted`, `  with what did not land: refs/ralph/kept/reverted/1.1 ${git('rev-parse', 'HEAD').trim()}`];
    for (const [index, done] of ['Would remove', 'Removed'].entries())
      expect(lines[index]?.toSorted()).toEqual([`${done} ${went[0]}`, went[1], ...refs.slice(0, 3).map((ref) => kept(`${ref.split('/')[3]}`, ref))].toSorted());
    expect(git('for-each-ref', '--format=%(refname)', 'refs/ralph').trim().split('\n')).toEqual(refs.slice(0, 3));
  });

  it('changes nothing in a dry run', async () => {
    await using home = await openHome();
    await makeRun(home.runs, 'done', { after: [stopped('completed', 0)], at: LONG_AGO });
    const pruned = await home.prune({ dryRun: true });

    expect(names(pruned)).toEqual(['done']);
    expect(await readdir(home.runs)).toEqual(['done']);
  });
});
