import { untilTheEnd } from '../../shared/judging.ts';
import type { StartRule } from '../../../engine/decide/recipe.ts';
import { standing } from '../turning.ts';

/** A list that is complete before anybody has worked on it proves nothing: the gates look once. */
export const proveWhatIsApproved: StartRule = (_lane, view) => {
  const { state, settings } = view;
  if (standing(view)?.kind !== 'complete' || state.baseline !== null || settings.gates.length === 0) return null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:rest.${state.stories.looks}`,
      iteration: 0,
      attempt: 0,
      where: 'start',
      gates: [...settings.gates],
      name_tree: false,
      keep_tree: false,
      phase: 'start',
      protect: null,
      tree: null,
      until: untilTheEnd(view),
    },
  };
};
