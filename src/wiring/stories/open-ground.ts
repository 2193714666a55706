import { openStoryGround } from '../../adapters/git/story-ground.ts';
import type { ProcessWatch } from '../../kit/process/process-watch.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import type { StoriesSpec } from '../../model/stories-spec.ts';
import type { Workspace } from '../workspace.ts';
import { gitAt } from '../worktree/git-at.ts';

interface AtWork {
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  readonly signal: AbortSignal;
}

/** A commit hook may run a test or two; not all of them. */
const HOOK_TIMEOUT_MS = 2 * 60_000;

/** The branch that the stories of a run are worked on. */
export function openGround(
  { env }: Pick<Workspace, 'env'>,
  { home, plan }: StoriesSpec,
  { markerPrefix, guardian, signal }: AtWork,
): ReturnType<typeof openStoryGround> {
  const ours = withoutGitVariables(env);
  return openStoryGround({
    git: gitAt(home, ours),
    env: ours,
    topLevel: home,
    plan,
    guardian,
    marker: `${markerPrefix}/commit`,
    hookTimeoutMs: HOOK_TIMEOUT_MS,
    signal,
  });
}
