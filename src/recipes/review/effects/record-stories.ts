import type { EffectHandler } from '../../../engine/contracts.ts';
import type { StoriesPorts } from '../../../engine/ports/ports.ts';
import { isSameJson } from '../../../engine/same-json.ts';
import type { RecordStories } from '../../../journal/effects/story-effect.ts';
import type { StoriesRecorded } from '../../../journal/events/stories.ts';
import { storiesText } from '../../../plans/review/stories-text.ts';
import { gitMust } from '../../../workspace/effects/scm-place.ts';

/** Writes the loop's state to the file that people and agents read. A file that has this content already is not rewritten. */
export const recordStories: EffectHandler<RecordStories, StoriesPorts> = {
  async perform({ key, iteration, plan, moved, at_cap, weak, progress, message }, ports): Promise<StoriesRecorded> {
    const { ground } = ports.stories;
    const form = await ground.readPlan();
    const now = form.kind === 'text' ? form.text : null;
    const text = now !== null && isSameJson(now, plan) ? now : storiesText(plan, now);
    const { head, tree, commit, problem } = await gitMust('commit the list of stories', () => ground.recordPlan(text, message, progress));
    const told = { ...(weak !== undefined && { weak }), head, ...(tree !== null && { tree }), commit, problem };
    return { type: 'stories.recorded', key, iteration, plan, moved, at_cap, ...told };
  },

  /** Writing twice gives the same file. */
  find: async () => null,
};
