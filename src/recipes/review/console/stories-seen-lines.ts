import type { QuestionAnswered, QuestionAsked, StopRefused, StoriesSeen } from '../../../journal/events/stories.ts';
import type { Change } from '../../../report/console/change.ts';
import { shorten } from '../../../report/console/excerpt.ts';
import { blank, type Line, prose, span } from '../../../report/console/line.ts';
import type { Look } from '../../../report/console/look.ts';
import { storyPlanRows } from './stories-rows.ts';
import { howToAnswer, questionText } from './stories-words.ts';
import { firstOf } from '../../../report/console/work-lines.ts';

const TEXT_CHARS = 300;
const MOST_EDITS = 20;

/** The list as it is before the first turn; later only what a person has changed in it, or that it cannot be read. */
export function storiesSeenLines({ plan, changes }: StoriesSeen, change: Change, look: Look): readonly Line[] {
  const { before, state } = change;
  if (plan === null) return troubleLines(change, look);
  const isFirst = before.stories.plan === null;
  return [
    ...(isFirst && state.run ? storyPlanRows(plan, state.run.settings, look) : []),
    ...firstOf(changes, MOST_EDITS).map((text) => prose(span(`${look.glyphs.step}Changed: ${shorten(text, TEXT_CHARS)}`, 'accent'))),
  ];
}

/** It will be looked at again: it is told when that is news. */
function troubleLines({ before, state }: Change, { glyphs }: Look): readonly Line[] {
  const why = state.stories.trouble?.why ?? '';
  if (why === before.stories.trouble?.why) return [];
  return [prose(span(`${glyphs.warning}The stories cannot be worked on: ${shorten(why, TEXT_CHARS)}`, 'bad'), span(' (looking again)', 'dim'))];
}

/** Its story waits; others go on. */
export function askedLines({ story, question }: QuestionAsked, { glyphs }: Look): readonly Line[] {
  return [
    blank,
    prose(span(`${glyphs.pause}${questionText({ story, ...question })}`, 'strong')),
    prose(span(`${glyphs.elbow}answer it with: `, 'dim'), span(howToAnswer, 'strong')),
  ];
}

export function answeredLines({ answer, by }: QuestionAnswered, { glyphs }: Look): readonly Line[] {
  return [prose(span(`${glyphs.step}Answered by ${shorten(by, 40)}: ${shorten(answer.trim(), TEXT_CHARS)}`, 'accent'))];
}

/** That it is kept from stopping is its own business, until it is given up. */
export function letGoLines({ reason, blocks, let_go }: StopRefused, { glyphs }: Look): readonly Line[] {
  if (!let_go) return [];
  const often = blocks === 1 ? 'once' : `${blocks} times`;
  return [prose(span(`${glyphs.warning}The agent was kept from stopping ${often}, and is let go although: ${shorten(reason, TEXT_CHARS)}`, 'busy'))];
}
