import type { QuestionAnswered, QuestionAsked } from '../../journal/events/run.ts';
import type { RunState } from '../../journal/state/state.ts';
import { howToAnswer } from '../../journal/words/claim.ts';
import { needsOf } from '../needs/needs.ts';
import { blank, type Line, prose, type Span, span } from './line.ts';
import { type DisplaySettings, shorten } from './look.ts';
import { needsText, questionText, TEXT_CHARS } from './question-text.ts';

/** What was asked about waits for an answer; everything else goes on. */
export function askedLines({ story: task, question }: QuestionAsked, { run }: RunState, { glyphs }: DisplaySettings): readonly Line[] {
  const asked = prose(span(`${glyphs.pause}${questionText({ task, ...question })}`, 'strong'));
  if (question.kind === 'held') return [blank, asked];
  return [blank, asked, prose(span(`${glyphs.elbow}answer it with: `, 'dim'), span(howToAnswer({ task }, run?.id ?? ''), 'strong'))];
}

export function answeredLines({ answer, by }: QuestionAnswered, { glyphs }: DisplaySettings): readonly Line[] {
  return [prose(span(`${glyphs.step}Answered by ${shorten(by, 40)}: ${shorten(answer.trim(), TEXT_CHARS)}`, 'accent'))];
}

/** What waits for a person at the end of a run, and where to see it; null: nothing. */
export function needsSpans(state: RunState): readonly Span[] | null {
  const needs = needsOf(state);
  return needs.length === 0 ? null : [span(needsText(needs), 'busy'), span(' (', 'dim'), span('ralph inbox', 'strong'), span(')', 'dim')];
}
