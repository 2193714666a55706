import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPort } from '../engine/ports/git.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../sandbox/environment/environment.ts';
import { type Git, headOf, openGitCommand, untilUnlocked, type Variables } from './git/git-command.ts';
import { feedGit } from './git/git-feed.ts';
import { carry } from './isolated/carry.ts';
import { landedBy } from './isolated/landed.ts';
import { type Change, changesIn, landingOf, type TreePath } from './isolated/tree-changes.ts';
import { endRef, keepEnd } from './run-ends.ts';
import { must } from './tasks/locks.ts';

export interface TakeBackPlace {
  readonly topLevel: string;
  readonly commonDir: string;
  readonly env: Variables;
  readonly git: Pick<GitPort, 'snapshot' | 'look' | 'obstacle'>;
  /** The folder of the run. */
  readonly runFolder: string;
}

export interface TakenBack {
  /** Paths that are as before the run. */
  readonly back: readonly string[];
  /** Paths that have changed since the run and therefore stay. */
  readonly stay: readonly string[];
  /** Where the branch was and is; null if the run committed nothing. */
  readonly branch: { readonly from: string; readonly to: string } | null;
}

interface Ends {
  readonly start: string;
  readonly end: string;
  /** Their parents; null before the first commit. */
  readonly headBefore: string | null;
  readonly headAfter: string | null;
}

const MOST_BYTES = 256 * 1024 * 1024;

/** The changes of a run as a patch; for a run that has not ended, up to now. */
export async function patchOfRun(place: TakeBackPlace, run: string, words: readonly string[]): Promise<Buffer> {
  const git = openGitCommand(place.topLevel, withoutGitVariables(place.env));
  const start = await kept(git, run, 'start');
  if (start === null) throw nothingKept(run);
  const end = (await kept(git, run, 'end')) ?? (await place.git.look())?.tree ?? 'HEAD';
  return await patchBetween({ cwd: place.topLevel, env: place.env }, { from: start, to: end }, words);
}

interface PatchEnds {
  readonly from: string;
  readonly to: string;
}

interface PatchPlace {
  readonly cwd: string;
  readonly env: Variables;
}

/** What an iteration changed; of a branch, what is on it alone. Ralph keeps the objects of a red iteration only until git cleans up. */
export async function patchOfBranch({ cwd, env }: PatchPlace, { from, to }: PatchEnds, words: readonly string[]): Promise<Buffer> {
  const fork = await openGitCommand(cwd, withoutGitVariables(env))(['merge-base', from, to]);
  return await patchBetween({ cwd, env }, { from: fork.code === 0 ? fork.stdout.trim() : from, to }, words);
}

/** What differs between two commits or trees. */
async function patchBetween({ cwd, env }: PatchPlace, { from, to }: PatchEnds, words: readonly string[]): Promise<Buffer> {
  const args = ['diff-tree', '-r', '--find-renames', '--no-ext-diff', '--no-textconv', ...words, from, to];
  const { isWhole, stdout, stderr } = await feedGit({ cwd, env: withoutGitVariables(env) }, { args, mostBytes: MOST_BYTES });
  if (!isWhole)
    throw new OperatorError('git-broken', `the changes cannot be shown: ${stderr.trim()}`, {
      hint: 'Git may have removed old files; else run `git fsck` there.',
      exitCode: 4,
    });
  return stdout;
}

/** Undoes a run: its commits and its files, except what has changed since. `isTried`: only reports what would be undone. */
export async function takeBack(place: TakeBackPlace, run: string, isTried: boolean): Promise<TakenBack> {
  const git = openGitCommand(place.topLevel, withoutGitVariables(place.env));
  const ends = await endsOf(git, run);
  await refuseOtherBranch(git, ends, run);
  const inTheWay = await place.git.obstacle();
  if (inTheWay !== null) throw refused(`nothing can be taken back now: ${inTheWay}`, 'Finish that first.');
  const now = (await place.git.look())?.tree ?? null;
  if (now === null) throw refused('git cannot name the files that are here', 'Run `git status` there and repair what it complains about.');
  const isOfRun = await landedBy(place.runFolder);
  const back = (await changes(git, ends.end, ends.start)).filter(({ path }) => isOfRun(path));
  const { landed, inTheWay: changed } = landingOf(back, await changes(git, ends.end, now));
  const branch =
    ends.headBefore !== null && ends.headAfter !== null && ends.headBefore !== ends.headAfter ? { from: ends.headAfter, to: ends.headBefore } : null;
  const answer = { back: namesOf(landed), stay: namesOf(changed), branch };
  if (isTried) return answer;
  const trouble = await keepEnd(place, run, 'undone');
  if (trouble !== null) throw refused(`what is here now cannot be kept: ${trouble}`, 'Commit it yourself first.');
  await putFiles(place, ends.start, landed);
  if (branch !== null) await moveBranch(git, run, branch);
  return answer;
}

