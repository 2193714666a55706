import { lastClaimed, redStreak, streakText } from '../../../journal/closed-iterations.ts';
import { endingText } from '../../../journal/ending-text.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { howToResume, isCutShort, type Outcome, outcomeText } from '../../../journal/words/outcome.ts';
import { formatDuration, plural } from '../../../kit/pure/amounts.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import { runCauseText } from '../cause-lines.ts';
import { provenText, wordsForDone } from '../gates/proof-lines.ts';
import { blank, type Line, prose, type Span, span, type Tone } from '../line.ts';
import { type DisplaySettings, row, sentence, shorten } from '../look.ts';
import { needsSpans } from '../question-lines.ts';
import type { RecipeScreen } from '../recipe-screen.ts';
import { refusedRows } from '../sandbox-lines.ts';
import { commitText } from '../scm-lines.ts';
import { workedMs } from '../spent-text.ts';
import type { Ended } from './ended.ts';
import { spentText, unseenLimitText } from './money-lines.ts';
import { iterationRows, receiptRows, worktreeRows } from './result-rows.ts';

const PROBLEM_CHARS = 300;

/** The end of the screen, for every recipe: why the run ended, what proves it, where the result is, and what it cost. */
export function summaryLines(ended: Ended, screen: RecipeScreen, look: DisplaySettings): readonly Line[] {
  const { outcome, state } = ended;
  return [
    blank,
    ...headlines(ended, screen, look),
    row('outcome', span(outcomeText(outcome), toneOf(outcome)), span(` (exit ${outcome.exit_code})`, 'dim')),
    ...causeRows(ended),
    ...proofRows(ended),
    ...(outcome.zero_work ? [row('work', span('ZERO WORK: nothing has changed since the start', 'busy'))] : []),
    ...commitRows(state),
    ...screen.summaryRows(ended),
    ...receiptRows(state),
    ...worktreeRows(state),
    ...refusedRows(state.refused),
    sentence('took', span(effort(ended))),
    sentence('spent', span(spentText(state))),
    ...unseenRows(state),
    ...iterationRows(ended),
    ...needsRows(state),
    ...screen.goOnRows(ended),
  ];
}

/** The last line of a run that somebody or a usage limit cut short. A run on stories names the command among its facts. */
export function resumeRows(event: EventBody, { run }: RunState): readonly Line[] {
  if (event.type !== 'run.stopped' || !isCutShort(event.outcome) || run === null || factsOf(run.settings).hasStories) return [];
  return [row('continue', span(howToResume(run.id), 'strong'))];
}

/** The same in a few lines, for --quiet. */
export function briefSummaryLines(ended: Ended, screen: RecipeScreen, look: DisplaySettings): readonly Line[] {
  const { outcome, state } = ended;
  const standing = proof(ended)?.spans;
  const cause = runCauseText(state, outcome);
  return [
    ...headlines(ended, screen, look),
    prose(
      span(`${outcomeText(outcome)}: ${[...screen.figures(ended), effort(ended), spentText(state)].join(', ')}`),
      ...(cause === null ? [] : [span(`, cause: ${cause}`, 'bad')]),
      ...(standing ? [span(', '), ...standing] : []),
      ...(outcome.zero_work ? [span(', ZERO WORK', 'busy')] : []),
    ),
    ...unseenRows(state),
    ...scmProblemRows(state),
    ...worktreeRows(state),
    ...needsRows(state),
    ...screen.goOnRows(ended),
  ];
}

function headlines(ended: Ended, screen: RecipeScreen, look: DisplaySettings): readonly Line[] {
  return screen.headline(ended, look) ?? [prose(span(ended.outcome.message, toneOf(ended.outcome)))];
}

function causeRows({ state, outcome }: Ended): readonly Line[] {
  const cause = runCauseText(state, outcome);
  return cause === null ? [] : [row('cause', span(cause, 'bad'))];
}

function needsRows(state: RunState): readonly Line[] {
  const spans = needsSpans(state);
  return spans === null ? [] : [row('needs you', ...spans)];
}

function unseenRows(state: RunState): readonly Line[] {
  const text = unseenLimitText(state);
  return text === null ? [] : [row('WARNING', span(text, 'busy'))];
}

