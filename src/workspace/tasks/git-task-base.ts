import { untilFree } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import { looseRef } from '../git/git-place.ts';
import type { TaskGit } from './git-task-place.ts';
import { GitTrouble, must, openLockWatch } from './locks.ts';

/** The current base, and the operator's branch. */
export interface Bases {
  readonly base: string;
  readonly operator: string;
  /** Whether the base contains the operator's branch. */
  readonly hasAll: boolean;
}

export interface TaskBase {
  /** Creates the base from the operator's branch if there is none, and moves it along with the operator's commits on top of it. */
  look(): Promise<Bases>;
}

/** Somebody else may move it at the same time, but not every time. */
const MOST_LOOKS = 5;

export function openTaskBase(ground: TaskGit): TaskBase {
  const compare = remembered((pair: string) => compareCommits(ground, pair));
  const [baseName, operatorName] = [baseRef(ground.base), headRef(ground.base)];
  const moveBase = async (from: string | null, to: string) => await ground.git(['update-ref', baseName, to, from ?? '0'.repeat(to.length)]);
  return {
    async look() {
      for (let looks = 1; ; looks += 1) {
        const [base = null, operator = null] = await commitsOf(ground, [baseName, operatorName]);
        if (operator === null) throw new GitTrouble(`the branch ${ground.base} does not exist, or has no commit yet`);
        const wanted = await whereItBelongs(base, operator, compare);
        if (base === wanted.commit) return { base, operator, hasAll: wanted.hasAll };
        const moved = await moveBase(base, wanted.commit);
        if (looks === MOST_LOOKS) must(moved, `${baseName} cannot be moved`);
      }
    },
  };
}

/**
 * At the end of a run: removes the base, which says nothing that the operator's branch does not have. Another run that works on it just now makes it again.
 * With results that the branch could not follow to, it stays.
 */
export async function dropBase(ground: TaskGit): Promise<void> {
  const [baseName, operatorName] = [baseRef(ground.base), headRef(ground.base)];
  const [base = null, operator = null] = await commitsOf(ground, [baseName, operatorName]);
  if (base === null || operator === null) return;
  const isThere = base === operator || (await ground.git(['merge-base', '--is-ancestor', base, operator])).code === 0;
  if (isThere) await ground.git(['update-ref', '-d', baseName, base]);
}

type Comparison = 'behind' | 'ahead' | 'apart' | 'left';

interface Wanted {
  readonly commit: string;
  readonly hasAll: boolean;
}

async function whereItBelongs(base: string | null, operator: string, compare: (pair: string) => Promise<Comparison>): Promise<Wanted> {
  if (base === null || base === operator) return { commit: operator, hasAll: true };
  const found = await compare(`${base} ${operator}`);
  if (found === 'behind') return { commit: base, hasAll: true };
  return found === 'apart' ? { commit: base, hasAll: false } : { commit: operator, hasAll: true };
}

/** Where the operator's branch is relative to the base. `left`: it was on the base once and has moved elsewhere, as after an amended commit. */
async function compareCommits({ git, base: branch }: TaskGit, pair: string): Promise<Comparison> {
  const [base = '', operator = ''] = pair.split(' ');
  const counted = must(await git(['rev-list', '--left-right', '--count', `${base}...${operator}`, '--']), 'the base cannot be compared');
  const [ours, theirs] = counted.split('\t');
  if (theirs === '0') return 'behind';
  if (ours === '0') return 'ahead';
  const { code, stdout } = await git(['merge-base', '--fork-point', headRef(branch), base]);
  return code === 0 && stdout.trim() === base ? 'left' : 'apart';
}

/** Commits never change, so the answer does not either. Only the last answer is kept. */
function remembered<T>(ask: (question: string) => Promise<T>): (question: string) => Promise<T> {
  let last: { question: string; answer: T } | null = null;
  return async (question) => {
    if (last?.question === question) return last.answer;
    const answer = await ask(question);
    last = { question, answer };
    return answer;
  };
}

export const headRef = (branch: string) => `refs/heads/${branch}`;
export const baseRef = (base: string) => `refs/ralph/base/${base}`;
export const mergedRef = (task: string, n: number) => `refs/ralph/merged/${task}.${n}`;

export interface Ref {
  readonly commit: string;
  /** The worktree that has it checked out; empty if none has. */
  readonly checkedOutIn: string;
}

/** The refs among these that exist, by their full names, with one git command. */
export async function refsAmong({ git }: Pick<TaskGit, 'git'>, names: readonly string[]): Promise<ReadonlyMap<string, Ref>> {
  const listed = must(await git(['for-each-ref', '--format=%(refname)%00%(objectname)%00%(worktreepath)', ...names]), 'the refs cannot be read');
  const lines = listed.split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split('\0')).map(([name = '', commit = '', checkedOutIn = '']) => [name, { commit, checkedOutIn }]));
}

/**
 * The commits of these refs, in that order; null if a ref does not exist. A loop asks all the time, so this reads git's files and runs git only if they do
 * not tell.
 */
export async function commitsOf(ground: Pick<TaskGit, 'git' | 'commonDir'>, names: readonly string[]): Promise<readonly (string | null)[]> {
  const common = await ground.commonDir();
  const loose = await Promise.all(names.map((name) => looseRef(common, name)));
  if (!loose.includes(null)) return loose;
  const refs = await refsAmong(ground, names);
  return names.map((name) => refs.get(name)?.commit ?? null);
}

const MOST_BYTES = 64 * 1024;

/** Applies all of the lines or none, as `git update-ref --stdin` reads them. Returns null, or git's complaint. */
export async function moveRefs({ env, topLevel, commonDir, root }: TaskGit, lines: readonly string[]): Promise<string | null> {
  const stdin = `${lines.join('\n')}\n`;
  const watch = openLockWatch(async () => ({ commonDir: await commonDir(), root: await root() }));
  let complaint = '';
  const run = async () => {
    const fed = await feedGit({ cwd: topLevel, env }, { args: ['update-ref', '--stdin'], stdin, mostBytes: MOST_BYTES });
    complaint = fed.isWhole ? '' : fed.stderr.trim() || 'git ended without a word';
    return complaint;
  };
  return (await untilFree(run, { complaintOf: (said) => said, beforeTheNext: () => watch.look(complaint) })) || null;
}
