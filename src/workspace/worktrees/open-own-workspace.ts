import type { Scope } from '../../kit/async/scope.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

/** Null when the worktree is none any more. A loop started from a git hook has variables that would lead agents and checks to the operator's files. */
export async function openOwnWorkspace({ path, cwd }: { readonly path: string; readonly cwd: string }, scope: Scope): Promise<Workspace | null> {
  const workspace = await openWorkspace(cwd, scope);
  return workspace.git?.topLevel === path ? { ...workspace, env: withoutGitVariables(workspace.env) } : null;
}
