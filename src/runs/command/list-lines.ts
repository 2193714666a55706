import { printable } from '../../kit/pure/text.ts';
import { storyName } from '../../plans/review/turn.ts';
import { shorten } from '../../report/console/look.ts';
import { questionText } from '../../report/console/question-text.ts';
import { clockTime } from '../../report/terminal/paint.ts';
import { alignRows } from '../../report/views/align-rows.ts';
import type { CurrentStory } from '../manage/current-story.ts';
import type { RunWithStatus } from '../manage/find-run.ts';
import type { TreeRow } from '../manage/run-tree.ts';

const HEAD = ['RUN', 'RECIPE', 'STATE', 'STARTED', 'TASK'] as const;

const QUESTION_CHARS = 80;

/** A run in the list, with its current story if it works on stories. */
export interface ListedRun extends TreeRow {
  readonly stories: CurrentStory | null;
}

/** Deeper rows are not indented any further: nobody nests that deep on purpose. */
const DEEPEST = 8;

/** A table for people; children stand below their parents. */
export function listLines(rows: readonly ListedRun[], leftOut: number, nowMs: number): readonly string[] {
  if (rows.length === 0) return ['There are no runs here.'];
  const more = leftOut === 0 ? [] : [`and ${leftOut} more: ralph runs list --all`];
  return [...alignRows([HEAD, ...rows.map((row) => cells(row, nowMs))]), ...more];
}

function cells({ told, depth, isLast, stories }: ListedRun, nowMs: number): readonly string[] {
  const { sight } = told;
  const name = `${branch(depth, isLast)}${printable(sight.run)}`;
  if (sight.kind === 'unreadable') return [name, '-', standingText(told), '-', printable(sight.why)];
  const place = sight.task === null ? storyText(stories) : `${sight.task.project}/${sight.task.task}`;
  return [name, printable(sight.recipe), standingText(told), clockTime(sight.startedAtMs, nowMs), printable(place)];
}

/** `US-001 (review)`, or the open question; empty for a run without a current story. */
function storyText(at: CurrentStory | null): string {
  if (at === null) return '';
  const inHand = at.story === null ? [] : [`${storyName(at.story)} (${at.mode ?? 'unknown'})`];
  const asked = at.question === null ? [] : [shorten(questionText({ ...at.question, task: at.question.story }), QUESTION_CHARS)];
  return [...inHand, ...asked].join('; ');
}

function branch(depth: number, isLast: boolean): string {
  return depth === 0 ? '' : `${'  '.repeat(Math.min(depth, DEEPEST) - 1)}${isLast ? '└─' : '├─'}`;
}

/** The status of a run in one or two words. */
export function standingText({ sight, state, isRecorded }: RunWithStatus): string {
  if (!isRecorded) return `${state} (not recorded)`;
  if (sight.kind !== 'run' || sight.stopped === null || state === 'done' || state === 'interrupted') return state;
  const { stop_reason } = sight.stopped;
  return stop_reason === state ? state : `${state}: ${stop_reason}`;
}
