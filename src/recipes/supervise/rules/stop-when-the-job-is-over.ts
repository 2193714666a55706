import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import type { ClosedIteration } from '../../../journal/state/state.ts';

/** The one life is over: done if it ended well and every check is green. */
export const stopWhenTheJobIsOver: StopRule = (view) => {
  const life = view.state.closed.findLast(({ result }) => result !== 'abandoned');
  if (!life) return null;
  if (!life.accepted) return { kind: 'stop', outcome: notDone('max_iterations', whyNot(life)) };
  const ending = { claim: null, unproven: view.settings.gates.length === 0, zero_work: false, signal: null, exit_code: 0 };
  return { kind: 'stop', outcome: { stop_reason: 'completed', message: wordsFor(view), ...ending } };
};

function whyNot({ entry: { error, checks, restored } }: ClosedIteration): string {
  if (error !== null) return error;
  if (restored.length > 0) return `the job changed what is protected, and it was put back: ${restored.join(', ')}`;
  const red = checks.filter(({ green }) => !green).map(({ command }) => command);
  return red.length === 0 ? 'the job did not end well' : `the job ended, but these checks are red: ${red.join(', ')}`;
}

function wordsFor({ settings }: View): string {
  return settings.gates.length === 0 ? 'The job ended well; no check was there to prove it' : 'The job ended well, and all checks passed';
}
