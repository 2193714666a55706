import type { StoryPlan } from '../../../journal/words/story.ts';
import { formatDuration } from '../../../kit/pure/duration.ts';
import { budgetEstimate } from '../../../plans/review/next-turn.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type DisplaySettings, row, shorten } from '../../../report/console/look.ts';
import type { RecipeBanner } from '../../../report/console/recipe-screen.ts';
import { costText, plural } from '../../../report/console/spent-text.ts';
import { storiesDoneText } from '../../../report/views/stories-view.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';

const TEXT_CHARS = 300;

/** What a run on stories adds to the banner. */
export const storiesBanner: RecipeBanner = { title: storiesTitle, rows: storiesRows };

/** `Ralph Loop Starting` (seed 003): which stories, and the limit of iterations. */
function storiesTitle({ stories, maximumIterations }: RunSettings, what: 'Starting' | 'Resuming'): readonly Line[] {
  if (stories === null) return [];
  const maximum = maximumIterations === 0 ? 'any number of iterations' : `max ${plural(maximumIterations, 'iteration')}`;
  return [prose(span(`Ralph Loop ${what}`, 'strong'), span(`: ${shorten(stories.plan, TEXT_CHARS)}, ${maximum}`))];
}

/** The settings that only a run on stories has. */
function storiesRows({ stories, agent, wall }: RunSettings): readonly Line[] {
  if (stories === null) return [];
  return [
    row('branch', span(shorten(stories.branch, TEXT_CHARS), 'strong')),
    row(
      'mode',
      span(wall.mode === 'guard' ? 'direct' : 'sandbox'),
      span(`, in ${wall.workspace === 'copy' ? 'a copy of ' : ''}this work tree and ${wall.mode === 'guard' ? 'without' : 'inside'} a sandbox`, 'dim'),
    ),
    row('skip review', ...(stories.skipReview ? [span('yes', 'busy'), span(', a story is finished as soon as its checks are green', 'dim')] : [span('no')])),
    ...(stories.skipReview ? [] : reviewRows(stories)),
    hooksRow(stories, [agent.kind, stories.reviewAgent?.kind ?? agent.kind].includes('claude')),
    ...budgetRows(stories),
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

function budgetRows({ budget: { costUsd, timeMs } }: StoriesSpec): readonly Line[] {
  const parts = [...(costUsd === null ? [] : [costText(costUsd)]), ...(timeMs === 0 ? [] : [`${formatDuration(timeMs)} in all`])];
  return parts.length === 0 ? [] : [row('budget', span(parts.join(', ')))];
}

/** The progress of the list, and whether the iterations can suffice. */
export function storyPlanRows(plan: StoryPlan, { stories, maximumIterations }: RunSettings, { glyphs }: DisplaySettings): readonly Line[] {
  if (stories === null) return [];
  const { skipReview, reviewCap: cap } = stories;
  const { open, total, text } = budgetEstimate(plan, { cap, skipReview });
  const isShort = maximumIterations > 0 && total > maximumIterations;
  return [
    row('project', span(shorten(plan.project, TEXT_CHARS))),
    row('stories', span(storiesDoneText(plan, skipReview, ''))),
    ...(open === 0 ? [] : [row('estimate', span(text))]),
    ...(isShort ? [prose(span(`${glyphs.warning}That is more than this run allows: use -n ${total}.`, 'busy'))] : []),
  ];
}
