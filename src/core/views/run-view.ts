import type { RunState } from '../state.ts';

/** A run in the words of run.json and `--json`. Every number is one the loop measured. */
export interface RunView {
  readonly run_id: string;
  readonly recipe: string;
  readonly status: 'running' | 'stopped';
  readonly stop_reason: string | null;
  readonly message: string | null;
  readonly exit_code: number | null;
  readonly done: boolean;
  readonly claim: { readonly by: string; readonly text: string } | null;
  readonly unproven: boolean;
  readonly zero_work: boolean;
  readonly gates: readonly string[];
  readonly iterations: number;
  readonly maximum_iterations: number;
  readonly attempts: number;
  readonly review_cycles: number;
  readonly commits: number;
  readonly last_commit: string | null;
  /** Why the SCM tasks of the last green iteration came to nothing. */
  readonly scm_problem: string | null;
  readonly cost_usd: number | null;
  /** Attempts that did not say what they cost; those for a commit message never do, and are not in `cost_usd`. */
  readonly cost_untold_attempts: number;
  readonly tokens: { readonly input: number; readonly cache_read: number; readonly cache_write: number; readonly output: number };
  readonly tools: number;
  readonly tool_errors: number;
  readonly started_at: number;
  readonly duration_ms: number;
}

export function runView(state: RunState, nowMs: number): RunView {
  const { run, stopped, spent } = state;
  if (!run) throw new Error('A run that never started has no view.');
  return {
    run_id: run.id,
    recipe: run.settings.recipe,
    status: stopped ? 'stopped' : 'running',
    stop_reason: stopped?.stop_reason ?? null,
    message: stopped?.message ?? null,
    exit_code: stopped?.exit_code ?? null,
    done: stopped?.stop_reason === 'completed' || stopped?.stop_reason === 'all_checks_passed',
    claim: stopped?.claim ?? null,
    unproven: stopped?.unproven ?? run.settings.gates.length === 0,
    zero_work: stopped?.zero_work ?? false,
    gates: run.settings.gates.map((gate) => gate.command),
    iterations: state.opened,
    maximum_iterations: run.settings.maximumIterations,
    attempts: spent.attempts,
    review_cycles: state.reviews.cycles,
    commits: state.commits.count,
    last_commit: state.commits.last?.commit ?? null,
    scm_problem: state.commits.problem,
    cost_usd: spent.costKnown && spent.attempts > 0 ? spent.costUsd : null,
    cost_untold_attempts: spent.untold,
    tokens: { input: spent.input, cache_read: spent.cacheRead, cache_write: spent.cacheWrite, output: spent.output },
    tools: spent.tools,
    tool_errors: spent.toolErrors,
    started_at: run.startedAtMs,
    duration_ms: Math.max(0, nowMs - run.startedAtMs),
  };
}
