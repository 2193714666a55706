import type { EndRule, StartRule, StopRule, View } from '../../../engine/decide/recipe.ts';
import { totalCost } from '../../../journal/state/spending.ts';
import type { RunState, UnacceptedClaim } from '../../../journal/state/state.ts';
import { isDone, notDone, type Outcome } from '../../../journal/words/outcome.ts';
import { MOST_SEALED_RUNS, type ProofVerdict } from '../../../journal/words/proof.ts';
import { MOST_HELD, sealedOutcome } from '../../../proof/judge/proof-words.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import { gatesDeadlineMs, protectedBy } from '../../shared/effect-requests.ts';
import { receiptOf } from '../../shared/receipt.ts';
import type { LoopSettings } from '../clean-prompt.ts';

/** Runs the gates before the first iteration: no agent is blamed for what is red already, and a witness must be red. */
export const judgeTheStart: StartRule<LoopSettings> = (_lane, view) => {
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
      until: gatesDeadlineMs(view),
    },
  };
};

/** All gates; without a baseline only the witnesses, which mean nothing unless they are red now. */
function gatesAtStart({ settings: { gates, loop } }: View<LoopSettings>) {
  return loop.baseline ? gates : gates.filter(({ command }) => loop.witnesses.includes(command));
}

/** A claim was made, and everything was proven after it: the only good end of a run. */
export const stopWhenAClaimIsAccepted: StopRule = endWith({
  proven: { stop_reason: 'completed', message: 'Completion response matched' },
  unproven: { stop_reason: 'completed', message: 'Completion response matched; no gate was there to prove it' },
});

/** The same in the words of seed 004. */
export const stopWhenAllChecksPass: StopRule = endWith({
  proven: { stop_reason: 'all_checks_passed', message: 'All checks passed' },
  unproven: { stop_reason: 'completed', message: 'The agent says that it is done; no check was there to prove it' },
});

type Words = Pick<Outcome, 'stop_reason' | 'message'>;

function endWith(words: { readonly proven: Words; readonly unproven: Words }): StopRule {
  return (view) => {
    const accepted = view.state.closed.findLast((iteration) => iteration.accepted);
    if (!accepted) return null;
    const unproven = view.settings.gates.length === 0;
    const ending = { claim: accepted.claim, unproven, zero_work: accepted.zeroWork, signal: null, exit_code: 0 };
    const said = unproven ? words.unproven : words.proven;
    return { kind: 'stop', outcome: { ...ending, ...said, ...withoutItsCommit(view, said.message) } };
  };
}

/** The work is done, but a commit or push that was asked for was not made: that is no success for whoever relies on the exit code. */
function withoutItsCommit({ state: { commits }, settings }: View, message: string): Partial<Outcome> {
  if (settings.scm === null || commits.problem === null) return {};
  return { message: `${message}, but it is not in the version control: ${commits.problem}`, exit_code: 1 };
}

/** How many claims with a dead gate are refused before the run stops for a person. */
const MOST_DEAD = 3;

/** A repeated claim with the same changes to deciders needs the operator: another iteration would end the same way. */
export const stopWhenAClaimWaitsForAPerson: StopRule = ({ state, settings }) => {
  const last = state.unacceptedClaims.at(-1);
  if (last === undefined || state.open.length > 0) return null;
  const { verdict } = last.proof.judged;
  const isOver = settings.maximumIterations !== 0 && state.opened - state.abandoned >= settings.maximumIterations;
  // Nobody is asked about work that is gone.
  if (isOver ? last.isOutdated === true : !isEnough(state, verdict)) return null;
  return { kind: 'stop', outcome: outcomeFor(state, last) };
};

function isEnough({ unacceptedClaims, sealedRuns = 0 }: RunState, verdict: ProofVerdict): boolean {
  if (verdict === 'sealed') return sealedRuns >= MOST_SEALED_RUNS;
  return timesInARow(unacceptedClaims, verdict) >= (verdict === 'held' ? MOST_HELD : MOST_DEAD);
}

function outcomeFor({ run, sealedRuns = 0 }: RunState, last: UnacceptedClaim): Outcome {
  const { verdict, reason } = last.proof.judged;
  if (verdict === 'sealed') return sealedOutcome(sealedRuns);
  return verdict === 'held' ? heldOutcome(last, run?.id ?? '') : notDone('dead_gate', reason);
}

function timesInARow(unbelieved: readonly UnacceptedClaim[], verdict: string): number {
  const other = unbelieved.findLastIndex(({ proof }) => proof.judged.verdict !== verdict);
  return unbelieved.length - 1 - other;
}

function heldOutcome({ proof }: UnacceptedClaim, run: string): Outcome {
  return notDone('held', `${proof.judged.reason}. Allow it: ralph accept ${run}`, 3);
}

/** After a good and proven end: writes what was proven, by what, and what it cost. A run of an older version, which proved no claim, leaves none. */
export const writeTheReceipt: EndRule = ({ outcome }, view) => {
  const { state, settings } = view;
  const { proof, spent, opened } = state;
  if ((!factsOf(settings).keepsProgress && settings.proof === undefined) || !isDone(outcome) || state.receipt !== null) return null;
  if (proof === null || proof.checks.length === 0) return null;
  const { last } = state.commits;
  const receipt = receiptOf(view, proof, {
    task: settings.prompt.from === 'text' ? settings.prompt.text.slice(0, 500) : settings.prompt.path,
    commit: last !== null && last.tree === proof.tree ? last.commit : null,
    tree: proof.tree,
    cost_usd: totalCost(spent)?.usd ?? null,
    iterations: opened,
  });
  return { kind: 'do', effect: { kind: 'write-receipt', key: 'receipt', iteration: 0, attempt: 0, receipt } };
};
