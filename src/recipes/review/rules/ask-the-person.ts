import type { StepRule } from '../../../engine/decide/recipe.ts';

/** An agent that is blocked, or wants a decision, has its story wait for a person; the others go on. */
export const askThePerson: StepRule = ({ turn, last, number }) => {
  const claim = last?.claim ?? null;
  if (turn === null || turn.recorded === null || turn.isAsked || claim === null || (claim.by !== 'blocked' && claim.by !== 'question')) return null;
  return { kind: 'say', event: { type: 'question.asked', iteration: number, story: turn.story, question: { kind: claim.by, text: claim.text } } };
};
