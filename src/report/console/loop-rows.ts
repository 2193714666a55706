import { formatDuration } from '../../kit/pure/duration.ts';
import type { LoopSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import { shorten } from './excerpt.ts';
import { isLoop } from './gate-words.ts';
import { type Line, prose, span } from './line.ts';
import { row } from './rows.ts';
import { costText } from './spent-text.ts';

const PATTERNS_CHARS = 300;

/** `Ralph Loop: 2 check(s), max 25 iterations [worktree]` (seed 004). */
export function loopTitle(settings: RunSettings): readonly Line[] {
  if (!isLoop({ settings })) return [];
  const { gates, maximumIterations, loop } = settings;
  const maximum = maximumIterations === 0 ? 'any number of iterations' : `max ${maximumIterations} iterations`;
  return [prose(span(`Ralph Loop: ${gates.length} check(s), ${maximum}${loop?.worktree ? ' [worktree]' : ''}`))];
}

/** What a loop was given beyond a run; what was not asked for is not mentioned. */
export function loopRows({ loop }: RunSettings): readonly Line[] {
  if (loop === null) return [];
  const { spec, worktree, protect } = loop;
  return [
    ...optional('budget', budgetText(loop)),
    ...optional('spec', spec && `${spec.path}, ${spec.follow ? 'obeyed when it changes' : 'as it is now'}`),
    ...optional('worktree', worktree && `${worktree.path}, branch ${worktree.branch}`),
    ...optional('protected', protect.length === 0 ? null : shorten(protect.join(', '), PATTERNS_CHARS)),
    ...optional('verified', loop.verifyClean ? 'once more in a fresh checkout before a good end' : null),
  ];
}

function budgetText({ budget: { costUsd, timeMs } }: LoopSpec): string | null {
  return [...(costUsd === null ? [] : [costText(costUsd)]), ...(timeMs === 0 ? [] : [`${formatDuration(timeMs)} in all`])].join(', ') || null;
}

function optional(label: string, fact: string | null): readonly Line[] {
  return fact === null ? [] : [row(label, span(fact))];
}
