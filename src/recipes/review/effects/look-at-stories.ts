import type { EffectHandler } from '../../../engine/contracts.ts';
import type { StoriesPorts } from '../../../engine/ports/ports.ts';
import { isSameJson } from '../../../engine/same-json.ts';
import type { LookAtStories } from '../../../journal/effects/story-effect.ts';
import type { StoriesSeen } from '../../../journal/events/stories.ts';
import { acceptPersonalEdits } from '../../../plans/review/accept-personal-edits.ts';
import { storiesText } from '../../../plans/review/stories-text.ts';
import { gitMust } from '../../../workspace/effects/scm-place.ts';

const MOST_PATHS = 20;

/** Reads the file and the branch while no agent is running. An edit that is not accepted is reverted at once, so that no agent is blamed for it. */
export const lookAtStories: EffectHandler<LookAtStories, StoriesPorts> = {
  async perform(effect, ports) {
    const { ground } = ports.stories;
    const { reviewCap: cap, skipReview } = ports.settings.stories;
    const form = await ground.readPlan();
    const { plan, problem, changes } = acceptPersonalEdits(effect.truth, form, { cap, skipReview });
    const text = form.kind === 'text' ? form.text : null;
    if (plan !== null && !isSameJson(text, plan)) {
      const written = await gitMust('write the list of stories', () => ground.recordPlan(storiesText(plan, text), 'ralph: the stories as the loop knows them'));
      if (written.problem !== null) return await seen(effect, ports, { plan: null, problem: written.problem, changes: [] });
    }
    return await seen(effect, ports, { plan, problem, changes: [...changes] });
  },

  /** Reading twice does no harm. */
  find: async () => null,
};

async function seen({ key }: LookAtStories, ports: StoriesPorts, came: Pick<StoriesSeen, 'plan' | 'problem' | 'changes'>): Promise<StoriesSeen> {
  const { head, branch, tree, dirty } = await gitMust('name the working copy', () => ports.stories.ground.look());
  return { type: 'stories.seen', key, ...came, head: head ?? '', branch, tree, dirty: dirty.slice(0, MOST_PATHS) };
}
