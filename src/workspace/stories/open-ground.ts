import { openGitCommand } from '../git/git-command.ts';
import type { Behind } from '../git/git-place.ts';
import type { Pins } from '../pins/pinned-config.ts';
import { openStoryGround } from './story-ground.ts';
import type { ProcessWatch } from '../../process/process-watch.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import type { StoriesSpec } from '../../settings/schema/stories-spec.ts';
import type { Workspace } from '../workspace.ts';

interface AtWork {
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  readonly signal: AbortSignal;
  /** What stands around the project's commit hooks, and what they find in their environment; absent: nothing, and all. */
  readonly behind?: Behind | null;
  /** What git obeys is put back by it before every command. */
  readonly pins?: Pins | null;
}

/** A commit hook may run a test or two; not all of them. */
const HOOK_TIMEOUT_MS = 2 * 60_000;

/** The branch that the stories of a run are worked on. */
export function openGround(
  { env }: Pick<Workspace, 'env'>,
  { home, plan }: StoriesSpec,
  { markerPrefix, guardian, signal, behind = null, pins = null }: AtWork,
): ReturnType<typeof openStoryGround> {
  const ours = withoutGitVariables(env);
  return openStoryGround({
    git: openGitCommand(home, ours, async () => await pins?.mendSettings()),
    env: ours,
    topLevel: home,
    plan,
    guardian,
    behind,
    marker: `${markerPrefix}/commit`,
    hookTimeoutMs: HOOK_TIMEOUT_MS,
    signal,
  });
}