interface Standing {
  readonly label: string;
  readonly spans: readonly Span[];
}

function proofRows(ended: Ended): readonly Line[] {
  const standing = proof(ended);
  return standing === null ? [] : [sentence(standing.label, ...standing.spans), ...redAtStartRows(ended)];
}

/** What the run has turned green. */
function redAtStartRows({ outcome, state: { baseline, run } }: Ended): readonly Line[] {
  const red = baseline?.filter(({ command, green }) => !green && run?.settings.gates.some((gate) => gate.command === command)) ?? [];
  if (outcome.exit_code !== 0 || red.length === 0) return [];
  return [row('now green', span(`${red.map(({ command }) => shorten(command, 60)).join(', ')}, red before the first iteration`, 'good'))];
}

/** The claim and its proof; without a claim, what prevents one. Null when unknown. Tasks and stories have claims of their own. */
function proof({ outcome, state, judged, closed }: Ended): Standing | null {
  if (factsOf(state.run?.settings).hasItems) return null;
  if (outcome.claim) return { label: 'claim', spans: [span(`"${shorten(outcome.claim.text, 60)}", `), provenBy(outcome, state)] };
  if (outcome.exit_code === 0) return { label: 'proof', spans: [provenBy(outcome, state)] };
  const red = judged.filter((result) => !result.green).map((result) => redText(result, closed));
  return red.length === 0 ? unclaimed({ outcome, state, judged }) : { label: 'checks', spans: [span(`red: ${red.join(', ')}`, 'bad')] };
}

/** A run whose prompt does not ask for the word goes on after green checks, and nobody would know why. */
function unclaimed({ outcome, state, judged }: Pick<Ended, 'outcome' | 'state' | 'judged'>): Standing | null {
  const { run } = state;
  const isSpent = outcome.stop_reason === 'max_iterations' || outcome.stop_reason === 'stuck';
  if (!isSpent || run === null || factsOf(run.settings).countsStarts || judged.length === 0 || lastClaimed(state) !== null) return null;
  const advice = factsOf(run.settings).command === 'loop' ? '--require-tag auto does without it' : 'ask for it in the prompt';
  return { label: 'checks', spans: [span(`green, but the agent never answered ${wordsForDone(run.settings).join(' or ')}: ${advice}`, 'busy')] };
}

function provenBy({ unproven }: Outcome, { run, proof: found }: RunState): Span {
  if (unproven) return span('UNPROVEN: no check was given', 'busy');
  const commands = run?.settings.gates.map(({ command }) => shorten(command, 60)) ?? [];
  return span(`proven by: ${commands.join(', ')}${provenText({ run, proof: found })}`, 'good');
}

/** `make test (exit 1, in the last 3 iterations)`. */
function redText({ gate, ending }: GateResult, closed: Ended['closed']): string {
  const streak = redStreak(closed, gate.command);
  return `${shorten(gate.command, 60)} (${endingText(ending)}${streak < 2 ? '' : `, ${streakText(streak)}`})`;
}

function effort({ state }: Ended): string {
  const { attempts, tools, toolErrors } = state.spent;
  const elapsed = formatDuration(workedMs(state));
  const iterations = factsOf(state.run?.settings).countsStarts ? [] : [plural(state.opened, 'iteration')];
  const calls = tools === 0 ? [] : [`${plural(tools, 'tool call')}${toolErrors === 0 ? '' : ` (${toolErrors} failed)`}`];
  return [elapsed, ...iterations, plural(attempts, 'attempt'), ...calls].join(', ');
}

/** The commits, and why the last SCM tasks failed. */
function commitRows(state: RunState): readonly Line[] {
  const { count, last } = state.commits;
  if (!state.run?.settings.scm) return [];
  return [row('commits', span(last ? `${count}, last ${commitText(last)}` : 'none')), ...scmProblemRows(state)];
}

function scmProblemRows({ run, commits: { problem } }: RunState): readonly Line[] {
  return !run?.settings.scm || problem === null ? [] : [row('scm', span(`not done: ${shorten(problem, PROBLEM_CHARS)}`, 'bad'))];
}

export function toneOf({ exit_code }: Outcome): Tone {
  return exit_code === 0 ? 'good' : 'bad';
}
