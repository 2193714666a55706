interface Level {
  readonly threshold: number;
  readonly severity: 'NOTICE' | 'WARNING' | 'CRITICAL';
  readonly advice: string;
}

const MINDFUL =
  'Be mindful of remaining space. Plan to finish your current task within this session. If you discover follow-up work, add new stories to tasks.json — the next iteration will pick them up.';
const FINISH =
  'Finish your current task and commit soon. Do not start additional tasks. If work remains, create new stories in tasks.json for the next iteration and capture any implementation details or insights in progress.txt so the next iteration has full context.';
const WRAP_UP =
  'Wrap up immediately. Do NOT start new work. Instead: (1) create tasks in tasks.json for any remaining work, (2) write implementation details, insights, and handoff notes to progress.txt, (3) commit all changes, (4) stop. The next iteration will continue from where you left off.';

/** Seed 003, section 5a. */
const LEVELS: readonly Level[] = [
  { threshold: 50, severity: 'NOTICE', advice: MINDFUL },
  { threshold: 60, severity: 'NOTICE', advice: MINDFUL },
  { threshold: 70, severity: 'WARNING', advice: FINISH },
  { threshold: 80, severity: 'WARNING', advice: FINISH },
  { threshold: 90, severity: 'CRITICAL', advice: WRAP_UP },
];

export interface ContextAlert {
  readonly text: string;
  /** From here on nothing is said of this threshold and of those below it. */
  readonly threshold: number;
}

/** What an agent is told of its window; null: nothing it does not know. Of several thresholds crossed at once only the highest is told. */
export function contextAlert({ tokens, window, told }: { readonly tokens: number; readonly window: number; readonly told: number }): ContextAlert | null {
  const percent = Math.min(100, Math.max(0, Math.floor((tokens / window) * 100)));
  const level = LEVELS.findLast(({ threshold }) => percent >= threshold);
  if (level === undefined || level.threshold <= told) return null;
  const { threshold, severity, advice } = level;
  return { threshold, text: `${severity}: Context window is at ~${percent}% usage (crossed ${threshold}% threshold). ${advice}` };
}
