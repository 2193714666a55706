import { openQuestions } from '../../../journal/state/questions.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { StopReason } from '../../../journal/words/outcome.ts';
import { plural } from '../../../kit/pure/amounts.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { storyName } from '../../../plans/review/turn.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type DisplaySettings, row, shorten } from '../../../report/console/look.ts';
import { questionText } from '../../../report/console/question-text.ts';
import type { Ended } from '../../../report/console/summary/ended.ts';
import { toneOf } from '../../../report/console/summary/summary-lines.ts';
import { firstOf } from '../../../report/console/work-lines.ts';
import { storiesDoneText, storyCounts } from '../../../report/views/stories-view.ts';
import { skipsReview } from '../../../settings/schema/recipe-facts.ts';
import type { StoriesSettings } from '../story-turn.ts';
import { howToAnswer, ralphLine } from './stories-text.ts';

const TEXT_CHARS = 300;
const MOST_SHOWN = 10;

/** The progress of the stories, and the open questions. */
export function storiesSummaryRows({ state }: Ended): readonly Line[] {
  const { plan } = state.stories;
  return [...(plan === null ? [] : [row('stories', span(storiesFigures(state, '').join(', ')))]), ...questionRows(state)];
}

/** `2 of 2 stories approved`, `3 reviews`. */
export function storiesFigures(state: RunState, noun?: ''): readonly string[] {
  const { plan } = state.stories;
  if (plan === null) return [];
  const { reviews } = storyCounts(plan, skipsReview(state.run?.settings));
  return [storiesDoneText(plan, skipsReview(state.run?.settings), noun), ...(reviews === 0 ? [] : [plural(reviews, 'review')])];
}

/** Why the run ended, in the words of seed 003 where it has some. */
export function storiesHeadline({ outcome, state }: Ended, { glyphs }: DisplaySettings): readonly Line[] {
  const message = prose(span(shorten(outcome.message, TEXT_CHARS), toneOf(outcome)));
  if (outcome.stop_reason === 'max_iterations') {
    return [ralphLine(`Max iterations (${state.run?.settings.maximumIterations ?? 0}) reached without completion.`, 'bad')];
  }
  if (outcome.stop_reason !== 'completed') return [message];
  const untold = outcome.claim?.by === 'promise' ? [] : [ralphLine('All stories verified complete via tasks.json (no promise tag).', 'good')];
  const unproven = outcome.unproven ? [prose(span('UNPROVEN: they were not reviewed, and there is no check', 'busy'))] : [];
  return [...untold, prose(span(`${glyphs.tick}${shorten(outcome.message, TEXT_CHARS)}`, toneOf(outcome))), ...unproven];
}

/** An approval at the cap is not a real approval, so it is listed separately. */
function atCapRows({ stories: { atCap } }: RunState): readonly Line[] {
  if (atCap.length === 0) return [];
  return [row('at cap', span(`${atCap.length}, with open concerns: ${firstOf(atCap.map(storyName), MOST_SHOWN).join(', ')}`, 'busy'))];
}

/** If a reviewer could run code, the author of that code could have faked its verdict. */
function weakRows({ stories: { weak = [] } }: RunState): readonly Line[] {
  if (weak.length === 0) return [];
  const named = firstOf(weak.map(storyName), MOST_SHOWN).join(', ');
  return [row('weak', span(`${weak.length} approved by a reviewer that could run code: ${named}`, 'busy'))];
}

function questionRows(state: RunState): readonly Line[] {
  const open = openQuestions(state).map(questionText);
  return firstOf(open, MOST_SHOWN).map((text, index) => row(index === 0 ? 'open' : '', span(text, 'busy')));
}

/** A resumed run has used up the same limits. */
const SPENT: ReadonlySet<StopReason> = new Set(['max_iterations', 'budget_exhausted', 'timeout']);

/** What to know of the approvals, and how to go on. */
export function storiesGoOnRows(ended: Ended<StoriesSettings>): readonly Line[] {
  return [...atCapRows(ended.state), ...weakRows(ended.state), ...continueRows(ended)];
}

function continueRows({ outcome: { stop_reason }, state: { run } }: Ended<StoriesSettings>): readonly Line[] {
  if (stop_reason === 'completed' || run === null) return [];
  // An answer resumes its run.
  if (stop_reason === 'waiting') return [row('continue', span(howToAnswer, 'strong'))];
  const command = SPENT.has(stop_reason) ? `ralph work --plan ${shellQuote(run.settings.stories.plan)}` : `ralph runs resume ${run.id}`;
  return [row('continue', span(command, 'strong'))];
}
