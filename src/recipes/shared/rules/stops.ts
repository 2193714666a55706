import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import { totalCost } from '../../../journal/state/spending.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { MOST_SEALED_RUNS } from '../../../journal/words/proof.ts';
import { formatDuration } from '../../../kit/pure/duration.ts';
import { budgetOf, costIsSpent, costLimitIsUnenforceable } from '../../../limits/money.ts';
import { limitName } from '../../../limits/retry-policy.ts';
import { limitWaitIsTooLong, timeIsUp } from '../../../limits/time.ts';
import { protectedPaths } from '../../../proof/judge/acceptance.ts';
import { sealedOutcome } from '../../../proof/judge/proof-words.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';

const EXIT_CODES: ReadonlyMap<string, number> = new Map([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]);

/** The operator asked to stop: running effects may finish, unless the operator asked twice or the grace period is over. */
export const stopWhenTold: StopRule = ({ state }) => {
  if (!state.leaving) return null;
  const { what, by } = state.leaving;
  const outcome = { ...notDone('interrupted', `Stopped by ${by}`, EXIT_CODES.get(by) ?? 130), signal: by };
  return { kind: 'stop', outcome, now: what === 'abort' };
};

/** The agent is missing, forbidden or not logged in, or git is needed and cannot help: another iteration would end the same way. */
export const stopOnFatalError: StopRule = (view) => {
  const fatal = view.state.fatal ?? withoutATree(view);
  return fatal ? { kind: 'stop', outcome: notDone('fatal', fatal.why, fatal.exitCode) } : null;
};

/** Refuses protection that cannot be given. */
function withoutATree({ state, settings }: View): { readonly why: string; readonly exitCode: number } | null {
  // A run on a plan or on stories compares with the start of its branches.
  if (state.startTree !== null || settings.work !== null || settings.stories !== null) return null;
  const flag = protectedPaths(settings).length > 0 ? '--protect' : settings.loop?.verifyClean ? '--verify clean' : null;
  return flag === null ? null : { why: `${flag} needs a git repository that can say what has changed, and this is none`, exitCode: 4 };
}

/** A gate that stays green whatever its tests say proves nothing: the operator must fix it first. */
export const stopWhenAGateIsDead: StopRule = ({ state, settings }) => {
  const dead = state.living?.find((gate) => gate.state === 'dead' && settings.gates.some(({ command }) => command === gate.command));
  if (dead === undefined) return null;
  const message = `\`${dead.command}\` ${dead.why}: it cannot prove that anything is done. Mend it, or say --proof green to run without this look`;
  return { kind: 'stop', outcome: notDone('dead_gate', message, 2) };
};

/** Each red run of the sealed checks reveals a little of them to agents. Only a person may allow more, by a new run. */
export const stopWhenSealedChecksStayRed: StopRule = ({ state }) => {
  const runs = state.sealedRuns ?? 0;
  return runs < MOST_SEALED_RUNS ? null : { kind: 'stop', outcome: sealedOutcome(runs) };
};

/** Waiting for the usage limit would take longer than the operator allows. */
export const stopWhenTheLimitWaitIsTooLong: StopRule = (view) => {
  if (!limitWaitIsTooLong(view)) return null;
  const { limit } = view.state;
  const allowed = formatDuration(view.settings.limits.limitWaitMs);
  const needed = formatDuration(limit.waitedMs);
  return { kind: 'stop', outcome: notDone('rate_limited', `${limitName(limit.window)}: waiting would take ${needed} in all, ${allowed} is allowed`) };
};

/** The time budget of the run is used up. Running effects had no more time than that; their result is still judged. */
export const stopWhenTimeIsUp: StopRule = (view) => {
  if (!timeIsUp(view)) return null;
  return { kind: 'stop', outcome: notDone('timeout', `Time limit of ${formatDuration(budgetOf(view.settings).timeMs)} reached`) };
};

/** The cost limit is reached, including the assumed cost of attempts that reported none. */
export const stopWhenTheBudgetIsSpent: StopRule = (view) => {
  if (!costIsSpent(view)) return null;
  const { spent } = view.state;
  const limit = `$${(budgetOf(view.settings).costUsd ?? 0).toFixed(2)}`;
  const { usd, isEstimated } = totalCost(spent) ?? { usd: 0, isEstimated: false };
  const message = costLimitIsUnenforceable(spent)
    ? `None of ${spent.unknownWorkCosts} attempts said what it cost, so the limit of ${limit} cannot be kept`
    : `Cost limit of ${limit} reached: $${usd.toFixed(4)} spent${isEstimated ? ', partly estimated' : ''}`;
  return { kind: 'stop', outcome: notDone('budget_exhausted', message) };
};

/** Only with `onAgentError: stop`: the first iteration with a failed agent ends the run. */
export const stopOnAgentError: StopRule = ({ state, settings }) => {
  if (settings.onAgentError !== 'stop' || state.failuresInARow === 0) return null;
  return { kind: 'stop', outcome: notDone('stuck', 'The agent failed, and onAgentError is "stop"') };
};

/** The last allowed iteration is open or closed. It still runs to its end and may succeed. Abandoned iterations do not count. */
export const stopWhenIterationsAreSpent: StopRule = ({ state, settings }) => {
  if (settings.maximumIterations === 0 || state.opened - state.abandoned < settings.maximumIterations) return null;
  return { kind: 'stop', outcome: notDone('max_iterations', messageFor(settings)) };
};

/** In the words of the seed that the recipe follows. */
function messageFor({ work, stories, maximumIterations }: RunSettings): string {
  if (stories !== null) return `Max iterations (${maximumIterations}) reached without completion.`;
  return work === null ? 'Maximum iterations reached without completion response.' : 'Maximum iterations reached; there are tasks left.';
}
