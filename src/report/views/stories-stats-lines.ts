import { formatDuration } from '../../kit/pure/duration.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { StoryMode } from '../../journal/words/story.ts';
import { shorten } from '../console/excerpt.ts';
import { costText } from '../console/spent-text.ts';
import type { ModeStats, StoriesStats, StoryStats } from './stories-stats.ts';
import { tableLines } from './table-lines.ts';

const ID_CHARS = 40;
const TITLE_CHARS = 60;
const MODES: readonly StoryMode[] = ['implement', 'review', 'review-fix'];

/** The same for people: two tables and what both do not say. */
export function statsLines({ stories, modes, cap_hits, stops_refused }: StoriesStats): readonly string[] {
  return [
    ...tableLines([['STORY', 'ITERATIONS', 'REVIEWS', 'APPROVED', 'REJECTED', 'TITLE'], ...stories.map(storyCells)]),
    '',
    ...tableLines([['MODE', 'ITERATIONS', 'ATTEMPTS', 'TIME', 'COST'], ...MODES.map((mode) => modeCells(mode, modes[mode]))]),
    '',
    `Approved at the review cap: ${cap_hits}`,
    ...(stops_refused === 0 ? [] : [`Kept from stopping: ${stops_refused === 1 ? 'once' : `${stops_refused} times`}`]),
  ];
}

function storyCells({ id, title, reviews, approvals, rejections, at_cap, iterations }: StoryStats): readonly string[] {
  return [text(id, ID_CHARS), `${iterations}`, `${reviews}`, approvedText(approvals, at_cap), `${rejections}`, text(title, TITLE_CHARS)];
}

function approvedText(approvals: number, atCap: boolean): string {
  if (!atCap) return `${approvals}`;
  return approvals === 0 ? 'at cap' : `${approvals}, at cap`;
}

function modeCells(mode: StoryMode, { iterations, attempts, duration_ms, cost_usd }: ModeStats): readonly string[] {
  return [mode, `${iterations}`, `${attempts}`, formatDuration(duration_ms), cost_usd === null ? 'unknown' : costText(cost_usd)];
}

const text = (value: string, chars: number) => printable(shorten(value, chars));
