import { endingText } from '../../journal/ending-text.ts';
import { type Spending, totalCost } from '../../journal/state/spending.ts';
import type { ClosedIteration, RunState } from '../../journal/state/state.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import type { OwnWorktree } from '../../settings/schema/run-settings.ts';
import { blank, type Line, prose, type Span, span } from './line.ts';
import { shorten } from './look.ts';
import { provenText, receiptText } from './proof-lines.ts';
import { refusedRows } from './sandbox-lines.ts';
import { commitText } from './scm-lines.ts';
import { fineCostText, plural, secondsText, tokensText, workedMs } from './spent-text.ts';
import { type Ended, estimatedText } from './summary-lines.ts';

const COMMAND_CHARS = 60;
const PROBLEM_CHARS = 300;

/** The end of a loop's screen (seed 004): how it ended, what it cost, where the result is, and one line for each iteration. */
export function loopSummaryLines(ended: Ended): readonly Line[] {
  const { outcome, state, closed } = ended;
  const isDone = outcome.exit_code === 0;
  return [
    blank,
    prose(span(`--- Ralph Loop ${isDone ? 'Completed' : 'Finished'} ---`, isDone ? 'good' : 'bad')),
    prose(span(outcome.message, isDone ? 'good' : 'bad')),
    fact('Iterations', span(`${state.opened}`)),
    fact('Total cost', span(totalCostText(state.spent)), span(tokens(state.spent), 'dim')),
    fact('Duration', span(secondsText(workedMs(state)))),
    fact('Reason', span(outcome.stop_reason, isDone ? 'good' : 'bad'), span(` (exit ${outcome.exit_code})`, 'dim')),
    ...proofLines(ended),
    ...commitLines(state),
    ...(state.receipt ? [fact('Receipt', span(receiptText(state.receipt)))] : []),
    ...refusedRows(state.refused),
    ...worktreeLines(state),
    ...earlierLines(state.opened - closed.length),
    ...closed.map(iterationLine),
  ];
}

/** The same without the iterations, for --quiet. */
export function briefLoopSummaryLines(ended: Ended): readonly Line[] {
  const { outcome, state } = ended;
  const figures = [plural(state.opened, 'iteration'), totalCostText(state.spent), secondsText(workedMs(state))].join(', ');
  return [
    prose(span(outcome.message, outcome.exit_code === 0 ? 'good' : 'bad')),
    prose(span(`${outcome.stop_reason}: ${figures}`)),
    ...proofLines(ended),
    ...(state.commits.problem === null ? [] : commitLines(state)),
    ...worktreeLines(state),
  ];
}

function fact(label: string, ...spans: readonly Span[]): Line {
  return prose(span(`${label}: `, 'dim'), ...spans);
}

function totalCostText(spent: Spending): string {
  const total = totalCost(spent);
  return total === null ? 'unknown' : estimatedText(fineCostText(total.usd), total);
}

function tokens(spent: Spending): string {
  const text = tokensText(spent);
  return text === '' ? '' : ` (tokens ${text})`;
}

/** What proves the good end; otherwise what prevents it. */
function proofLines({ outcome, state, judged }: Ended): readonly Line[] {
  const zeroWork = outcome.zero_work ? [fact('Work', span('ZERO WORK: nothing has changed since the start', 'busy'))] : [];
  if (outcome.exit_code === 0) return [fact('Proof', outcome.unproven ? span('none: no check was given', 'busy') : provenBy(state)), ...zeroWork];
  const red = judged.filter(({ green }) => !green).map(({ gate, ending }) => `${shorten(gate.command, COMMAND_CHARS)} (${endingText(ending)})`);
  return [...(red.length === 0 ? [] : [fact('Red checks', span(red.join(', '), 'bad'))]), ...zeroWork];
}

function provenBy({ run, proof }: RunState): Span {
  const commands = run?.settings.gates.map(({ command }) => shorten(command, COMMAND_CHARS)) ?? [];
  return span(`${commands.join(', ')}${provenText(proof)}`, 'good');
}

function commitLines({ run, commits: { count, last, problem } }: RunState): readonly Line[] {
  if (!run?.settings.scm) return [];
  const made = fact('Commits', span(last ? `${count}, last ${commitText(last)}` : 'none'));
  return problem === null ? [made] : [made, fact('Not committed', span(shorten(problem, PROBLEM_CHARS), 'bad'))];
}

function worktreeLines({ run, commits, stopped }: RunState): readonly Line[] {
  const worktree = run?.settings.loop?.worktree;
  if (!worktree) return [];
  const isAllCommitted = commits.count > 0 && commits.problem === null && stopped?.exit_code === 0;
  const commands = [...(commits.count > 0 ? committedCommands(worktree) : []), ...(isAllCommitted ? [] : [gitIn(worktree.path, 'status')])];
  return [fact('Worktree', span(worktree.path), span(` on branch ${worktree.branch}`, 'dim')), ...commands.map((command) => prose(span(`  ${command}`)))];
}

/** Three dots: only the changes of the branch, however far the operator's own branch has moved. */
function committedCommands({ repository, branch }: OwnWorktree): readonly string[] {
  return [gitIn(repository, 'diff', `HEAD...${branch}`), gitIn(repository, 'merge', branch)];
}

function gitIn(folder: string, ...words: readonly string[]): string {
  return ['git', '-C', folder, ...words].map(shellQuote).join(' ');
}

function earlierLines(count: number): readonly Line[] {
  return count > 0 ? [prose(span(`  ... ${plural(count, 'iteration')} before these`, 'dim'))] : [];
}

/** `  Iter 2: [PASS] [TAG] steps=3 cost=$0.0089` (seed 004). */
function iterationLine({ number, result, claim, entry }: ClosedIteration): Line {
  const verdict = result === 'abandoned' ? '[LEFT]' : entry.passed ? '[PASS]' : '[FAIL]';
  return prose(
    span(`  Iter ${number}: `),
    span(verdict, entry.passed ? 'good' : 'bad'),
    span(`${claim ? ' [TAG]' : ''} steps=${entry.steps} cost=${fineCostText(entry.costUsd)}`),
  );
}
