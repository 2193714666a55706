import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TaskBranches } from '../../engine/ports/task-branches.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import type { Captured } from '../../process/capture.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { withGit } from '../check-base.ts';
import { firstComplaint, openGitCommand } from '../git/git-command.ts';
import type { Behind } from '../git/git-place.ts';
import { type MergePlace, mergeHead } from '../merge/git-merge.ts';
import { openOperatorCommits } from '../merge/git-merge-operator.ts';
import { openMergeScratch } from '../merge/git-merge-scratch.ts';
import { openMergeRoom } from '../merge/merge-room.ts';
import type { Workspace } from '../workspace.ts';
import { bringAlong } from '../worktrees/bring-along.ts';
import { keepOutOfCommits } from '../worktrees/keep-out-of-commits.ts';
import { makeRoot } from '../worktrees/make-worktree.ts';
import { gitAt } from '../worktrees/open.ts';
import { runSetup } from '../worktrees/run-setup.ts';
import { closeTask } from './close.ts';
import { openTaskBase } from './git-task-base.ts';
import { bringBaseTo } from './git-task-bring.ts';
import { openTask } from './git-task-open.ts';
import { openTaskGit, type TaskGit, type TaskPlace } from './git-task-place.ts';
import { baseRef, commitsOf, headRef, mergedRef, refsAmong } from './git-task-refs.ts';
import { settleTask } from './git-task-settle.ts';
import { orTrouble } from './locks.ts';

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
  return openTaskBranches({
    git: openGitCommand(git.topLevel, env),
    env,
    topLevel: git.topLevel,
    cwd: workspace.cwd,
    worktreesRoot: await makeRoot(git, spec.worktree.root),
    base: spec.base,
    mergeFolder: join(runFolder, 'merge'),
    run: at.runId,
    furnish: (made, signal) => furnish(made, spec.worktree, place, signal),
  });
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

/** Runs no git, and creates nothing, before it is first needed. Disposing removes what merges have needed. */
export function openTaskBranches(place: TaskPlace): TaskBranches & AsyncDisposable {
  const ground = openTaskGit(place);
  const landed = new Map<string, string>();
  const merging: MergePlace = {
    ground,
    taskBase: openTaskBase(ground),
    room: openMergeRoom(ground),
    scratch: openMergeScratch(ground),
    operator: openOperatorCommits(ground),
    onLanded: ({ task, n, head }) => landed.set(`ralph/${task}.${n}`, head),
  };
  return {
    open: (request, signal) => orTrouble(() => openTask(ground, merging.taskBase, request, signal), signal),
    settle: (path, wish) => orTrouble(() => settleTask(ground, path, wish)),
    merge: (wish, signal) => orTrouble(() => mergeHead(merging, wish, signal), signal),
    async merged(task, n) {
      const found = await orTrouble(() => commitsOf(ground, [mergedRef(task, n)]));
      // If this is unknown, the caller merges again, and `land` then reports that the result has already landed.
      return 'kind' in found ? null : (found[0] ?? null);
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
    },
  };
}

/** Null if the operator's branch is at the base, else one line that says why not. */
async function followBase(ground: TaskGit): Promise<string | null> {
  const [baseName, name] = [baseRef(ground.base), headRef(ground.base)];
  const [base = null, operator = null] = await commitsOf(ground, [baseName, name]);
  if (base === null || base === operator) return null;
  if (operator === null) return `the branch ${ground.base} is gone: the results are in ${baseName}`;
  const path = await whereCheckedOut(ground, name);
  if (path !== '') return await mergeThere(ground, path, base);
  const user = await whoRebases(ground, name);
  if (user !== null) return `${ground.base} is being rebased or bisected in ${user}: the results are in ${baseName}`;
  if ((await ground.git(['merge-base', '--is-ancestor', operator, base])).code !== 0) return apart(ground);
  const moved = await ground.git(['update-ref', '-m', 'ralph: fast-forward', name, base, operator]);
  return moved.code === 0 ? null : `${ground.base} cannot follow: ${oneLine(firstComplaint(moved))}`;
}

/** Usually the operator's work tree, and then the file HEAD says so. Empty if nowhere. */
async function whereCheckedOut(ground: TaskGit, name: string): Promise<string> {
  const head = await readFile(join(await ground.gitDir(), 'HEAD'), 'utf8').catch(() => '');
  if (head === `ref: ${name}\n`) return ground.topLevel;
  return (await refsAmong(ground, [name])).get(name)?.checkedOutIn ?? '';
}

const apart = ({ base }: TaskGit) => `${base} has commits that do not go together with the results: merge ${baseRef(base)} into it by hand`;

/** Git itself refuses to touch uncommitted changes; ignored files are the operator's too. */
async function mergeThere(ground: TaskGit, path: string, base: string): Promise<string | null> {
  const words = ['merge', '--ff-only', '--quiet', '--no-stat', '--no-autostash', '--no-overwrite-ignore', '--no-verify-signatures', base];
  const merged = await ground.git(['-C', path, ...words], {});
  if (merged.code === 0) return null;
  if (/not possible to fast-forward/i.test(merged.stderr)) return apart(ground);
  return `${ground.base} cannot follow in ${path}: ${reasonOf(merged)}`;
}

/** Git lists the files one by one, each after a tab. */
function reasonOf(merged: Captured): string {
  const files = merged.stderr.split('\n').filter((line) => line.startsWith('\t'));
  if (files.length === 0) return oneLine(firstComplaint(merged).replace(/^\w+: /, ''));
  const named = files.slice(0, 3).map((file) => oneLine(file));
  return `what is not committed there would be lost: ${named.join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
}

const USING = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START'];

/** Meanwhile HEAD is on no branch, but the operation returns to the branch at its end. */
async function whoRebases({ commonDir, base }: TaskGit, name: string): Promise<string | null> {
  const common = await commonDir();
  const others = (await readdir(join(common, 'worktrees')).catch(() => [])).map((id) => join(common, 'worktrees', id));
  for (const admin of [common, ...others]) {
    for (const file of USING) {
      const using = (await readFile(join(admin, file), 'utf8').catch(() => '')).trim();
      if (using === name || using === base) return admin;
    }
  }
  return null;
}
