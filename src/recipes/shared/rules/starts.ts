import type { StartRule } from '../../../engine/decide/recipe.ts';
import { failurePauseMs } from '../../../limits/retry-policy.ts';
import { untilTimeIsUp } from '../../../limits/time.ts';
import { provesClaims } from '../../../proof/judge/acceptance.ts';
import { baseOfProofs, gatesDeadlineMs } from '../effect-requests.ts';

const LONG_MS = 24 * 60 * 60_000;

/** Running effects continue; nothing new starts until the operator resumes the run. */
export const waitWhilePaused: StartRule = (_lane, view) => (view.state.paused ? { kind: 'wait', untilMs: untilTimeIsUp(view.nowMs + LONG_MS, view) } : null);

/** Before the first iteration, planted failures show which tests the gates really run: a gate that stays green proves nothing. Nor do green sealed checks. */
export const findLivingGates: StartRule = (_lane, view) => {
  const { state, settings } = view;
  const gates = settings.proof?.level === 'living' ? settings.gates.filter(({ proof }) => proof !== 'off') : [];
  const isDue = gates.length > 0 || (settings.proof?.sealed !== undefined && provesClaims(view));
  const tree = baseOfProofs(view);
  if (!isDue || tree === null || state.living !== null || state.opened > 0) return null;
  if (state.inFlight.some(({ kind }) => kind === 'find-living')) return null;
  const times = { alone_until: view.nowMs + ALONE_MS, until: gatesDeadlineMs(view) };
  return { kind: 'do', effect: { kind: 'find-living', key: 'living:start', iteration: 0, attempt: 0, gates, tree, ...times } };
};

/** Slow gates delay the first agent no longer than this. */
const ALONE_MS = 60_000;

/** Opens the next iteration; after several failures in a row only when a pause is over. */
export const openTheNextIteration: StartRule = (lane, view) => {
  const { state, settings, nowMs } = view;
  const lastMs = state.closed.at(-1)?.atMs ?? 0;
  const untilMs = lastMs + failurePauseMs(state.failuresInARow, settings.limits.failurePauseMs);
  if (nowMs < untilMs) return { kind: 'wait', untilMs: untilTimeIsUp(untilMs, view) };
  return { kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } };
};
