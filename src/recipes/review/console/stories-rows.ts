import type { StoryPlan } from '../../../journal/words/story.ts';
import { budgetEstimate } from '../../../plans/review/next-turn.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type DisplaySettings, row, shorten } from '../../../report/console/look.ts';
import { plainBanner, type RecipeBanner } from '../../../report/console/recipe-screen.ts';
import { storiesDoneText } from '../../../report/views/stories-view.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import type { StoriesSettings, StoriesState } from '../story-turn.ts';

const TEXT_CHARS = 300;

/** What a run on stories adds to the banner. */
export const storiesBanner: RecipeBanner = {
  ...plainBanner,
  about: ({ stories }: StoriesSettings) => `${shorten(stories.plan, TEXT_CHARS)} on branch ${shorten(stories.branch, TEXT_CHARS)}`,
  rows: storiesRows,
  noChecks,
  doneWhen,
  after: (_begins, { stories: { plan }, run }: StoriesState, look) => (plan && run ? storyPlanRows(plan, run.settings, look) : []),
};

function noChecks({ stories }: StoriesSettings) {
  const proof = stories.skipReview ? 'UNPROVEN: nothing checks a story' : 'only its review proves a story';
  return [span('none', 'bad'), span(`. ${proof}; add verifyCommands to tasks.json, or --check "npm test"`, 'busy')];
}

function doneWhen({ stories, gates }: StoriesSettings) {
  const proof = gates.length === 0 ? ', and all is committed' : ', every check is green on it, and all is committed';
  return [span('every story '), span(stories.skipReview ? 'passes' : 'passes and is approved', 'strong'), span(proof)];
}

/** The settings that only a run on stories has. */
function storiesRows({ stories, agent, wall }: StoriesSettings): readonly Line[] {
  return [
    row(
      'mode',
      span(wall.mode === 'guard' ? 'direct' : 'sandbox'),
      span(`, in ${wall.workspace === 'copy' ? 'a copy of ' : ''}this work tree and ${wall.mode === 'guard' ? 'without' : 'inside'} a sandbox`, 'dim'),
    ),
    row('skip review', ...(stories.skipReview ? [span('yes', 'busy'), span(', a story is finished as soon as its checks are green', 'dim')] : [span('no')])),
    ...(stories.skipReview ? [] : reviewRows(stories)),
    hooksRow(stories, [agent.kind, stories.reviewAgent?.kind ?? agent.kind].includes('claude')),
  ];
}

/** Only claude has hooks. */
function hooksRow({ hooks }: StoriesSpec, hasThem: boolean): Line {
  if (hooks && hasThem) return row('hooks', span('on'));
  return row('hooks', span('off'), span(`, ${hooks ? 'this agent has none: ' : ''}a wrong edit is reported one iteration later`, 'dim'));
}

function reviewRows({ reviewCap, reviewers, reviewAgent, failOnCap }: StoriesSpec): readonly Line[] {
  const model = reviewAgent?.model == null ? '' : ` (model ${shorten(reviewAgent.model, TEXT_CHARS)})`;
  return [
    row('review cap', span(`${reviewCap}`), span(failOnCap ? ', and a story approved at the cap counts as a failure' : '', 'dim')),
    row('reviewers', span(`${reviewers}`), span(reviewers === 1 ? '' : ', all must approve', 'dim')),
    ...(reviewAgent === null ? [] : [row('reviewed by', span(shorten([reviewAgent.command, ...reviewAgent.flags].join(' '), TEXT_CHARS)), span(model, 'dim'))]),
  ];
}

/** The progress of the list, and whether the iterations can suffice. */
export function storyPlanRows(plan: StoryPlan, { stories, maximumIterations }: StoriesSettings, { glyphs }: DisplaySettings): readonly Line[] {
  const { skipReview, reviewCap: cap } = stories;
  const { open, total, text } = budgetEstimate(plan, { cap, skipReview });
  const isShort = maximumIterations > 0 && total > maximumIterations;
  return [
    row('stories', span(`${storiesDoneText(plan, skipReview, '')}${open === 0 ? '' : `; ${text}`}`)),
    ...(isShort ? [prose(span(`${glyphs.warning}That is more than this run allows: use -n ${total}.`, 'busy'))] : []),
  ];
}
