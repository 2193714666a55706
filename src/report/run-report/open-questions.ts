import { openQuestions } from '../../journal/state/questions.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { QuestionView } from './report-view.ts';

/** What agents ask a person, in their own words. A held claim is no question of an agent: it is among what is not proven. */
export function reportedQuestions(state: RunState): readonly QuestionView[] {
  const { task: supervised, stopped } = state;
  const asked = openQuestions(state).filter(({ kind }) => kind !== 'held');
  const waits = supervised.wait !== null && (stopped === null || stopped.stop_reason === 'waiting');
  const waiting = waits && supervised.wait !== null && asked.length === 0 ? [{ task: null, kind: 'waiting', text: supervised.wait.reason }] : [];
  return [...asked.map(({ task, kind, text }) => ({ task, kind, text })), ...waiting];
}
