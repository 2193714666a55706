import { countStandings, type StoryStatus } from '../graph/plan-summary.ts';
import type { Standings } from '../graph/standing.ts';
import { tableLines } from '../../report/views/table-lines.ts';
import { printable } from '../../kit/pure/printable.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import type { ListedTask } from '../tasks/list-tasks.ts';
import { clockTime } from '../../report/terminal/clock-time.ts';

const HEAD = ['TASK', 'STATE', 'PRIORITY', 'HOLDER', 'SINCE', 'TITLE'] as const;
const LONGEST_TITLE = 80;
/** The last moment a date can name. */
const LAST_MS = 8_640_000_000_000_000;

/** A table for people, then how many of all stand how. */
export function taskTable(listed: readonly ListedTask[], standings: Standings, nowMs: number): readonly string[] {
  if (listed.length === 0) return ['There is no such task.', sumLine(standings)];
  return [...tableLines([HEAD, ...listed.map((each) => cells(each, nowMs))]), '', sumLine(standings)];
}

function cells({ task, state, hold }: ListedTask, nowMs: number): readonly string[] {
  const { id, priority, title } = task;
  return [
    printable(id),
    state,
    `${priority}`,
    holderText({ state, hold }),
    sinceText({ state, hold }, nowMs),
    printable(truncateCodePoints(title, LONGEST_TITLE, '…')),
  ];
}

/** Who has it, or had it last where a person has to see to it. */
export function holderText({ state, hold }: Pick<ListedTask, 'state' | 'hold'>): string {
  if (hold === null) return state === 'held' ? '(the plan says so)' : '';
  if (hold.register === null) return '(register unreadable)';
  return ['held', 'failed', 'conflict'].includes(state) ? printable(hold.register.holder?.name ?? '') : '';
}

export function sinceText({ state, hold }: Pick<ListedTask, 'state' | 'hold'>, nowMs: number): string {
  const at = hold?.register?.at ?? null;
  return at === null || Math.abs(at) > LAST_MS || !['held', 'failed', 'conflict'].includes(state) ? '' : clockTime(at, nowMs);
}

function sumLine(standings: Standings): string {
  const counts = Object.entries(countStandings(standings)).filter(([, count]) => count > 0);
  return `${standings.size} ${standings.size === 1 ? 'task' : 'tasks'}${counts.length === 0 ? '' : `: ${counts.map(([state, count]) => `${count} ${state}`).join(', ')}`}`;
}

/** `Stories: S-001 in-progress (1 of 3), S-002 pending (0 of 2)`; nothing where no task has one. */
export function storyLines(stories: readonly StoryStatus[]): readonly string[] {
  if (stories.length === 0) return [];
  return [`Stories: ${stories.map(({ id, status, complete, total }) => `${printable(id)} ${status} (${complete} of ${total})`).join(', ')}`];
}
