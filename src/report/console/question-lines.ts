import type { QuestionAnswered, QuestionAsked } from '../../journal/events/run.ts';
import type { RunState } from '../../journal/state/state.ts';
import { howToAnswer, QUESTION_WORDS, type Question } from '../../journal/words/claim.ts';
import { plural } from '../../kit/pure/amounts.ts';
import { type Need, needsOf } from '../needs/needs.ts';
import { blank, type Line, prose, type Span, span } from './line.ts';
import { type DisplaySettings, shorten } from './look.ts';
import { idText } from './work-lines.ts';

const TEXT_CHARS = 300;

/** `US-001 is blocked: no key`; `The agent needs a decision: REST or RPC?` */
export function questionText({ task, kind, text }: Pick<Question, 'kind' | 'text'> & { readonly task: string | null }): string {
  return `${task === null ? 'The agent' : idText(task)} ${QUESTION_WORDS[kind]}: ${shorten(text.trim(), TEXT_CHARS)}`;
}

/** What was asked about waits for an answer; everything else goes on. */
export function askedLines({ story: task, question }: QuestionAsked, { run }: RunState, { glyphs }: DisplaySettings): readonly Line[] {
  const asked = prose(span(`${glyphs.pause}${questionText({ task, ...question })}`, 'strong'));
  if (question.kind === 'held') return [blank, asked];
  return [blank, asked, prose(span(`${glyphs.elbow}answer it with: `, 'dim'), span(howToAnswer({ task }, run?.id ?? ''), 'strong'))];
}

export function answeredLines({ answer, by }: QuestionAnswered, { glyphs }: DisplaySettings): readonly Line[] {
  return [prose(span(`${glyphs.step}Answered by ${shorten(by, 40)}: ${shorten(answer.trim(), TEXT_CHARS)}`, 'accent'))];
}

/** `2 questions, 1 failed`. */
export function needsText(needs: readonly Pick<Need, 'kind'>[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of needs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => (kind === 'question' ? plural(count, kind) : `${count} ${kind}`)).join(', ');
}

/** What waits for a person at the end of a run, and where to see it; null: nothing. */
export function needsSpans(state: RunState): readonly Span[] | null {
  const needs = needsOf(state);
  return needs.length === 0 ? null : [span(needsText(needs), 'busy'), span(' (', 'dim'), span('ralph inbox', 'strong'), span(')', 'dim')];
}
