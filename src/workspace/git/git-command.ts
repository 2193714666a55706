import { randomUUID } from 'node:crypto';
import { delimiter, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Captured, capture } from '../../process/capture.ts';
import { withoutFiltersInside, wordsOf } from './git-nested.ts';

export type Variables = Readonly<Record<string, string>>;

/** Git for ourselves, in our ways: with an index of our own to read and to write, or with none. */
export type Git = (args: readonly string[], own?: Variables) => Promise<Captured>;

/** How long one of our own questions may take. */
export const GIT_TIMEOUT_MS = 120_000;

/** Whatever the settings name that would run: no hook, no file monitor, no pager, no check of signatures, no other git in submodules; and nothing is a repository that only looks like one. */
export const NOTHING_RUN = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'gc.auto=0',
  'maintenance.auto=false',
  'log.showSignature=false',
  'merge.verifySignatures=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting]);

/** And no index is split: its shared half would land in the user's repository. */
const OUR_WAYS = [...NOTHING_RUN, ...['core.splitIndex=false', 'advice.addEmbeddedRepo=false'].flatMap((setting) => ['-c', setting])];

/** They neither write an index nor read a file of the work tree, so no filter runs with them. */
const OBJECTS_ALONE = new Set(['cat-file', 'commit-tree', 'diff-tree', 'ls-tree', 'merge-base', 'rev-parse', 'update-ref']);

/** Objects are what they are: what `git replace` shows in the place of a commit or a tree was put there by somebody, perhaps by an agent. */
export const NOTHING_REPLACED: Variables = { GIT_NO_REPLACE_OBJECTS: '1' };

const CEILING = 'GIT_CEILING_DIRECTORIES';

/** Git looks for a repository no further up than here: where an agent has broken the project's, the one that the project lies in is not meant. */
export function noHigherThan(topLevel: string, env: Variables): Record<string, string> {
  return { ...env, [CEILING]: [dirname(topLevel), env[CEILING] ?? []].flat().join(delimiter) };
}

/** The same as another environment has it. */
export function asLowAs(env: Variables, other: Variables): Variables {
  return other[CEILING] === undefined ? env : { ...env, [CEILING]: other[CEILING] };
}

/** The environment is one that `withoutGitVariables` has made. */
export function openGitCommand(cwd: string, env: Variables, timeoutMs: number = GIT_TIMEOUT_MS): Git {
  const ask = { file: 'git', cwd, timeoutMs };
  const run = (args: readonly string[], own: Variables) =>
    capture({ ...ask, args: [...OUR_WAYS, ...args], env: { ...env, ...NOTHING_REPLACED, ...own, LC_ALL: 'C' } });
  return async (args, own) => {
    const more = await withoutFiltersInside({ run, env }, args, own);
    const words = { ...ask, args: [...OUR_WAYS, ...args] };
    const mine = { ...env, ...NOTHING_REPLACED, ...own, ...more, LANGUAGE: 'en' };
    if (own) return await capture({ ...words, ...(OBJECTS_ALONE.has(wordsOf(args).command) ? { env: mine } : marked(mine)) });
    return await capture({ ...words, env: { ...env, ...NOTHING_REPLACED, ...more, LC_ALL: 'C' } });
  };
}

/**
 * Whatever writes an index may read files once more, and does it through the repository's filters: without them a file that
 * was only touched would get another name. They are commands we did not choose, so what they leave running is ended.
 */
function marked(env: Variables): { env: Variables; marker: string } {
  return { env, marker: `git-${randomUUID()}` };
}

/** The line of git's that says most. */
export function firstComplaint({ stderr }: Pick<Captured, 'stderr'>): string {
  const lines = stderr.trim().split('\n');
  return (lines.find((line) => /^(error|fatal): /.test(line)) ?? lines[0]) || 'git ended without a word';
}

/** The commit a worktree is on; null before the first one. Throws git's complaint when it cannot be read: that is no empty repository. */
export async function headOf(git: Git): Promise<string | null> {
  const found = await git(['rev-parse', '--verify', '--quiet', 'HEAD']);
  if (found.code === 0) return found.stdout.trim();
  if (found.code === 1) return null;
  throw new Error(firstComplaint(found));
}

const LOCKED_FOR_MS = 10_000;
const PAUSE_MS = 50;

/** Another git that writes the same ref, index or configuration holds its lock for a moment only, and a worktree that it is just making is half there. */
export function untilUnlocked(run: () => Promise<Captured>, beforeTheNext: () => Promise<void> = async () => undefined): Promise<Captured> {
  return untilFree(run, { complaintOf: ({ code, stderr }) => (code === 0 ? '' : stderr), beforeTheNext });
}

interface Waiting<T> {
  /** What git said; empty when all went well. */
  readonly complaintOf: (answer: T) => string;
  readonly beforeTheNext?: () => Promise<void>;
}

/** The same for any other way to ask git. The last answer, if nobody lets go. */
export async function untilFree<T>(run: () => Promise<T>, { complaintOf, beforeTheNext }: Waiting<T>): Promise<T> {
  const untilMs = performance.now() + LOCKED_FOR_MS;
  for (;;) {
    const answer = await run();
    if (!isOfTheMoment(complaintOf(answer)) || performance.now() > untilMs) return answer;
    await beforeTheNext?.();
    await sleep(PAUSE_MS);
  }
}

const isOfTheMoment = (complaint: string) => isLocked(complaint) || /failed to read \S*worktrees\/\S+: /.test(complaint);

export const isLocked = (complaint: string) => /\.lock': File exists|could not lock config file/.test(complaint);
