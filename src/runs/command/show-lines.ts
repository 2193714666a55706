import { endingText } from '../../journal/ending-text.ts';
import { tableLines } from '../../report/views/table-lines.ts';
import { formatBytes } from '../../kit/pure/byte-size.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import { printable } from '../../kit/pure/printable.ts';
import { howToResume } from '../../journal/words/how-to-resume.ts';
import type { ShownIteration } from '../manage/iterations-of.ts';
import type { ShownRun } from '../manage/show-run.ts';
import { clockTime } from '../../report/terminal/clock-time.ts';
import { standingText } from './standing-text.ts';
import { storiesLines } from './stories-lines.ts';

const MOST_FILES = 12;

/** All of one run on a page. */
export function showLines(shown: ShownRun, nowMs: number): readonly string[] {
  const { told, view, iterations, children } = shown;
  const { sight, parent } = told;
  const cost = view.cost_usd === null ? 'unknown' : `$${view.cost_usd.toFixed(2)}`;
  return [
    `Run ${sight.run} (${sight.recipe}): ${standingText(told)}${view.message === null ? '' : `: ${printable(view.message)}`}`,
    `Started ${clockTime(sight.startedAtMs, nowMs)} in ${printable(sight.cwd)}, time ${formatDuration(view.duration_ms)}, cost ${cost}`,
    ...(sight.task === null ? [] : [`Task ${sight.task.project}/${sight.task.task} in ${printable(sight.task.folder)}`]),
    ...(parent === null ? [] : [`Asked for by run ${printable(parent)}`]),
    ...(sight.worktree === null ? [] : [`Worktree ${printable(sight.worktree)}`]),
    ...(view.stories === null ? [] : storiesLines(view.stories)),
    ...adviceFor(shown),
    ...section('Iterations', iterations.length === 0 ? [] : tableLines([['#', 'RESULT', 'ENDING', 'TIME', 'COST'], ...iterations.flatMap(iterationRows)])),
    ...section(
      'Children',
      children.map((child) => `${printable(child.sight.run)}  ${standingText(child)}`),
    ),
    ...section('Files', fileLines(shown)),
  ];
}

function adviceFor({ told: { sight, state, isRecorded } }: ShownRun): readonly string[] {
  if (state !== 'dead' && state !== 'waiting' && isRecorded) return [];
  return [`Continue it with: ${howToResume(sight.run)}`];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

/** One row for each attempt; what is of the iteration stands beside the first. */
function iterationRows({ iteration, result, attempts, openedAtMs, closedAtMs }: ShownIteration): readonly (readonly string[])[] {
  const name = `${iteration}`;
  if (attempts.length === 0) return [[name, result ?? 'open', '', closedAtMs === null ? '' : formatDuration(closedAtMs - openedAtMs), '']];
  return attempts.map(({ role, verdict, ending, why, duration_ms, spent }, index) => [
    index === 0 ? name : '',
    index === 0 ? (result ?? 'open') : '',
    `${role === 'work' ? '' : `${role} `}${verdict}: ${printable(why || endingText(ending))}`,
    formatDuration(duration_ms),
    spent?.cost_usd == null ? '' : `$${spent.cost_usd.toFixed(2)}`,
  ]);
}

function fileLines({ told, files }: ShownRun): readonly string[] {
  const listed = files.slice(0, MOST_FILES).map(({ path, bytes }) => `${printable(path)}  ${formatBytes(bytes)}`);
  const more = files.length > MOST_FILES ? [`and ${files.length - MOST_FILES} more`] : [];
  return [printable(told.sight.folder), ...listed, ...more];
}
