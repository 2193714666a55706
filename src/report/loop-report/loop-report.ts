import type { GateResult } from '../../journal/events/gates.ts';
import { totalCost } from '../../journal/state/spending.ts';
import type { Cause } from '../../journal/words/outcome.ts';
import { ownWorktreeOf, specFileOf } from '../../settings/schema/recipe-facts.ts';
import { workedMs } from '../console/spent-text.ts';
import type { Refusal } from '../history/refusals.ts';
import type { IterationRecord, RunHistory } from '../history/run-history.ts';
import { type SandboxView, sandboxView } from '../views/run-view.ts';

/** The summary of a loop, in the terms of the seed's reports. Costs are in US dollars, and null when an agent reported none. */
export interface LoopReport {
  readonly run_id: string;
  readonly task: string;
  readonly spec: string | null;
  readonly agent: string;
  readonly model: string | null;
  readonly status: 'success' | 'failed';
  /** Null while it runs, or if it died. */
  readonly stop_reason: string | null;
  readonly message: string | null;
  readonly duration_seconds: number;
  readonly steps: number;
  readonly total_cost: number | null;
  /** True when part of it was estimated from tokens and prices. */
  readonly cost_is_estimated: boolean;
  readonly checks: readonly string[];
  /** Before the first iteration; null when the checks were not run. */
  readonly baseline: readonly ReportedCheck[] | null;
  readonly iterations: readonly ReportedIteration[];
  /** Null when git could not tell. */
  readonly files_modified: readonly string[] | null;
  readonly errors: readonly string[];
  readonly sandbox: SandboxView;
  readonly worktree: { readonly path: string; readonly branch: string } | null;
  readonly receipt: { readonly file: string; readonly commit: string | null } | null;
}

export interface ReportedIteration {
  readonly iteration: number;
  readonly steps: number;
  readonly cost: number | null;
  readonly duration: number;
  readonly check_results: readonly ReportedCheck[];
  readonly all_checks_passed: boolean;
  /** In a fresh checkout; null when that was not asked for. */
  readonly clean_check_results: readonly ReportedCheck[] | null;
  readonly completion_tag_found: boolean;
  readonly error: string | null;
  /** The class of that failure. */
  readonly cause: Cause | null;
  readonly restored: readonly string[];
}

export interface ReportedCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly output: string;
  readonly flaky: boolean;
}

/** `stat` is git's summary of all changes. */
export function loopReport({ state, iterations: all, baseline, refusals }: RunHistory, stat: string | null = null): LoopReport {
  const { run, stopped, spent } = state;
  if (!run) throw new Error('A run that never started has no report.');
  const { settings } = run;
  const worktree = ownWorktreeOf(settings);
  const iterations = all.flatMap(iterationOf);
  const complaints = [...refusals.first, ...refusals.last].flatMap(complaintOf);
  return {
    run_id: run.id,
    task: settings.prompt.from === 'text' ? settings.prompt.text : settings.prompt.path,
    spec: specFileOf(settings)?.path ?? null,
    agent: settings.agent.command,
    model: settings.agent.model,
    status: stopped?.exit_code === 0 ? 'success' : 'failed',
    stop_reason: stopped?.stop_reason ?? null,
    message: stopped?.message ?? null,
    duration_seconds: workedMs(state) / 1000,
    steps: spent.tools,
    total_cost: totalCost(spent)?.usd ?? null,
    cost_is_estimated: totalCost(spent)?.isEstimated ?? false,
    checks: settings.gates.map(({ command }) => command),
    baseline: checksOf(baseline),
    iterations,
    files_modified: stat === null ? null : filesOf(stat),
    errors: [...iterations.flatMap(errorsOf), ...complaints],
    sandbox: sandboxView(settings.wall, state.refused),
    worktree: worktree && { path: worktree.path, branch: worktree.branch },
    receipt: state.receipt && { file: state.receipt.file, commit: state.receipt.commit },
  };
}

/** Only iterations that have ended. */
function iterationOf({ iteration, entry, claim, checks, cleanChecks, restored }: IterationRecord): readonly ReportedIteration[] {
  if (entry === null) return [];
  const results = checksOf(checks) ?? [];
  return [
    {
      iteration,
      steps: entry.steps,
      cost: entry.costUsd,
      duration: entry.durationMs / 1000,
      check_results: results,
      all_checks_passed: results.length > 0 && results.every(({ passed }) => passed),
      clean_check_results: checksOf(cleanChecks),
      completion_tag_found: claim !== null,
      error: entry.error,
      cause: entry.cause ?? null,
      restored,
    },
  ];
}

function checksOf(results: readonly GateResult[] | null): readonly ReportedCheck[] | null {
  return results?.map(({ gate, green, output, flaky }) => ({ name: gate.command, passed: green, output, flaky })) ?? null;
}

function complaintOf({ kind, iteration, text }: Refusal): readonly string[] {
  if (kind === 'commit') return [`Iteration ${iteration}: ${text}`];
  return kind === 'spec' ? [text] : [];
}

function errorsOf({ iteration, error, restored }: ReportedIteration): readonly string[] {
  return [
    ...(error === null ? [] : [`Iteration ${iteration}: ${error}`]),
    ...(restored.length === 0 ? [] : [`Iteration ${iteration}: changes to protected paths were reverted: ${restored.join(', ')}`]),
  ];
}

/** The files of a `git diff --stat`, as git names them; its last line is the total. */
function filesOf(stat: string): readonly string[] {
  return stat.split('\n').flatMap((line) => /^ (.+?) +\| +(?:\d|Bin)/.exec(line)?.[1] ?? []);
}
