import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import { lastClaimed, redStreak, streakText } from '../../../journal/closed-iterations.ts';
import { totalCost } from '../../../journal/state/spending.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { MOST_SEALED_RUNS } from '../../../journal/words/proof.ts';
import { formatDuration } from '../../../kit/pure/amounts.ts';
import { oneLine, truncateCodePoints } from '../../../kit/pure/text.ts';
import { costIsSpent, dayIsSpent } from '../../../limits/money.ts';
import { limitName } from '../../../limits/retry-policy.ts';
import { stuckIn } from '../../../limits/stuck.ts';
import { limitWaitIsTooLong, timeIsUp } from '../../../limits/time.ts';
import { sealedOutcome } from '../../../proof/judge/proof-words.ts';
import { budgetOf, factsOf, protectedPaths, verifiesClean } from '../../../settings/schema/recipe-facts.ts';

const EXIT_CODES: ReadonlyMap<string, number> = new Map([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  // Whoever drains a fleet wants its workers to end, and nobody to start them again.
  ['the fleet', 0],
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
  if (state.startTree !== null || factsOf(settings).hasItems) return null;
  const flag = protectedPaths(settings).length > 0 ? '--protect' : verifiesClean(settings) ? '--verify clean' : null;
  return flag === null ? null : { why: `${flag} needs a git repository that can say what has changed, and this is none`, exitCode: 4 };
}

/** A gate that stays green whatever its tests say proves nothing: the operator must fix it first. */
export const stopWhenAGateIsDead: StopRule = ({ state, settings }) => {
  const dead = state.living?.find((gate) => gate.state === 'dead' && settings.gates.some(({ command }) => command === gate.command));
  if (dead === undefined) return null;
  const message = `\`${dead.command}\` ${dead.why}: it cannot prove that anything is done. Fix it, or run without planted failures: --proof green`;
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
  const limit = `$${(budgetOf(view.settings).costUsd ?? 0).toFixed(2)}`;
  const { usd, isEstimated } = totalCost(view.state.spent) ?? { usd: 0, isEstimated: false };
  const message = `Cost limit of ${limit} reached: $${usd.toFixed(4)} spent${isEstimated ? ', partly estimated' : ''}`;
  return { kind: 'stop', outcome: notDone('budget_exhausted', message) };
};

/** All runs of this machine together have spent what the operator allows for a day. */
export const stopWhenTheDayIsSpent: StopRule = (view) => {
  const { day } = view.state;
  if (day === undefined || !dayIsSpent(view)) return null;
  const limit = `$${(view.settings.maxCostPerDay ?? 0).toFixed(2)}`;
  const left = formatDuration(Math.max(MINUTE_MS, Math.ceil((day.ends_at - view.nowMs) / MINUTE_MS) * MINUTE_MS));
  const message = `Cost limit of ${limit} per day reached: the runs of this machine have spent $${day.usd.toFixed(4)} on ${day.date}. It can go on after midnight, in ${left}`;
  return { kind: 'stop', outcome: notDone('budget_exhausted', message) };
};

/** The workers of all machines together have spent what a person allows them. */
export const stopWhenTheFleetHasSpent: StopRule = ({ state: { fleet } }) => {
  if (fleet === undefined) return null;
  const message = `Budget of the fleet reached: $${fleet.spent_usd.toFixed(4)} of $${fleet.limit_usd.toFixed(2)} spent. Raise it with: ralph fleet budget <usd>`;
  return { kind: 'stop', outcome: notDone('budget_exhausted', message) };
};

const MINUTE_MS = 60_000;

/** Only with `onAgentError: stop`: the first iteration with a failed agent ends the run. */
export const stopOnAgentError: StopRule = ({ state, settings }) => {
  if (settings.onAgentError !== 'stop' || state.failuresInARow === 0) return null;
  return { kind: 'stop', outcome: notDone('stuck', 'The agent failed, and onAgentError is "stop"') };
};

/** Iteration after iteration comes to the same: more of them would only cost money. */
export const stopWhenStuck: StopRule = (view) => {
  const what = view.state.open.length === 0 ? stuckIn(view) : null;
  return what === null ? null : { kind: 'stop', outcome: notDone('stuck', `Stuck: ${what}`) };
};

/** The last allowed iteration is open or closed. It still runs to its end and may succeed. Abandoned iterations do not count. */
export function stopAfterTheLastIteration(message: (view: View) => string): StopRule {
  return (view) => {
    const { maximumIterations } = view.settings;
    if (maximumIterations === 0 || view.state.opened - view.state.abandoned < maximumIterations) return null;
    return { kind: 'stop', outcome: notDone('max_iterations', message(view)) };
  };
}

/** In the words of seed 001 if no agent of the run said that it was done; always with the checks that are still red. */
export const stopWhenIterationsAreSpent = stopAfterTheLastIteration(whatIsMissing);

function whatIsMissing({ state }: View): string {
  const { closed } = state;
  const claimedIn = lastClaimed(state);
  const last = closed.findLast(({ result }) => result !== 'abandoned');
  const red = (last?.entry.checks ?? [])
    .filter(({ green }) => !green)
    .map(({ command }) => `${shortCommand(command)} was red ${streakText(redStreak(closed, command))}`)
    .join(', ');
  if (claimedIn === null) return `Maximum iterations reached without completion response.${red && ` ${red}.`}`;
  const claim = claimedIn === last?.number ? 'the last claim' : `the claim of iteration ${claimedIn}`;
  return `Maximum iterations reached: ${red || `${claim} was not accepted`}.`;
}

const shortCommand = (command: string) => truncateCodePoints(oneLine(command), 60, '…');
