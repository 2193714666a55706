import { existsSync } from 'node:fs';
import { howToResume } from '../../journal/words/outcome.ts';
import type { Scope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import * as z from '../../kit/pure/shape.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { OwnWorktree } from '../../settings/schema/run-settings.ts';
import type { RunStart } from '../../store/run-home.ts';
import { gitAt } from '../git/plain-repository.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

/** A run's own worktree, and the folder in it where the run works. */
export interface OwnRecord extends OwnWorktree {
  readonly cwd: string;
}

const Placed = z.object({ worktree: OwnWorktree });
const InItsLoop = z.object({ settings: z.object({ loop: Placed }) });
const UntilItLands = z.object({ settings: z.object({ landing: Placed }) });

/** Reads it from the first line of a journal; null for a run that works where it was started. */
export function ownWorktreeOf(start: RunStart | null): OwnRecord | null {
  const { loop, landing } = { ...InItsLoop.safeParse(start?.line).data?.settings, ...UntilItLands.safeParse(start?.line).data?.settings };
  const own = (loop ?? landing)?.worktree;
  return own && start ? { ...own, cwd: start.cwd } : null;
}

/** From anywhere in the repository: the run continues in its own worktree, or not at all. */
export async function openAgain(own: OwnRecord, here: Workspace, { run, scope }: { readonly run: string; readonly scope: Scope }): Promise<Workspace> {
  const workspace = existsSync(own.cwd) ? await openOwnWorkspace(own, scope) : null;
  if (workspace !== null) return workspace;
  throw new OperatorError('worktree-gone', `the worktree of run ${run} is gone: ${own.path}`, { hint: await howToBringItBack(own, here, run), exitCode: 4 });
}

async function howToBringItBack({ path, branch }: OwnWorktree, here: Workspace, run: string): Promise<string> {
  const found = await gitAt(here.cwd, here.env)(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (found.code !== 0) return `Its branch ${branch} is gone as well, so there is nothing to go on with. Start a new run.`;
  const commands = ['git worktree prune', `git worktree add ${shellQuote(path)} ${shellQuote(branch)}`, howToResume(run)];
  return `What it has committed is on branch ${branch}. Bring it back and continue it with: ${commands.join(' && ')}`;
}

/** Null if the folder is no longer that worktree. A loop started from a git hook has variables that would lead agents and checks to the operator's files. */
export async function openOwnWorkspace({ path, cwd }: { readonly path: string; readonly cwd: string }, scope: Scope): Promise<Workspace | null> {
  const workspace = await openWorkspace(cwd, scope);
  return workspace.git?.topLevel === path ? { ...workspace, env: withoutGitVariables(workspace.env) } : null;
}
