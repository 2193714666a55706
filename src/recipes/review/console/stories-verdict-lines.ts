import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { StoriesRecorded } from '../../../journal/events/stories.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import type { Story } from '../../../journal/words/story.ts';
import { storyName, withoutAtCap } from '../../../plans/review/turn.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import { type Change, type DisplaySettings, openIn, shorten } from '../../../report/console/look.ts';
import { storiesDoneText } from '../../../report/views/stories-view.ts';
import { noProgressText } from '../../../report/views/story-progress.ts';
import type { StoriesSettings } from '../story-turn.ts';
import { ralphLine } from './stories-text.ts';

const TEXT_CHARS = 300;

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

/** The new state of the story, after it was recorded. */
export function recordedLines(body: StoriesRecorded, change: Change<StoriesSettings>, look: DisplaySettings): readonly Line[] {
  const { before, state } = change;
  const open = openIn(before, body.iteration);
  const spec = state.run.settings.stories;
  const problem =
    body.problem === null ? [] : [prose(span(`${look.glyphs.cross}tasks.json could not be written: ${shorten(body.problem, TEXT_CHARS)}`, 'bad'))];
  if (!open?.turn) return problem;
  if (!body.moved)
    return [...problem, prose(span(`${look.glyphs.step}${storyName(open.turn.story)} unchanged: ${shorten(whyNotMoved(open, before), TEXT_CHARS)}`, 'busy'))];
  const id = open.turn.moves[0]?.story ?? open.turn.story;
  const story = body.plan.userStories.find((each) => each.id === id);
  const done = span(`  ${storiesDoneText(body.plan, spec.skipReview)}`, 'dim');
  const verdict = story && verdictLine(story, { isAtCap: body.at_cap, isWeak: body.weak === true, cap: spec.reviewCap }, look);
  return [...problem, ...(verdict ? [{ ...verdict, spans: [...verdict.spans, done] }] : [])];
}

function whyNotMoved(open: OpenIteration, before: Change['before']): string {
  const { turn, judged, last } = open;
  if (turn && turn.moves.length > 0 && judged?.green === false) return 'the checks are red';
  if (last !== null && last.verdict !== 'ok') return 'the agent failed';
  return turn && turn.refused.length + turn.reverted.length > 0
    ? 'its changes do not count'
    : (noProgressText(open, before) ?? 'the agent reported no progress');
}

interface Given {
  readonly isAtCap: boolean;
  /** Its reviewer could have run code of the tree. */
  readonly isWeak: boolean;
  readonly cap: number;
}

function verdictLine(story: Story, { isAtCap, isWeak, cap }: Given, { glyphs }: DisplaySettings): Line {
  const id = storyName(story.id);
  const review = `(review ${story.reviewCount} of ${cap}${isWeak ? ', weak' : ''})`;
  const feedback = firstLineOf(withoutAtCap(story.reviewFeedback));
  if (isAtCap) return prose(span(`${glyphs.warning}${id} auto-approved at cap ${review}${feedback}`, 'busy'));
  if (story.reviewStatus === 'approved') return prose(span(`${glyphs.tick}${id} approved ${review}`, 'good'));
  if (story.reviewStatus === 'changes_requested') return prose(span(`${glyphs.cross}${id} changes requested ${review}${feedback}`, 'bad'));
  return prose(span(`${glyphs.tick}${id} ${story.passes ? 'passes' : 'is ready for review'}`, 'good'));
}

function firstLineOf(feedback: string): string {
  const first = shorten(feedback.trim(), TEXT_CHARS);
  return first === '' ? '' : `: ${first}`;
}

/** A promise is only a claim; the list decides (seed 003). */
export function turnClosedLines({ iteration, result, claim, accepted }: Closed): readonly Line[] {
  if (result === 'abandoned') return [prose(span(`Iteration ${iteration} was left unfinished.`, 'busy'))];
  const isRefused = claim?.by === 'promise' && !accepted;
  return isRefused ? [ralphLine('WARNING: Promise tag found but tasks.json verification failed.', 'busy')] : [];
}
