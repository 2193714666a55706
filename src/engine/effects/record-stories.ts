import { storiesText } from '../../core/review/stories-text.ts';
import type { StoriesRecorded } from '../../model/events/stories.ts';
import type { RecordStories } from '../../model/story-effect.ts';
import type { EffectHandler } from '../effect-handler.ts';
import { gitMust } from '../git-must.ts';
import { saysTheSame } from '../same-json.ts';
import { storiesOf } from '../stories-of.ts';

/** What the loop knows, written where people and agents read it. A file that says so already keeps its bytes. */
export const recordStories: EffectHandler<RecordStories> = {
  async perform({ key, iteration, plan, moved, at_cap, message }, ports): Promise<StoriesRecorded> {
    const { ground } = storiesOf(ports);
    const form = await ground.readPlan();
    const now = form.kind === 'text' ? form.text : null;
    const text = now !== null && saysTheSame(now, plan) ? now : storiesText(plan, now);
    const { head, commit, problem } = await gitMust('commit the list of stories', () => ground.recordPlan(text, message));
    return { type: 'stories.recorded', key, iteration, plan, moved, at_cap, head, commit, problem };
  },

  /** Written twice it is written once. */
  find: async () => null,
};
