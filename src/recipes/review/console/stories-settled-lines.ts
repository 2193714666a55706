import { assertNever } from '../../../kit/pure/assert-never.ts';
import type { StoriesSettled } from '../../../journal/events/stories.ts';
import type { StoryMove } from '../../../journal/words/story.ts';
import { storyName } from '../../../plans/review/story-name.ts';
import { shorten } from '../../../report/console/excerpt.ts';
import { type Line, prose, span } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { firstOf } from '../../../report/console/work-lines.ts';

const TEXT_CHARS = 400;
const MOST_EDITS = 20;
const MOST_PATHS = 5;

/** What an agent has made of the list and of what it may not touch: what counts, what does not, and where that is kept. */
export function turnSettledLines(body: StoriesSettled, look: Look): readonly Line[] {
  const { glyphs } = look;
  const edits = (texts: readonly string[]) => firstOf(texts, MOST_EDITS).map((text) => shorten(text, TEXT_CHARS));
  return [
    ...(body.problem === null ? [] : [prose(span(`${glyphs.cross}Git could not settle it: ${shorten(body.problem, TEXT_CHARS)}`, 'bad'))]),
    ...edits(body.accepted).map((text) => prose(span(`${glyphs.step}${text}`, 'dim'))),
    ...edits(body.refused).map((text) => prose(span(`${glyphs.warning}Refused: ${text}`, 'bad'))),
    ...undoneLines(body, look),
    ...(body.commit === null ? [] : [prose(span(`${glyphs.step}Committed by the loop, as ${body.commit.slice(0, 7)}: what was left or put back`, 'dim'))]),
    ...(body.move === null ? [] : [prose(span(`${glyphs.step}${moveText(body.move)}`, 'dim'))]),
  ];
}

function undoneLines({ undone, kept }: StoriesSettled, { glyphs }: Look): readonly Line[] {
  const paths = firstOf(
    undone.map((path) => shorten(path, TEXT_CHARS)),
    MOST_PATHS,
  );
  return [
    ...(undone.length === 0 ? [] : [prose(span(`${glyphs.warning}Put back: ${paths.join(', ')}`, 'bad'))]),
    ...(kept === null ? [] : [prose(span(`${glyphs.elbow}what it had made of it is kept as ${shorten(kept, TEXT_CHARS)}`, 'dim'))]),
  ];
}

function moveText({ story, to }: StoryMove): string {
  switch (to) {
    case 'implemented':
      return `${storyName(story)} is said to be implemented`;
    case 'approved':
      return `${storyName(story)} is approved by this reviewer`;
    case 'changes_requested':
      return `${storyName(story)} is sent back by this reviewer`;
    default:
      return assertNever(to);
  }
}