async function endsOf(git: Git, run: string): Promise<Ends> {
  const [start, end] = [await kept(git, run, 'start'), await kept(git, run, 'end')];
  if (start === null) throw nothingKept(run);
  if (end === null) throw refused(`run ${run} has not ended`, `Stop it, or go on with it, first: ralph runs stop ${run}, ralph runs resume ${run}`);
  const under = async (commit: string) => (await git(['rev-parse', '--verify', '--quiet', `${commit}^`])).stdout.trim() || null;
  return { start, end, headBefore: await under(start), headAfter: await under(end) };
}

async function kept(git: Git, run: string, which: 'start' | 'end'): Promise<string | null> {
  return (await git(['rev-parse', '--verify', '--quiet', endRef(run, which)])).stdout.trim() || null;
}

/** Only a branch that is where the run left it can be moved back: commits of others are never dropped. */
async function refuseOtherBranch(git: Git, { headBefore, headAfter }: Ends, run: string): Promise<void> {
  const head = await headOf(git);
  if (headBefore === headAfter) return;
  if (headBefore === null)
    throw refused(`run ${run} made the first commit of the repository, which cannot be taken back`, 'Remove what you do not want by hand.');
  if ((await git(['merge-base', '--is-ancestor', headBefore, `${headAfter}`])).code !== 0)
    throw refused(`run ${run} ended on another branch than it began on`, `Its commits are at ${endRef(run, 'end')}.`);
  if (head === headAfter) return;
  if (head === headBefore) throw refused(`run ${run} was taken back already`, `What it made is at ${endRef(run, 'end')}.`);
  const range = `${headBefore.slice(0, 12)}..${headAfter?.slice(0, 12)}`;
  throw refused(`the branch has moved since run ${run}`, `Take its commits back by new ones: git revert --no-edit ${range}`);
}

async function changes(git: Git, from: string, to: string): Promise<readonly Change[]> {
  const { code, stdout, stderr } = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to]);
  if (code !== 0) throw refused(`git cannot compare what was kept: ${stderr.trim()}`, 'Run `git fsck` there.');
  return changesIn(stdout.split('\0')).map((change) => ({ ...change, path: Buffer.from(change.path).toString('latin1') }));
}

/** Git writes the old files into a separate folder, and they are carried from there, so that obstacles are seen and no file is half written. */
async function putFiles({ topLevel, commonDir, env }: TakeBackPlace, start: string, landed: readonly Change[]): Promise<void> {
  const apart = await mkdtemp(join(await realpath(commonDir), 'ralph', 'undo-'));
  try {
    const own = { GIT_INDEX_FILE: join(apart, 'index') };
    const place = { cwd: topLevel, env: withoutGitVariables(env) };
    const wanted = landed.filter(({ after }) => after !== null);
    const stdin = namesOf(wanted)
      .map((path) => `${path}\0`)
      .join('');
    for (const [args, input] of [
      [['read-tree', start], ''],
      [['checkout-index', '-z', '--stdin', `--prefix=${apart}/files/`], stdin],
    ] as const) {
      const { isWhole, stderr } = await feedGit(place, { args, own, stdin: input, mostBytes: MOST_BYTES });
      if (!isWhole) throw refused(`the files of before cannot be had: ${stderr.trim()}`, 'Nothing was changed.');
    }
    const inTheWay = await carry(landed, { from: join(apart, 'files'), to: await realpath(topLevel), workshop: apart });
    if (inTheWay.length > 0) throw refused(`something is in the way of ${namesOf(inTheWay).slice(0, 3).join(', ')}`, 'Move it away and say it again.');
  } finally {
    await rm(apart, { recursive: true, force: true });
  }
}

async function moveBranch(git: Git, run: string, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  must(await untilUnlocked(() => git(['update-ref', '-m', `ralph undo ${run}`, 'HEAD', to, from])), 'the branch cannot be moved back');
  must(await untilUnlocked(() => git(['read-tree', '-m', '-i', from, to], {})), 'the index cannot follow');
}

const namesOf = (all: readonly { readonly path: TreePath }[]) => all.map(({ path }) => Buffer.from(path, 'latin1').toString());

function nothingKept(run: string): OperatorError {
  return refused(
    `of run ${run} nothing was kept that could be shown or taken back`,
    'Only runs of run, loop and stories in a git repository keep it, of up to 100 MiB that is not committed.',
  );
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('undo-refused', message, { hint, exitCode: 4 });
}
