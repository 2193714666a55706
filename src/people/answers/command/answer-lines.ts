import { oneLine } from '../../../kit/pure/one-line.ts';
import type { AnsweredQuestion } from '../answer-question.ts';
import { howToResume } from '../../../journal/words/how-to-resume.ts';

const TOLD: Readonly<Record<Exclude<AnsweredQuestion['fate'], 'resume'>, (run: string) => string>> = {
  heard: () => 'has heard it, and goes on.',
  unheard: () => 'has not heard it yet; the answer waits in its inbox.',
  refused: () => 'was started by a ralph that cannot hear answers.',
  kept: (run) => `hears it when it goes on. Continue it with: ${howToResume(run)}`,
};

/** What became of an answer that was left for a run. */
export function answerLines({ run, question, fate }: AnsweredQuestion): readonly string[] {
  if (fate === 'resume') return [];
  return [`Story ${oneLine(question.story)} is answered: run ${run} ${TOLD[fate](run)}`];
}
