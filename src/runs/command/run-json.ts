import { WHOLE_RUN } from '../../report/history/figures.ts';
import { checksIn, costOfIteration, type IterationRecord } from '../../report/history/run-history.ts';
import type { RunWithStatus } from '../manage/find-run.ts';
import type { ShownRun } from '../manage/show-run.ts';

/** A run in the `--json` form. */
export function runJson({ sight, state, isRecorded, parent }: RunWithStatus): object {
  const { run, folder } = sight;
  const always = { run_id: run, state, recorded: isRecorded, parent };
  if (sight.kind === 'unreadable') return { ...always, why: sight.why, run_folder: folder };
  const { recipe, task, cwd, worktree, startedAtMs, lastAtMs, stopped, liveness, writer } = sight;
  return {
    ...always,
    recipe,
    project: task?.project ?? null,
    task: task?.task ?? null,
    stop_reason: stopped?.stop_reason ?? null,
    message: stopped?.message ?? null,
    exit_code: stopped?.exit_code ?? null,
    started_at: startedAtMs,
    last_at: lastAtMs,
    process: writer === null ? null : { host: writer.host, pid: writer.pid, liveness },
    cwd,
    worktree,
    run_folder: folder,
  };
}

export function shownJson({ told, view, iterations, children, files }: ShownRun): object {
  const { status: _status, iterations: count, ...rest } = view;
  return { ...rest, ...runJson(told), iteration_count: count, iterations: iterations.map(iterationJson), children: children.map(runJson), files };
}

function iterationJson(record: IterationRecord): object {
  const { iteration, item, openedAtMs, closedAtMs, result, accepted, attempts } = record;
  return {
    iteration,
    task: item === WHOLE_RUN ? null : item,
    opened_at: openedAtMs,
    closed_at: closedAtMs,
    result,
    accepted,
    checks: checksIn(record),
    cost_usd: costOfIteration(attempts),
    attempts: attempts.map(({ attempt, role, verdict, why, cause, ending, spent, tools, duration_ms }) => ({
      attempt: `${iteration}.${attempt}`,
      role,
      verdict,
      why,
      cause: cause ?? null,
      ending,
      cost_usd: spent?.cost_usd ?? null,
      tools,
      duration_ms,
    })),
  };
}
