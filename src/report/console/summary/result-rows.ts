import type { ClosedIteration, RunState } from '../../../journal/state/state.ts';
import type { TaskReceipts } from '../../../journal/state/work-state.ts';
import { causeText } from '../../../journal/words/outcome.ts';
import { plural } from '../../../kit/pure/amounts.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { factsOf, ownWorktreeOf } from '../../../settings/schema/recipe-facts.ts';
import type { OwnWorktree } from '../../../settings/schema/run-settings.ts';
import { receiptText } from '../gates/proof-lines.ts';
import { type Line, type Span, span } from '../line.ts';
import { row, shorten } from '../look.ts';
import { fineCostText } from '../spent-text.ts';
import type { Ended } from './ended.ts';

const PROBLEM_CHARS = 300;

/** Where the receipts are, and how to verify them. */
export function receiptRows(state: RunState): readonly Line[] {
  const { receipt, tasks, stories, run } = state;
  const many = tasks.receipts ?? stories.receipts;
  return [...(receipt ? [row('receipt', span(receiptText(receipt)))] : []), ...(many ? [receiptsRow(many, run?.id ?? '')] : [])];
}

function receiptsRow({ count, folder, unsigned }: TaskReceipts, run: string): Line {
  const why = unsigned === null ? '' : `, unsigned: ${shorten(unsigned, PROBLEM_CHARS)}`;
  return row('receipts', span(`${count} in ${folder}`), span(` (ralph verify ${run})${why}`, 'dim'));
}

/** Where the result is that is in a worktree, and the commands that show or take it. After a good end it may land by itself. */
export function worktreeRows({ run, commits, stopped }: RunState): readonly Line[] {
  if (run === null) return [];
  const worktree = ownWorktreeOf(run.settings) ?? (stopped?.exit_code === 0 ? null : run.settings.landing?.worktree);
  if (!worktree) return [];
  const isAllCommitted = commits.count > 0 && commits.problem === null && stopped?.exit_code === 0;
  const commands = [...(commits.count > 0 ? committedCommands(worktree) : []), ...(isAllCommitted ? [] : [gitIn(worktree.path, 'status')])];
  return [row('worktree', span(worktree.path), span(` on branch ${worktree.branch}`, 'dim')), ...commands.map((command) => row('', span(command)))];
}

/** Three dots: only the changes of the branch, however far the operator's own branch has moved. */
function committedCommands({ repository, branch }: OwnWorktree): readonly string[] {
  return [gitIn(repository, 'diff', `HEAD...${branch}`), gitIn(repository, 'merge', branch)];
}

function gitIn(folder: string, ...words: readonly string[]): string {
  return ['git', '-C', folder, ...words].map(shellQuote).join(' ');
}

/** One row for each iteration of a loop. */
export function iterationRows({ state, closed }: Ended): readonly Line[] {
  if (state.run === null || !factsOf(state.run.settings).keepsProgress) return [];
  const earlier = state.opened - closed.length;
  const rows = [...(earlier > 0 ? [[span(`${plural(earlier, 'iteration')} before these`, 'dim')]] : []), ...closed.map(iterationSpans)];
  return rows.map((spans, index) => row(index === 0 ? 'iterations' : '', ...spans));
}

/** `2: passed, claimed, 3 tool calls, $0.0089`. */
function iterationSpans({ number, result, claim, entry }: ClosedIteration): readonly Span[] {
  const verdict = result === 'abandoned' ? 'left unfinished' : entry.passed ? 'passed' : 'failed';
  const cost = entry.costUsd === null ? 'cost unknown' : fineCostText(entry.costUsd);
  return [
    span(`${number}: `, 'dim'),
    span(verdict, entry.passed ? 'good' : 'bad'),
    span(`${claim ? ', claimed' : ''}, ${plural(entry.steps, 'tool call')}, ${cost}`),
    ...(entry.cause ? [span(`, cause: ${causeText(entry.cause)}`, 'bad')] : []),
  ];
}
