import type { StartRule } from '../../../engine/decide/recipe.ts';
import { untilTimeIsUp } from '../../../limits/time.ts';
import { gatesDeadlineMs } from '../../shared/effect-requests.ts';
import { openTheNextIteration } from '../../shared/rules/starts.ts';
import { nextTurnNow, type StoriesSettings } from '../story-turn.ts';

/** A half-written file is usually complete soon. */
const AGAIN_MS = 2_000;

/** Before every turn: accepts what a person changed, and records the branch as it is before the agent starts. */
export const readTheStories: StartRule<StoriesSettings> = (_lane, view) => {
  const { look, planProblem, looks, plan, isByHand } = view.state.stories;
  if (look !== null) return null;
  const againMs = planProblem === null ? 0 : planProblem.atMs + AGAIN_MS;
  if (view.nowMs < againMs) return { kind: 'wait', untilMs: untilTimeIsUp(againMs, view) };
  return { kind: 'do', effect: { kind: 'look-at-stories', key: `stories:${looks + 1}`, iteration: 0, attempt: 0, truth: isByHand ? null : plan } };
};

const LONG_MS = 24 * 60 * 60_000;

/** Every remaining story waits for a person, and the operator asked the run to stay. */
export const waitForAnAnswer: StartRule<StoriesSettings> = (_lane, view) => {
  if (!view.settings.stories.wait || nextTurnNow(view)?.kind !== 'parked') return null;
  return { kind: 'wait', untilMs: untilTimeIsUp(view.nowMs + LONG_MS, view) };
};

/** One story, one mode, one iteration. */
export const openTheNextTurn: StartRule<StoriesSettings> = (lane, view) => (nextTurnNow(view)?.kind === 'turn' ? openTheNextIteration(lane, view) : null);

/** A list that is complete before any agent has worked on it proves nothing, so the gates run once. */
export const proveWhatIsApproved: StartRule<StoriesSettings> = (_lane, view) => {
  const { state, settings } = view;
  if (nextTurnNow(view)?.kind !== 'complete' || state.baseline !== null || settings.gates.length === 0) return null;
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
      until: gatesDeadlineMs(view),
    },
  };
};
