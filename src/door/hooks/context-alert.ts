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
  /** No later alert for this threshold or a lower one. */
  readonly threshold: number;
}

/** The alert about the context window; null: there is nothing new to say. If several thresholds are crossed at once, only the highest is mentioned. */
export function contextAlert({ tokens, window, told }: { readonly tokens: number; readonly window: number; readonly told: number }): ContextAlert | null {
  const percent = Math.min(100, Math.max(0, Math.floor((tokens / window) * 100)));
  const level = LEVELS.findLast(({ threshold }) => percent >= threshold);
  if (level === undefined || level.threshold <= told) return null;
  const { threshold, severity, advice } = level;
  return { threshold, text: `${severity}: Context window is at ~${percent}% usage (crossed ${threshold}% threshold). ${advice}` };
}

const USUAL = 200_000;
const LARGE = 1_000_000;

interface WindowHints {
  /** The value of `CLAUDE_CONTEXT_WINDOW`. */
  readonly said: string | undefined;
  /** Possible names of the model. Only the one who requested it adds `[1m]`. */
  readonly models: readonly (string | null | undefined)[];
  /** Tokens counted in one request; null: unknown. */
  readonly counted: number | null;
}

/** The size of the agent's context window in tokens. If one request had more tokens than the small window holds, the window must be the large one. */
export function contextWindow({ said, models, counted }: WindowHints): number {
  const own = positiveNumber(said);
  if (own !== null) return own;
  const isLarge = models.some((model) => model?.toLowerCase().includes('[1m]')) || (counted ?? 0) > USUAL;
  return isLarge ? LARGE : USUAL;
}

/** Null for empty text, for text that is not a number, and for numbers that are not positive. */
export function positiveNumber(text: string | undefined): number | null {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && number > 0 ? number : null;
}

export interface TranscriptUsage {
  /** All tokens in the window with the last answer. */
  readonly tokens: number;
  readonly model: string | null;
}

/** Claude records its own errors as answers of this model. */
const NO_MODEL = '<synthetic>';

/** The last request of the agent itself, from the end of its transcript; null: there is none. The first line may be cut. */
export function transcriptUsage(tail: string): TranscriptUsage | null {
  for (let end = tail.length; end > 0; ) {
    const start = tail.lastIndexOf('\n', end - 1) + 1;
    const usage = usageIn(tail.slice(start, end));
    if (usage !== null) return usage;
    end = start - 1;
  }
  return null;
}

function usageIn(line: string): TranscriptUsage | null {
  if (!line.includes('"usage"') || !line.includes('"assistant"')) return null;
  const entry = parsed(line);
  if (entry?.type !== 'assistant' || entry.isSidechain === true) return null;
  const { usage, model = null } = entry.message ?? {};
  if (!usage || model === NO_MODEL) return null;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage;
  const tokens = [input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens].reduce<number>((sum, part) => sum + count(part), 0);
  return tokens > 0 ? { tokens, model: typeof model === 'string' ? model : null } : null;
}

interface Entry {
  readonly type?: unknown;
  readonly isSidechain?: unknown;
  readonly message?: { readonly model?: unknown; readonly usage?: Readonly<Record<string, unknown>> | null } | null;
}

function parsed(line: string): Entry | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const count = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0);
