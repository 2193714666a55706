import type { GateResult, GatesJudged, PathsRestored, ReceiptWritten } from '../../journal/events/gates.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { totalCost } from '../../journal/state/spending.ts';
import { type ClosedIteration, emptyState, type RunState } from '../../journal/state/state.ts';
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
  readonly restored: readonly string[];
}

export interface ReportedCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly output: string;
  readonly flaky: boolean;
}

/** What the report needs and the state does not keep. */
interface Notes {
  readonly judged: Map<string, GatesJudged>;
  readonly restored: PathsRestored[];
  readonly closed: ClosedIteration[];
  readonly complaints: string[];
  receipt: ReceiptWritten | null;
}

/** Folds a whole journal; `stat` is git's summary of all changes. */
export function loopReport(events: readonly JournalEvent[], stat: string | null = null): LoopReport {
  const notes: Notes = { judged: new Map(), restored: [], closed: [], complaints: [], receipt: null };
  let state = emptyState;
  for (const event of events) {
    state = evolve(state, event);
    take(event, state, notes);
  }
  return reportOf(state, notes, stat);
}

function take({ body }: JournalEvent, state: RunState, notes: Notes): void {
  if (body.type === 'gates.judged') notes.judged.set(`${body.where}:${body.iteration}`, body);
  if (body.type === 'paths.restored') notes.restored.push(body);
  if (body.type === 'iteration.closed') notes.closed.push(...state.closed.slice(-1));
  if (body.type === 'receipt.written') notes.receipt = body;
  if (body.type === 'commit.refused') notes.complaints.push(`Iteration ${body.iteration}: not committed: ${body.detail}`);
  if (body.type === 'spec.seen')
    notes.complaints.push(`${body.path} was changed during the run${body.obeyed ? '' : ', which kept the version it was started with'}`);
}

function reportOf(state: RunState, notes: Notes, stat: string | null): LoopReport {
  const { run, stopped, spent, time } = state;
  if (!run) throw new Error('A run that never started has no report.');
  const { settings } = run;
  const iterations = notes.closed.map((closed) => iterationOf(closed, notes));
  return {
    run_id: run.id,
    task: settings.prompt.from === 'text' ? settings.prompt.text : settings.prompt.path,
    spec: settings.loop?.spec?.path ?? null,
    agent: settings.agent.command,
    model: settings.agent.model,
    status: stopped?.exit_code === 0 ? 'success' : 'failed',
    stop_reason: stopped?.stop_reason ?? null,
    message: stopped?.message ?? null,
    duration_seconds: (time.beforeMs + (time.lastMs - time.sittingFromMs)) / 1000,
    steps: spent.tools,
    total_cost: totalCost(spent)?.usd ?? null,
    cost_is_estimated: totalCost(spent)?.isEstimated ?? false,
    checks: settings.gates.map(({ command }) => command),
    baseline: checksOf(notes.judged.get('start:0')),
    iterations,
    files_modified: stat === null ? null : filesOf(stat),
    errors: [...iterations.flatMap(errorsOf), ...notes.complaints],
    sandbox: sandboxView(settings.wall, state.refused),
    worktree: settings.loop?.worktree ? { path: settings.loop.worktree.path, branch: settings.loop.worktree.branch } : null,
    receipt: notes.receipt && { file: notes.receipt.file, commit: notes.receipt.commit },
  };
}

function iterationOf({ number, claim, entry }: ClosedIteration, { judged, restored }: Notes): ReportedIteration {
  const checks = checksOf(judged.get(`workspace:${number}`)) ?? [];
  return {
    iteration: number,
    steps: entry.steps,
    cost: entry.costUsd,
    duration: entry.durationMs / 1000,
    check_results: checks,
    all_checks_passed: checks.length > 0 && checks.every(({ passed }) => passed),
    clean_check_results: checksOf(judged.get(`clean:${number}`)),
    completion_tag_found: claim !== null,
    error: entry.error,
    restored: [...new Set(restored.filter(({ iteration }) => iteration === number).flatMap(({ paths }) => paths))],
  };
}

function checksOf(judged: GatesJudged | undefined): readonly ReportedCheck[] | null {
  return judged?.results.map(({ gate, green, output, flaky }: GateResult) => ({ name: gate.command, passed: green, output, flaky })) ?? null;
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
