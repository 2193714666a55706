import type { RunWithStatus } from '../manage/find-run.ts';
import type { ShownIteration } from '../manage/iterations-of.ts';
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

function iterationJson({ iteration, openedAtMs, closedAtMs, result, accepted, attempts, costUsd }: ShownIteration): object {
  return {
    iteration,
    opened_at: openedAtMs,
    closed_at: closedAtMs,
    result,
    accepted,
    cost_usd: costUsd,
    attempts: attempts.map(({ attempt, role, verdict, why, ending, spent, tools, duration_ms }) => ({
      attempt: `${iteration}.${attempt}`,
      role,
      verdict,
      why,
      ending,
      cost_usd: spent?.cost_usd ?? null,
      tools,
      duration_ms,
    })),
  };
}
