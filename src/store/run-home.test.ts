import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { chooseRun, newRunId } from './run-home.ts';

const OLDER = '20260101-000000-aaa111';
const NEWER = '20260102-000000-bbb111';

/** Chooses among these runs, all started in one folder, and one that died before its first event. */
async function choose(wanted: string | null, ...runs: readonly string[]): Promise<string> {
  await using folder = await openThrowAwayFolder();
  for (const run of runs) {
    await mkdir(join(folder.path, run));
    await writeFile(join(folder.path, run, 'journal.jsonl'), `${JSON.stringify({ type: 'run.started', cwd: folder.path })}\n`);
  }
  await mkdir(join(folder.path, '20260103-000000-ccc111'));
  return await chooseRun(wanted, folder.path, folder.path);
}

describe('the id of a run', () => {
  it('sorts by start time to the millisecond, and differs for runs of the same millisecond', () => {
    const start = Date.UTC(2026, 0, 2, 3, 4, 5);
    const ids = Array.from({ length: 1000 }, (_, index) => newRunId(start + index));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(Array.from({ length: 20 }, () => newRunId(start))).size).toBeGreaterThan(15);
    for (const id of ids) expect(id).toMatch(/^20260102-030405-[0-9a-f]{6}$/);
  });
});

describe('choosing a run', () => {
  it.each([
    ['the newest', null, NEWER],
    ['the one with this id', OLDER, OLDER],
    ['the one whose id ends so', 'bbb111', NEWER],
  ])('finds %s', async (_name, wanted, run) => {
    expect(await choose(wanted, OLDER, NEWER)).toBe(run);
  });

  it.each([
    ['no run matches', 'ccc222', `there is no run "ccc222" here`],
    ['it has no journal', 'ccc111', `there is no run "ccc111" here`],
    ['the name is empty', '', 'there is no run "" here'],
    ['the name is a path', `../${OLDER}`, `there is no run "../${OLDER}" here`],
    ['several runs match', '111', '"111" fits 2 runs'],
  ])('is refused when %s', async (_name, wanted, message) => {
    await expect(choose(wanted, OLDER, NEWER)).rejects.toMatchObject({ message, exitCode: 2, hint: expect.stringContaining(NEWER) });
  });

  it('finds the newest run that has started, and ignores those that died before their first line', async () => {
    await using folder = await openThrowAwayFolder();
    for (const [run, journal] of [
      [OLDER, `${JSON.stringify({ type: 'run.started', cwd: folder.path })}\n`],
      [NEWER, ''],
      ['20260103-000000-ddd111', '{"v":1,"seq":1,"type":"run.st'],
    ] as const) {
      await mkdir(join(folder.path, run));
      await writeFile(join(folder.path, run, 'journal.jsonl'), journal);
    }
    expect(await chooseRun(null, folder.path, folder.path)).toBe(OLDER);
  });

  it('finds a run whose directory was removed only by its name', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, OLDER));
    const gone = join(folder.path, 'gone');
    await writeFile(join(folder.path, OLDER, 'journal.jsonl'), `${JSON.stringify({ type: 'run.started', cwd: gone })}\n`);
    const hint = `Run ${OLDER} was started in ${gone}, which is gone. If it belongs here, continue it with: ralph runs resume ${OLDER}`;
    await expect(chooseRun(null, folder.path, folder.path)).rejects.toMatchObject({ message: 'there is no run here', hint, exitCode: 2 });
    expect(await chooseRun(OLDER, folder.path, folder.path)).toBe(OLDER);
  });

  it('finds a run from the subfolders of where it was started, but not from another work tree among them', async () => {
    await using folder = await openThrowAwayFolder();
    const [sub, tree] = [join(folder.path, 'src', 'deep'), join(folder.path, 'tree')];
    for (const path of ['.git/HEAD', 'src/deep', 'tree/.git/HEAD', OLDER]) await mkdir(join(folder.path, path), { recursive: true });
    await writeFile(join(folder.path, OLDER, 'journal.jsonl'), `${JSON.stringify({ type: 'run.started', cwd: folder.path })}\n`);
    expect(await chooseRun(null, folder.path, sub)).toBe(OLDER);
    await expect(chooseRun(null, folder.path, tree)).rejects.toMatchObject({ message: 'there is no run here' });
  });

  it('finds a run with a worktree from the directory it was started in and from its worktree', async () => {
    await using folder = await openThrowAwayFolder();
    const [origin, cwd] = [join(folder.path, 'origin'), join(folder.path, 'worktree')];
    await mkdir(join(folder.path, OLDER));
    await writeFile(join(folder.path, OLDER, 'journal.jsonl'), `${JSON.stringify({ type: 'run.started', cwd, origin })}\n`);
    expect(await chooseRun(null, folder.path, origin)).toBe(OLDER);
    expect(await chooseRun(null, folder.path, cwd)).toBe(OLDER);
    await expect(chooseRun(null, folder.path, folder.path)).rejects.toMatchObject({ message: 'there is no run here', exitCode: 2 });
  });

  it('that is unknown is refused with the runs there are', async () => {
    const hint = expect.stringMatching(/^The newest runs of this repository are: .*\. ralph runs list --all lists all of them\.$/);
    await expect(choose('ccc222', OLDER)).rejects.toMatchObject({ hint });
  });

  it('is refused when there is no run', async () => {
    await expect(choose(null)).rejects.toMatchObject({ message: 'there is no run here', exitCode: 2 });
  });
});
