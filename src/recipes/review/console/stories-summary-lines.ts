import type { RunState } from '../../../journal/state/state.ts';
import type { StopReason } from '../../../journal/words/outcome.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { storyName } from '../../../plans/review/turn.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import { type DisplaySettings, shorten } from '../../../report/console/look.ts';
import { plural, workedMs } from '../../../report/console/spent-text.ts';
import { type Ended, endFacts, fact, toneOf } from '../../../report/console/summary-lines.ts';
import { firstOf, spacedDuration } from '../../../report/console/work-lines.ts';
import { storiesDoneText, storyCounts } from '../../../report/views/stories-view.ts';
import { howToAnswer, questionText, ralphLine } from './stories-text.ts';

const TEXT_CHARS = 300;
const MOST_SHOWN = 10;

/** The end of the screen: the progress of the stories, the cost, the open questions, and how to continue. */
export function storiesSummaryLines(ended: Ended, look: DisplaySettings): readonly Line[] {
  const { state } = ended;
  return [
    blank,
    ...endingLines(ended, look),
    blank,
    prose(span(`${look.glyphs.progress}Ralph Loop Summary`, 'strong')),
    ...planFacts(state),
    fact('Iterations', span(`${state.opened}`)),
    ...endFacts(ended),
    ...questionFacts(state),
    ...goOnFacts(ended),
  ];
}

/** The same in a few lines, for --quiet. */
export function briefStoriesSummaryLines(ended: Ended, look: DisplaySettings): readonly Line[] {
  const { outcome, state } = ended;
  const { plan } = state.stories;
  const done = plan === null ? [] : [storiesDoneText(plan, skipsReview(state)), plural(storyCounts(plan, skipsReview(state)).reviews, 'review')];
  const figures = [...done, plural(state.opened, 'iteration'), spacedDuration(workedMs(state))];
  return [
    ...endingLines(ended, look),
    prose(span(`${outcome.stop_reason}: ${figures.join(', ')}`)),
    ...atCapFacts(state),
    ...weakFacts(state),
    ...goOnFacts(ended),
  ];
}

function endingLines({ outcome, state }: Ended, { glyphs }: DisplaySettings): readonly Line[] {
  const message = prose(span(shorten(outcome.message, TEXT_CHARS), toneOf(outcome)));
  if (outcome.stop_reason === 'max_iterations') {
    return [ralphLine(`Max iterations (${state.run?.settings.maximumIterations ?? 0}) reached without completion.`, 'bad')];
  }
  if (outcome.stop_reason !== 'completed') return [message];
  const untold = outcome.claim?.by === 'promise' ? [] : [ralphLine('All stories verified complete via tasks.json (no promise tag).', 'good')];
  const unproven = outcome.unproven ? [prose(span('UNPROVEN: they were not reviewed, and there is no check', 'busy'))] : [];
  return [...untold, prose(span(`${glyphs.tick}${shorten(outcome.message, TEXT_CHARS)}`, toneOf(outcome))), ...unproven];
}

const skipsReview = ({ run }: RunState) => run?.settings.stories?.skipReview ?? false;

function planFacts(state: RunState): readonly Line[] {
  const { plan } = state.stories;
  if (plan === null) return [];
  const { open, reviews } = storyCounts(plan, skipsReview(state));
  const done = span(storiesDoneText(plan, skipsReview(state), ''), open === 0 ? 'good' : 'plain');
  return [fact('Stories', done), ...atCapFacts(state), ...weakFacts(state), fact('Reviews', span(`${reviews}`))];
}

/** An approval at the cap is not a real approval, so it is listed separately. */
function atCapFacts({ stories: { atCap } }: RunState): readonly Line[] {
  if (atCap.length === 0) return [];
  return [fact('At cap', span(`${atCap.length}, with open concerns: ${firstOf(atCap.map(storyName), MOST_SHOWN).join(', ')}`, 'busy'))];
}

/** If a reviewer could run code, the author of that code could have faked its verdict. */
function weakFacts({ stories: { weak = [] } }: RunState): readonly Line[] {
  if (weak.length === 0) return [];
  const named = firstOf(weak.map(storyName), MOST_SHOWN).join(', ');
  return [fact('Weak', span(`${weak.length} approved by a reviewer that could run code: ${named}`, 'busy'))];
}

function questionFacts({ stories: { questions } }: RunState): readonly Line[] {
  const open = questions.filter(({ answer }) => answer === null);
  return firstOf(open.map(questionText), MOST_SHOWN).map((text, index) => fact(index === 0 ? 'Open' : '', span(text, 'busy')));
}

/** A resumed run has used up the same limits. */
const SPENT: ReadonlySet<StopReason> = new Set(['max_iterations', 'budget_exhausted', 'timeout']);

function goOnFacts({ outcome: { stop_reason }, state: { run } }: Ended): readonly Line[] {
  if (stop_reason === 'completed' || !run?.settings.stories) return [];
  // An answer resumes its run.
  if (stop_reason === 'waiting') return [fact('Continue', span(howToAnswer, 'strong'))];
  const command = SPENT.has(stop_reason) ? `ralph work --plan ${shellQuote(run.settings.stories.plan)}` : `ralph runs resume ${run.id}`;
  return [fact('Continue', span(command, 'strong'))];
}
