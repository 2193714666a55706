import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { openScope, type Scope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { startIn } from '../../store/run-home.ts';
import { copyFolderOf } from '../../workspace/copy/copy-folder.ts';
import { liveChanges } from '../../workspace/isolated/live-changes.ts';
import { endRef } from '../../workspace/run-ends.ts';
import { patchOfRun, type TakeBackPlace, type TakenBack, takeBack } from '../../workspace/take-back.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { ownWorktreeOf } from '../../workspace/worktrees/open.ts';
import { findRun, type RunWithStatus, unreadable } from '../manage/find-run.ts';

interface DiffFlags {
  readonly stat?: boolean;
  readonly live?: boolean;
  readonly json?: boolean;
}

interface UndoFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const HERE = { root: null, project: null, task: null };
const NAMED = 20;

export async function diffCommand(wanted: string | null, { stat = false, live = false, json = false }: DiffFlags): Promise<number> {
  await using scope = openScope();
  const { run, place, folder } = await atHand(wanted, scope);
  const words = stat ? ['--stat=120'] : ['--patch'];
  const patch = live ? await liveChanges(livePlace(run, place, folder), stat) : (await patchOfRun(place, run, words)).toString();
  const files = live ? [] : (await patchOfRun(place, run, ['--name-only', '-z'])).toString().split('\0').filter(Boolean);
  if (json) io().stdout.write(`${JSON.stringify({ run_id: run, live, ...(live ? {} : { files }), [stat ? 'stat' : 'patch']: patch })}\n`);
  else io().stdout.write(patch);
  return 0;
}

function livePlace(run: string, place: TakeBackPlace, runFolder: string) {
  const [folder, copy] = [join(runFolder, 'isolated'), copyFolderOf(place, run)];
  return { ...place, folder, tree: existsSync(copy) ? copy : join(folder, 'tree') };
}

/** It changes files, so it never guesses which run is meant. */
export async function undoCommand(wanted: string | null, { dryRun = false, json = false }: UndoFlags): Promise<number> {
  await using scope = openScope();
  const { run, place, workspace } = await atHand(wanted, scope);
  if (wanted === null) {
    const hint = `The newest is ${run}: ralph undo ${run} (with --dry-run it only says what it would revert).`;
    throw new OperatorError('no-run-named', 'ralph undo needs the run that it reverts', { hint, exitCode: 2 });
  }
  if (dryRun) await workspace.refuseBusy();
  else await workspace.holdPlace(`undo of ${run}`);
  const taken = await takeBack(place, run, dryRun);
  if (json) io().stdout.write(`${JSON.stringify({ run_id: run, dry_run: dryRun, ...taken, kept_at: dryRun ? null : endRef(run, 'undone') })}\n`);
  else io().stdout.write(`${undoLines(run, taken, dryRun).map(printable).join('\n')}\n`);
  return 0;
}

interface RunAndPlace {
  readonly run: string;
  readonly folder: string;
  readonly workspace: Workspace;
  readonly place: TakeBackPlace;
}

/** Uses the work tree of the run, not the current directory. What has landed from a worktree that is gone is in the operator's own. */
async function atHand(wanted: string | null, scope: Scope): Promise<RunAndPlace> {
  const { sight }: RunWithStatus = await findRun(currentDirectory(), wanted, HERE);
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const own = isFolder(sight.cwd) ? null : ownWorktreeOf(await startIn(sight.folder));
  const cwd = own?.repository ?? sight.cwd;
  if (!isFolder(cwd))
    throw new OperatorError('run-gone', `the folder of run ${sight.run} is gone: ${sight.cwd}`, { hint: 'Look at its branch with git.', exitCode: 4 });
  const workspace = await openWorkspace(cwd, scope);
  const { git, env } = workspace;
  if (git === null)
    throw new OperatorError('no-git', `${cwd} is not in a git repository`, {
      hint: 'Without git, Ralph does not know what was there before.',
      exitCode: 4,
    });
  return { run: sight.run, folder: sight.folder, workspace, place: { topLevel: git.topLevel, commonDir: git.commonDir, env, git, runFolder: sight.folder } };
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function undoLines(run: string, { back, stay, branch }: TakenBack, dryRun: boolean): readonly string[] {
  if (back.length === 0 && branch === null) return [`Run ${run} left nothing to undo.`, ...stayLines(stay)];
  return [
    `${dryRun ? 'Would undo' : 'Undid'} run ${run}: ${back.length} ${back.length === 1 ? 'file' : 'files'}.`,
    ...listed(back),
    ...(branch === null ? [] : [`The branch ${dryRun ? 'would move' : 'moved'} from ${branch.from.slice(0, 12)} back to ${branch.to.slice(0, 12)}.`]),
    ...stayLines(stay),
    ...(dryRun ? [] : [`The state before this undo is kept at ${endRef(run, 'undone')}.`]),
  ];
}

function stayLines(stay: readonly string[]): readonly string[] {
  return stay.length === 0 ? [] : ['These files were changed since and stay as they are:', ...listed(stay)];
}

function listed(paths: readonly string[]): readonly string[] {
  return [...paths.slice(0, NAMED).map((path) => `  ${path}`), ...(paths.length > NAMED ? [`  and ${paths.length - NAMED} more`] : [])];
}
