import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitProblem, MergeConflict, Merging, OpenedBranch, SettledBranch, TaskBranches } from '../../src/engine/ports/task-branches.ts';
import { openGitCommand } from '../../src/workspace/git/git-command.ts';
import type { TaskPlace } from '../../src/workspace/tasks/git-task-place.ts';
import { openTaskBranches } from '../../src/workspace/tasks/open-branches.ts';
import { gitEnv } from './opened-git.ts';
import { OPERATOR, openRepo, type Repo } from './repo.ts';

/** A repository with a plan in it, and branches for the tasks of a crew. */
export interface BranchStage extends AsyncDisposable {
  readonly repo: Repo;
  readonly root: string;
  readonly branches: TaskBranches & AsyncDisposable;
  /** Another process of the same run, or whatever the changes make of it. */
  again(changes?: Partial<TaskPlace>): TaskBranches & AsyncDisposable;
  /** Git in a worktree of ours. */
  at(path: string, ...words: readonly string[]): string;
  /** Files of a worktree; null removes one. */
  put(path: string, files: Readonly<Record<string, string | null>>): Promise<void>;
  /** The content of a file in a commit; null when it has none. */
  inCommit(commit: string, file: string): string | null;
}

export const PLAN = 'plan.yaml';
export const PLAN_SPECS = [`:(top,glob)${PLAN}`];
export const never = new AbortController().signal;

export async function openBranchStage(
  files: Readonly<Record<string, string>> = { 'readme.txt': 'hello\n', [PLAN]: 'a: pending\nb: pending\n' },
): Promise<BranchStage> {
  const repo = await openRepo(files, OPERATOR);
  const root = join(repo.beside, 'repo.ralph');
  const place: TaskPlace = {
    git: openGitCommand(repo.path, gitEnv),
    env: gitEnv,
    topLevel: repo.path,
    cwd: repo.path,
    worktreesRoot: root,
    mergeFolder: join(repo.beside, 'merge'),
    base: 'main',
    run: 'run-1',
    furnish: async () => null,
  };
  const again = (changes: Partial<TaskPlace> = {}) => openTaskBranches({ ...place, ...changes });
  return {
    repo,
    root,
    branches: again(),
    again,
    at: (path, ...words) => repo.git('-C', path, ...words),
    async put(path, contents) {
      for (const [name, content] of Object.entries(contents)) {
        const file = join(path, name);
        if (content === null) await rm(file, { recursive: true });
        else await mkdir(dirname(file), { recursive: true }).then(() => writeFile(file, content));
      }
    },
    inCommit(commit, file) {
      return repo.git('ls-tree', '--name-only', commit, '--', file) === '' ? null : `${repo.git('show', `${commit}:${file}`)}\n`;
    },
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
}

type Answer = OpenedBranch | SettledBranch | Merging | MergeConflict | { readonly kind: 'brought' | 'closed' | 'landed' | 'moved' | 'checked-out' };

/** The answer, if it is what is meant to be. */
export function expectKind<A extends Answer, K extends A['kind']>(answer: A | GitProblem, kind: K): Extract<A, { kind: K }> {
  if (answer.kind !== kind) throw new Error(`not ${kind} but ${JSON.stringify(answer)}`);
  return answer as Extract<A, { kind: K }>;
}

export async function opened(branches: TaskBranches, branch: string, from: string | null = null): Promise<OpenedBranch> {
  return expectKind(await branches.open({ branch, from, pathspecs: PLAN_SPECS }, never), 'opened');
}

export async function settled(branches: TaskBranches, { path, base }: Pick<OpenedBranch, 'path' | 'base'>): Promise<SettledBranch> {
  return expectKind(await branches.settle(path, { message: 'Work\n\nRalph-Run: run-1/1\n', base, pathspecs: PLAN_SPECS }), 'settled');
}

/** The files of a merged result. */
export const filesOf = async (merging: Merging) => expectKind(await merging.checkOut(never), 'checked-out');

/** Merged and landed, with that content of the plan. */
export async function landed(branches: TaskBranches, head: string, plan: string, task = 'a'): Promise<string> {
  const merging = expectKind(await branches.merge({ head, pathspecs: PLAN_SPECS }, never), 'merging');
  await writeFile(join(merging.planFolder, PLAN), plan);
  const landing = await merging.land({ task, n: 1, message: `Merge task ${task}\n\nRalph-Run: run-1/1\n`, pathspecs: PLAN_SPECS });
  return expectKind(landing, 'landed').commit;
}
