import { basename, join } from 'node:path';
import type { TaskBranches } from '../../engine/ports/task-branches.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { withGit } from '../check-base.ts';
import { openGitCommand } from '../git/git-command.ts';
import type { Behind } from '../git/git-place.ts';
import { gitAt } from '../git/plain-repository.ts';
import { type MergePlace, mergeHead, openOperatorCommits } from '../merge/git-merge.ts';
import { openMergeScratch } from '../merge/git-merge-scratch.ts';
import { openMergeRoom } from '../merge/merge-room.ts';
import type { Workspace } from '../workspace.ts';
import { bringAlong } from '../worktrees/bring-along.ts';
import { makeRoot, removeRootIfEmpty } from '../worktrees/make-worktree.ts';
import { keepOutOfCommits, runSetup } from '../worktrees/prepare-worktree.ts';
import { closeTask } from './close.ts';
import { followBase } from './follow.ts';
import { commitsOf, dropBase, mergedRef, openTaskBase } from './git-task-base.ts';
import { bringBaseTo, openTask } from './git-task-open.ts';
import { openTaskGit, type TaskPlace } from './git-task-place.ts';
import { settleTask } from './git-task-settle.ts';
import { nameFiles } from './git-task-state.ts';
import { orTrouble } from './locks.ts';
import { openTaskRemote } from './task-remote.ts';

interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly warn: (text: string) => void;
  /** The sandbox around the setup of a worktree, and its environment; absent: no sandbox, and the whole environment. */
  readonly behind?: Behind | null;
}

/** The branches of a plan's tasks, in worktrees that are set up as the settings say. */
export async function openBranches(
  { workspace, runFolder }: { readonly workspace: Workspace; readonly runFolder: string },
  spec: WorkSpec,
  at: AtWork,
): Promise<TaskBranches & AsyncDisposable> {
  const git = withGit(workspace);
  const env = withoutGitVariables(workspace.env);
  const place = { cwd: workspace.cwd, topLevel: git.topLevel, commonDir: git.commonDir, env, logs: join(runFolder, 'setup'), ...at };
  const worktreesRoot = await makeRoot(git, spec.worktree.root);
  const branches = openTaskBranches({
    git: openGitCommand(git.topLevel, env),
    env,
    topLevel: git.topLevel,
    cwd: workspace.cwd,
    worktreesRoot,
    base: spec.base,
    mergeFolder: join(runFolder, 'merge'),
    run: at.runId,
    remote: spec.store?.remote,
    furnish: (made, signal) => furnish(made, spec.worktree, place, signal),
  });
  return {
    ...branches,
    async [Symbol.asyncDispose]() {
      await branches[Symbol.asyncDispose]();
      if (spec.worktree.root === null) await removeRootIfEmpty(worktreesRoot);
    },
  };
}

interface Place {
  readonly cwd: string;
  readonly topLevel: string;
  readonly commonDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the output of each setup. */
  readonly logs: string;
  readonly markerPrefix: string;
  readonly warn: (text: string) => void;
  /** The setup runs code that earlier agents have brought onto the base: in their sandbox, with their environment. */
  readonly behind?: Behind | null;
}

/** Brings what git does not check out into the worktree of a task. Returns one line on failure: then no agent works in it. */
async function furnish(
  made: { readonly path: string; readonly cwd: string },
  { copy, link, setup }: WorkSpec['worktree'],
  { cwd, topLevel, commonDir, env, logs, markerPrefix, warn, behind = null }: Place,
  signal: AbortSignal,
): Promise<string | null> {
  const name = basename(made.path);
  try {
    const brought = await bringAlong({ copy, link }, { cwd, from: topLevel, to: made.path }, warn);
    await keepOutOfCommits(brought, { here: gitAt(topLevel, env), there: gitAt(made.path, env), commonDir }, warn);
    if (!setup) return null;
    const around = { env: behind?.env ?? env, ...(behind && { wall: behind.wall }) };
    await runSetup({ ...setup, ...around, cwd: made.cwd, logFile: join(logs, `${name}.log`), marker: `${markerPrefix}/setup-${name}` }, signal);
    return null;
  } catch (error) {
    if (error instanceof OperatorError || signal.aborted) return error instanceof Error ? error.message : String(error);
    throw error;
  }
}

/** Runs no git, and creates nothing, before it is first needed. Disposing removes what merges have needed, and a base that is of no more use. */
export function openTaskBranches(place: TaskPlace): TaskBranches & AsyncDisposable {
  const ground = openTaskGit(place);
  const landed = new Map<string, string>();
  const remote = place.remote === undefined ? null : openTaskRemote(ground, place.remote);
  const merging: MergePlace = {
    ground,
    remote,
    taskBase: openTaskBase(ground),
    room: openMergeRoom(ground),
    scratch: openMergeScratch(ground),
    operator: openOperatorCommits(ground),
    onLanded: ({ task, n, head }) => landed.set(`ralph/${task}.${n}`, head),
  };
  return {
    ...(remote && { shared: remote }),
    open: (request, signal) =>
      orTrouble(async () => {
        if (request.from !== null) await remote?.bring(request.from);
        return await openTask(ground, merging.taskBase, request, signal);
      }, signal),
    settle: (path, wish) => orTrouble(() => settleTask(ground, path, wish)),
    merge: (wish, signal) => orTrouble(() => mergeHead(merging, wish, signal), signal),
    async filesOf(cwd) {
      const named = await orTrouble(async () => ({ name: await nameFiles(ground, cwd) }));
      return 'name' in named ? named.name : null;
    },
    async merged(task, n) {
      const found = await orTrouble(() => commitsOf(ground, [mergedRef(task, n)]));
      // A number that is fenced has a ref without a commit. If this is unknown, the caller merges again, and `land` then reports that the result has already landed.
      const commit = 'kind' in found ? null : (found[0] ?? null);
      return commit !== null && (await ground.git(['cat-file', '-t', commit])).stdout.trim() === 'commit' ? commit : null;
    },
    async treeOf(commit) {
      const { code, stdout } = await ground.git(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`]);
      return code === 0 ? stdout.trim() : null;
    },
    async follow() {
      const why = await orTrouble(() => followBase(ground));
      return typeof why === 'object' ? (why?.why ?? null) : why;
    },
    bringBase: (path) => orTrouble(() => bringBaseTo(ground, path, merging)),
    close: (wish) => orTrouble(() => closeTask(ground, wish, landed.get(wish.branch) ?? null)),
    async [Symbol.asyncDispose]() {
      await orTrouble(async () => await merging.scratch[Symbol.asyncDispose]());
      await orTrouble(async () => await merging.room[Symbol.asyncDispose]());
      await orTrouble(async () => await dropBase(ground));
    },
  };
}
