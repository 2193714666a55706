import { surroundings } from '../../process/surroundings.ts';
import { cleanWorktrees, listWorktrees, newWorktree, removeWorktree } from '../../runs/worktrees/manage-worktrees.ts';
import { currentDirectory } from '../../cli/shared/current-directory.ts';
import { worktreeJson, worktreeLines } from './worktree-lines.ts';
import { tellWarning } from '../../cli/shared/around-run.ts';

interface Told {
  readonly json?: boolean;
}

export async function newWorktreeCommand(name: string, { json }: Told): Promise<number> {
  const { path, branch, head, cwd } = await newWorktree(currentDirectory(), name, tellWarning);
  return tell(json, { path, branch, head, cwd }, [`${path} on branch ${branch}`]);
}

export async function listWorktreesCommand({ json }: Told): Promise<number> {
  const worktrees = await listWorktrees(currentDirectory());
  return tell(json, { worktrees: worktrees.map(worktreeJson) }, worktreeLines(worktrees));
}

interface RemoveFlags extends Told {
  readonly force?: boolean;
  readonly branch?: boolean;
}

export async function removeWorktreeCommand(which: string, { json, force = false, branch = false }: RemoveFlags): Promise<number> {
  const removed = await removeWorktree(currentDirectory(), { which, force, branch });
  const kept = removed.branch === null || removed.isBranchDeleted ? '' : `; branch ${removed.branch} is kept`;
  return tell(json, { removed: worktreeJson(removed), branch_deleted: removed.isBranchDeleted }, [`Removed ${removed.path}${kept}`]);
}

interface CleanFlags extends Told {
  readonly dryRun?: boolean;
}

export async function cleanWorktreesCommand({ json, dryRun = false }: CleanFlags): Promise<number> {
  const { removed, kept } = await cleanWorktrees(currentDirectory(), { dryRun });
  const lines = [
    ...removed.map(({ path }) => `${dryRun ? 'Would remove' : 'Removed'} ${path}`),
    ...kept.map(({ worktree, why }) => `Kept ${worktree.path}: ${why}`),
  ];
  const object = { dry_run: dryRun, removed: removed.map(worktreeJson), kept: kept.map(({ worktree, why }) => ({ ...worktreeJson(worktree), why })) };
  return tell(json, object, lines.length > 0 ? lines : ['There is nothing to clean.']);
}

function tell(json: boolean | undefined, object: object, lines: readonly string[]): number {
  surroundings().stdout.write(json ? `${JSON.stringify(object)}\n` : `${lines.join('\n')}\n`);
  return 0;
}
