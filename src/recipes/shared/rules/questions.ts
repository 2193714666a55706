import type { StepRule, StopRule, View } from '../../../engine/decide/recipe.ts';
import type { RunAgent } from '../../../journal/effects/effect.ts';
import { type AskedQuestion, openQuestions } from '../../../journal/state/questions.ts';
import type { EndedAttempt } from '../../../journal/state/state.ts';
import { type AnsweredQuestion, howToAnswer, type Question } from '../../../journal/words/claim.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { oneLine, truncateCodePoints } from '../../../kit/pure/text.ts';

/** An agent that ended with a question to a person. It is written down before anything is decided about its work. */
export const askThePerson: StepRule = ({ number, last, currentTask }, { state }) => {
  const question = questionIn(last);
  if (question === null || hasEndedWithIt(number, state)) return null;
  return { kind: 'say', event: { type: 'question.asked', iteration: number, story: currentTask?.task.id ?? null, question } };
};

/** The question in the last message of an attempt that ended well; null: it asks nothing. */
export function questionIn(last: EndedAttempt | null): Question | null {
  const claim = last?.claim ?? null;
  return claim !== null && (claim.by === 'blocked' || claim.by === 'question') ? { kind: claim.by, text: claim.text } : null;
}

/** Whether the question at the end of this iteration is written down. Its agents may have asked others before that. */
export function hasEndedWithIt(iteration: number, { questions }: Pick<View['state'], 'questions'>): boolean {
  return questions.some((question) => question.iteration === iteration && question.by === undefined);
}

/** There is nothing else to do until a person has answered. */
export const stopWhenAPersonIsAsked: StopRule = ({ state }) => {
  const newest = openQuestions(state).at(-1);
  if (newest === undefined || state.open.length > 0) return null;
  return { kind: 'stop', outcome: notDone('waiting', questionMessage(newest, state.run?.id ?? ''), 3) };
};

const MESSAGE_CHARS = 300;

/** One line: the agent's own words, and the command that answers. */
export function questionMessage(question: AskedQuestion, run: string): string {
  return `The agent asks: ${truncateCodePoints(oneLine(question.text), MESSAGE_CHARS, '…')} (${howToAnswer(question, run)})`;
}

/** The part of a request to an agent that has the answers, if there are any. */
export function told(answers: readonly AnsweredQuestion[]): Pick<RunAgent, 'answers'> {
  return answers.length === 0 ? {} : { answers: [...answers] };
}
