import type { EndRule, StartRule, StopRule, View } from '../../../engine/decide/recipe.ts';
import type { Outcome } from '../../../journal/words/outcome.ts';
import type { Receipt } from '../../../journal/words/receipt.ts';
import { protectedBy, untilTheEnd } from '../../shared/judging.ts';

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

/** A claim was made and every proof was green after it: the only good end of a run. */
export const stopWhenAClaimIsAccepted: StopRule = (view) => {
  const accepted = view.state.closed.findLast((iteration) => iteration.accepted);
  if (!accepted) return null;
  const unproven = view.settings.gates.length === 0;
  const ending = { claim: accepted.claim, unproven, zero_work: accepted.zeroWork, signal: null, exit_code: 0 };
  return { kind: 'stop', outcome: { ...ending, ...wordsFor(view, unproven) } };
};

const NO_GATE = 'Completion response matched; no gate was there to prove it';
const NO_CHECK = 'The agent says that it is done; no check was there to prove it';

/** In the words of the seed the recipe is of. */
function wordsFor({ settings }: View, unproven: boolean): Pick<Outcome, 'stop_reason' | 'message'> {
  const done = settings.recipe === 'loop' ? 'All checks passed' : 'Completion response matched';
  if (unproven) return { stop_reason: 'completed', message: settings.recipe === 'loop' ? NO_CHECK : NO_GATE };
  return { stop_reason: settings.recipe === 'loop' ? 'all_checks_passed' : 'completed', message: done };
}

/** After a good end of a loop that something has proven: what was proven, by what, and what it took. */
export const writeTheReceipt: EndRule = ({ outcome }, view) => {
  const { state, settings } = view;
  if (settings.loop === null || outcome.exit_code !== 0 || state.receipt !== null) return null;
  if (state.proof === null || state.proof.checks.length === 0) return null;
  return { kind: 'do', effect: { kind: 'write-receipt', key: 'receipt', iteration: 0, attempt: 0, receipt: receiptOf(view) } };
};

function receiptOf(view: View): Receipt {
  const { state, settings, nowMs } = view;
  const { tree = null, where = 'workspace', checks = [] } = state.proof ?? {};
  const last = state.commits.last;
  return {
    version: 1,
    run: state.run?.id ?? '',
    ralph: state.run?.ralph ?? '',
    task: settings.prompt.from === 'text' ? settings.prompt.text.slice(0, 500) : settings.prompt.path,
    commit: last !== null && last.tree === tree ? last.commit : null,
    tree,
    where,
    checks: checks.map(({ command, exitCode, durationMs, sha256, flaky }) => ({
      command,
      exit_code: exitCode,
      duration_ms: durationMs,
      output_sha256: sha256,
      flaky,
      was_red: redAtStart(view, command),
    })),
    agent: [settings.agent.command, ...settings.agent.flags].join(' '),
    model: settings.agent.model,
    cost_usd: state.spent.costKnown ? state.spent.costUsd : null,
    iterations: state.opened,
    written_at: nowMs,
  };
}

/** Null when nobody looked. */
function redAtStart({ state }: View, command: string): boolean | null {
  const found = state.baseline?.find((check) => check.command === command);
  return found ? !found.green : null;
}
