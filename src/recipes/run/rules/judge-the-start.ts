import { protectedBy, untilTheEnd } from '../../shared/judging.ts';
import type { StartRule, View } from '../../../engine/decide/recipe.ts';

/** Before the first iteration the gates say what was red already: nobody is blamed for that, and a witness must be. */
export const judgeTheStart: StartRule = (_lane, view) => {
  const gates = gatesAtStart(view);
  if (gates.length === 0 || view.state.baseline !== null || view.state.opened > 0) return null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: 'gates:start',
      iteration: 0,
      attempt: 0,
      where: 'start',
      gates: [...gates],
      name_tree: view.state.startTree !== null,
      keep_tree: false,
      phase: 'start',
      protect: protectedBy(view),
      tree: null,
      until: untilTheEnd(view),
    },
  };
};

/** All of them; without a baseline only the witnesses, which mean nothing unless they are red now. */
function gatesAtStart({ settings: { gates, loop } }: View) {
  if (loop === null) return [];
  return loop.baseline ? gates : gates.filter(({ command }) => loop.witnesses.includes(command));
}
