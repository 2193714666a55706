import { randomUUID } from 'node:crypto';
import { delimiter, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Captured, capture } from '../../process/capture.ts';
import { withoutFiltersInside, wordsOf } from './git-nested.ts';

export type Variables = Readonly<Record<string, string>>;

/** A git that Ralph runs for itself, with its own options: with an index of ours to read and write, or without one. */
export type Git = (args: readonly string[], own?: Variables) => Promise<Captured>;

/** How long one of our own git commands may take. */
export const GIT_TIMEOUT_MS = 120_000;

/**
 * Switches off everything that the settings could make git run: hooks, file monitor, pager, signature checks, git in submodules. A bare repository must be
 * named explicitly.
 */
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

/** The index is never split: its shared half would be written into the operator's repository. */
const OUR_WAYS = [...NOTHING_RUN, ...['core.splitIndex=false', 'advice.addEmbeddedRepo=false'].flatMap((setting) => ['-c', setting])];

/** These commands neither write an index nor read a file of the work tree, so they run no filter. */
const OBJECTS_ALONE = new Set(['cat-file', 'commit-tree', 'diff-tree', 'ls-tree', 'merge-base', 'rev-parse', 'update-ref']);

/** Ignores `git replace`: somebody, perhaps an agent, may have replaced a commit or a tree. */
export const NOTHING_REPLACED: Variables = { GIT_NO_REPLACE_OBJECTS: '1' };

const CEILING = 'GIT_CEILING_DIRECTORIES';

/** Git looks no further up for a repository. If an agent has broken the project's repository, git must not use one around it. */
export function noHigherThan(topLevel: string, env: Variables): Record<string, string> {
  return { ...env, [CEILING]: [dirname(topLevel), env[CEILING] ?? []].flat().join(delimiter) };
}

/** Applies the same ceiling as another environment. */
export function asLowAs(env: Variables, other: Variables): Variables {
  return other[CEILING] === undefined ? env : { ...env, [CEILING]: other[CEILING] };
}

/** The environment must come from `withoutGitVariables`. */
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
 * A git that writes an index may read files again through the repository's filters: without them a file that was only touched would get another id. Filters
 * are commands that we did not choose, so what they leave running is ended.
 */
function marked(env: Variables): { env: Variables; marker: string } {
  return { env, marker: `git-${randomUUID()}` };
}

/** The most informative line of git's errors. */
export function firstComplaint({ stderr }: Pick<Captured, 'stderr'>): string {
  const lines = stderr.trim().split('\n');
  return (lines.find((line) => /^(error|fatal): /.test(line)) ?? lines[0]) || 'git ended without a word';
}

/** The commit that a worktree is on; null before the first one. Throws if HEAD cannot be read, since that does not mean an empty repository. */
export async function headOf(git: Git): Promise<string | null> {
  const found = await git(['rev-parse', '--verify', '--quiet', 'HEAD']);
  if (found.code === 0) return found.stdout.trim();
  if (found.code === 1) return null;
  throw new Error(firstComplaint(found));
}

const LOCKED_FOR_MS = 10_000;
const PAUSE_MS = 50;

/** Retries while another git holds the lock of a ref, an index or the configuration, or is still making a worktree: both take only a moment. */
export function untilUnlocked(run: () => Promise<Captured>, beforeTheNext: () => Promise<void> = async () => undefined): Promise<Captured> {
  return untilFree(run, { complaintOf: ({ code, stderr }) => (code === 0 ? '' : stderr), beforeTheNext });
}

interface Waiting<T> {
  /** Git's error message; empty on success. */
  readonly complaintOf: (answer: T) => string;
  readonly beforeTheNext?: () => Promise<void>;
}

/** The same for any other call of git. Returns the last answer if the lock is never released. */
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
