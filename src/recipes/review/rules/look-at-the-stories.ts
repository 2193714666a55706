import type { StartRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';

/** A file in the middle of an edit is whole again soon. */
const AGAIN_MS = 2_000;

/** Before every turn: what a person has changed counts, and the branch is known as it was before the agent is let in. */
export const lookAtTheStories: StartRule = (_lane, view) => {
  const { look, trouble, looks, plan, isByHand } = view.state.stories;
  if (look !== null) return null;
  const againMs = trouble === null ? 0 : trouble.atMs + AGAIN_MS;
  if (view.nowMs < againMs) return { kind: 'wait', untilMs: noLaterThanTheEnd(againMs, view) };
  return { kind: 'do', effect: { kind: 'look-at-stories', key: `stories:${looks + 1}`, iteration: 0, attempt: 0, truth: isByHand ? null : plan } };
};
