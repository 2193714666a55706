import { join } from 'node:path';
import type { Scope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { slug } from '../../kit/pure/text.ts';
import type { OwnWorktree } from '../../settings/schema/run-settings.ts';
import type { Behind } from '../git/git-place.ts';
import type { Workspace } from '../workspace.ts';
import type { WantedWorktree } from './bring-along.ts';
import { makeWorktree } from './make-worktree.ts';
import { openOwnWorkspace } from './open.ts';

export interface OwnWorktreeRequest {
  readonly wanted: WantedWorktree;
  readonly run: string;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
  /** The sandbox around the setup, and its environment. */
  readonly behind: Behind | null;
  /** What else must hold before the run may use the place. */
  readonly check: (workspace: Workspace) => Promise<void>;
}

export interface OwnPlace {
  readonly workspace: Workspace;
  readonly worktree: OwnWorktree;
}

const TITLE_CHARS = 40;

/** The prefix of Ralph's branches, by which a worktree without a run is recognised. */
export const BRANCH_PREFIX = 'ralph/';

/** Makes a new worktree and locks it for the run. The run is locked first, so that nobody takes the worktree for an abandoned one. */
export async function openOwnPlace(origin: Workspace, { wanted, run, scope, signal, warn, behind, check }: OwnWorktreeRequest): Promise<OwnPlace> {
  if (origin.git) await origin.holdRun(run);
  const branch = `${BRANCH_PREFIX}${run}`;
  const setupLog = join(origin.home.runsFolder, run, 'setup.log');
  const request = { wanted, name: nameOf(wanted.title, run), branch, setupLog, setupMarker: `${run}~0`, signal, warn, behind };
  return await makeWorktree(origin, request, async ({ cwd, path }) => {
    const workspace = await openOwnWorkspace({ path, cwd }, scope);
    if (workspace === null) throw destroyed(path);
    await check(workspace);
    await workspace.holdPlace(run);
    return { workspace, worktree: { path, branch, repository: origin.git?.topLevel ?? '' } };
  });
}

/** `fix-the-login-4f2a91`: tells people what it is about, and is different for every run. */
function nameOf(title: string, run: string): string {
  const [firstLine = ''] = title.split('\n', 1);
  const words = slug(firstLine, 'run').toLowerCase().slice(0, TITLE_CHARS).replaceAll('_', '-').replace(/-$/, '');
  return `${words}-${run.slice(run.lastIndexOf('-') + 1)}`;
}

function destroyed(path: string): OperatorError {
  return new OperatorError('worktree-failed', `the worktree ${path} is none any more after its setup`, { hint: 'See what worktree.setup does.', exitCode: 4 });
}
