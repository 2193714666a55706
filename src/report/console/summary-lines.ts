import { endingText } from '../../journal/ending-text.ts';
import type { GateResult } from '../../journal/events/gates.ts';
import { type Spending, type TotalCost, totalCost } from '../../journal/state/spending.ts';
import type { ClosedIteration, RunState } from '../../journal/state/state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import { gateWords, isSupervised } from './gate-lines.ts';
import { blank, type Line, prose, type Span, span, type Tone } from './line.ts';
import { row, shorten } from './look.ts';
import { provenText } from './proof-lines.ts';
import { refusedRows } from './sandbox-lines.ts';
import { commitText } from './scm-lines.ts';
import { costText, plural, tokensText, workedMs } from './spent-text.ts';
import { spacedDuration } from './work-lines.ts';

const PROBLEM_CHARS = 300;

/** The result of a finished run; `judged` is the last result of its guardrails. */
export interface Ended {
  readonly outcome: Outcome;
  readonly state: RunState;
  readonly judged: readonly GateResult[];
  /** Every iteration whose end was seen. */
  readonly closed: readonly ClosedIteration[];
  readonly atMs: number;
}

interface Summaries {
  summaryRows(ended: Ended): readonly Line[];
  goOnRows(ended: Ended): readonly Line[];
}

/** The end of the screen: why the run ended, what proves it, and what it cost. */
export function summaryLines(ended: Ended, screen: Summaries): readonly Line[] {
  const { outcome, state } = ended;
  const standing = proof(ended);
  return [
    blank,
    headline(outcome),
    row('outcome', span(outcome.stop_reason, toneOf(outcome)), span(` (exit ${outcome.exit_code})`, 'dim')),
    ...(standing ? [row(outcome.claim ? 'claim' : gateWords(state.run).many, ...standing)] : []),
    ...(outcome.zero_work ? [row('work', span('ZERO WORK: nothing has changed since the start', 'busy'))] : []),
    ...commitRows(state),
    ...screen.summaryRows(ended),
    ...refusedRows(state.refused),
    row('took', span(effort(ended))),
    row('spent', span(spentText(state.spent))),
  ];
}

/** The same in two lines, for --quiet. */
export function briefSummaryLines(ended: Ended, screen: Summaries): readonly Line[] {
  const { outcome, state } = ended;
  const standing = proof(ended);
  return [
    headline(outcome),
    prose(
      span(`${outcome.stop_reason}: ${effort(ended)}, ${spentText(state.spent)}`),
      ...(standing ? [span(', '), ...standing] : []),
      ...(outcome.zero_work ? [span(', ZERO WORK', 'busy')] : []),
    ),
    ...screen.goOnRows(ended),
  ];
}

function headline(outcome: Outcome): Line {
  return prose(span(outcome.message, toneOf(outcome)));
}

/** The claim and its proof; without a claim, what prevents one. Null when unknown. */
function proof({ outcome, state, judged }: Ended): readonly Span[] | null {
  if (outcome.claim) {
    const gates = state.run?.settings.gates.map((gate) => shorten(gate.command, 60)) ?? [];
    const proven = outcome.unproven
      ? span('UNPROVEN: no gate was configured', 'busy')
      : span(`proven by: ${gates.join(', ')}${provenText(state.proof)}`, 'good');
    return [span(`"${shorten(outcome.claim.text, 60)}", `), proven];
  }
  const red = judged.filter((result) => !result.green).map((result) => `${shorten(result.gate.command, 60)} (${endingText(result.ending)})`);
  return red.length === 0 ? null : [span(`red: ${red.join(', ')}`, 'bad')];
}

function effort({ state, atMs }: Ended): string {
  const { attempts, tools, toolErrors } = state.spent;
  const elapsed = formatDuration(atMs - (state.run?.startedAtMs ?? atMs));
  const iterations = isSupervised(state.run) ? '' : `${plural(state.opened, 'iteration')}, `;
  return `${elapsed}, ${iterations}${plural(attempts, 'attempt')}, ${plural(tools, 'tool call')} (${toolErrors} failed)`;
}

/** The commits, and why the last SCM tasks failed. */
function commitRows({ run, commits: { count, last, problem } }: RunState): readonly Line[] {
  if (!run?.settings.scm) return [];
  const made = last ? `${count}, last ${commitText(last)}` : 'none';
  return [row('commits', span(made)), ...(problem === null ? [] : [row('scm', span(`not done: ${shorten(problem, PROBLEM_CHARS)}`, 'bad'))])];
}

function spentText(spent: Spending): string {
  const cost = priceText(spent);
  const tokens = tokensText(spent);
  return tokens === '' ? cost : `${cost}, tokens ${tokens}`;
}

/** An agent that is asked for a commit message answers in plain text, which reports no cost. */
function priceText(spent: Spending): string {
  const total = totalCost(spent);
  if (total === null) return 'cost unknown';
  const messages = spent.unknownCosts - spent.unknownWorkCosts;
  return `${estimatedText(costText(total.usd), total)}${messages === 0 ? '' : ` and ${plural(messages, 'commit-message call')} of unknown cost`}`;
}

export const estimatedText = (text: string, { isEstimated }: TotalCost) => (isEstimated ? `${text} (estimated)` : text);

const LABEL_COLUMNS = 12;

/** `   Runtime:    2m 16s`: one line of the summary of a run with many tasks or stories (seed 000). */
export function fact(label: string, ...spans: readonly Span[]): Line {
  return prose(span(`   ${`${label}:`.padEnd(LABEL_COLUMNS - 1)} `, 'dim'), ...spans);
}

/** What the run cost, and how it ended. */
export function endFacts({ outcome, state }: { readonly outcome: Outcome; readonly state: RunState }): readonly Line[] {
  return [
    ...costFacts(state),
    fact('Runtime', span(spacedDuration(workedMs(state)))),
    fact('Outcome', span(outcome.stop_reason, toneOf(outcome)), span(` (exit ${outcome.exit_code})`, 'dim')),
  ];
}

export function toneOf({ exit_code }: Outcome): Tone {
  return exit_code === 0 ? 'good' : 'bad';
}

function costFacts({ spent }: RunState): readonly Line[] {
  const total = totalCost(spent);
  return total === null || total.usd === 0 ? [] : [fact('Cost', span(estimatedText(costText(total.usd), total)))];
}
