import type { GroundSight, StoryGround } from '../../engine/ports/story-ground.ts';
import { seeCopy } from './git-story-copy.ts';
import { openStoryRepo, type StoryPlace, type StoryRepo } from './git-story-place.ts';
import { readPlanFile } from './git-story-plan-file.ts';
import { recordPlanFile } from './git-story-record-plan.ts';
import { settleGround } from './git-story-settle.ts';
import { seeWorktree } from '../tasks/git-task-sight.ts';
import { differingPaths } from '../git/git-tree.ts';

/** Nothing is asked of git before it is first needed. Disposing removes what it keeps in the temporary folder. */
export function openStoryGround(place: StoryPlace): StoryGround & AsyncDisposable {
  let opened: Promise<StoryRepo> | null = null;
  const repo = () => {
    opened ??= openStoryRepo(place).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    look: async () => await lookAtGround(await repo()),
    readPlan: async () => await readPlanFile(await repo()),
    settle: async (wish) => await settleGround(await repo(), wish),
    recordPlan: async (text, message) => await recordPlanFile(await repo(), text, message),
    [Symbol.asyncDispose]: async () => await (await opened?.catch(() => null))?.scratch[Symbol.asyncDispose](),
  };
}

async function lookAtGround(repo: StoryRepo): Promise<GroundSight> {
  const { git, gitDir, topLevel } = repo;
  const { head, branch, submodules } = await seeWorktree({ git, admin: gitDir, path: topLevel });
  const { now, committed } = await seeCopy(repo, null, submodules);
  return { head, branch, tree: now, dirty: await differingPaths(git, { from: head, to: committed, own: {} }) };
}
