import { currentDirectory } from '../../cli/shared/flags.ts';
import { ANSWERS_TO_AGENTS } from '../../journal/words/claim.ts';
import type { TaskFilter } from '../../journal/words/plan.ts';
import { formatDuration } from '../../kit/pure/amounts.ts';
import { withOperatorErrors } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import type { Nothing } from '../graph/select-task.ts';
import type { ChosenTask } from '../tasks/claim-task.ts';
import type { Completion } from '../tasks/complete-task.ts';
import type { ListedTask } from '../tasks/list-tasks.ts';
import { openTasks, type Tasks } from '../tasks/open-tasks.ts';
import type { Verified } from '../tasks/run-verify.ts';
import type { CallerPlace } from '../tasks/work-tree.ts';

/** The flags of every task command. */
export interface TaskFlags {
  readonly plan?: string;
  readonly json?: boolean;
}

export interface FilterFlags {
  readonly story?: string;
  readonly milestone?: string;
  readonly tag?: readonly string[];
}

/** Runs `work` with the tasks of the chosen plan. System errors are reported in one line. */
export function withTasks<T>(flags: TaskFlags, work: (tasks: Tasks) => Promise<T>): Promise<T> {
  return withTaskOpener(flags, async (open) => await work(await open()));
}

/** The same for callers that may not need the tasks. */
export function withTaskOpener<T>({ plan }: TaskFlags, work: (open: () => Promise<Tasks>, standpoint: CallerPlace) => Promise<T>): Promise<T> {
  return withOperatorErrors(async () => {
    const standpoint = { cwd: currentDirectory(), env: environment() };
    return await work(() => openTasks(plan ?? null, standpoint), standpoint);
  });
}

export function filterOf({ story, milestone, tag }: FilterFlags): TaskFilter {
  return { story: story ?? null, milestone: milestone ?? null, tags: [...(tag ?? [])] };
}

/** Prints one JSON object, or lines for people. */
export function printResult({ json }: TaskFlags, object: object, lines: readonly string[]): void {
  io().stdout.write(json ? `${JSON.stringify(object)}\n` : lines.map((line) => `${line}\n`).join(''));
}

/** The next task, as JSON for scripts. */
export function chosenJson({ task, feedback, claim }: ChosenTask): object {
  return { task, feedback, claimed: claim !== null, n: claim?.n ?? null, holder: claim?.holder ?? null };
}

/** A task and its state, with its register if there is a readable one. */
export function listedJson({ task, state, hold, isOnlyByPlan }: ListedTask): object {
  const { holder = null, at = null, branch = null, tries = 0, feedback = '' } = hold?.register ?? {};
  return { ...task, state, n: hold?.n ?? null, holder, liveness: hold?.liveness ?? null, since: at, branch, tries, feedback, only_by_plan: isOnlyByPlan };
}

/** Printed on standard error, because scripts and agents read standard output. */
export function printClaim({ task }: ChosenTask): void {
  io().stderr.write(`✓ Claimed task: ${printable(task.id)}\n`);
}

const NOTHING = 'No tasks available. All tasks are either complete, in-progress, or blocked.';

/** The line for people is the seed's. Programs get the reason on a line of its own, in words that never change. */
export function printNoTask({ kind: _, ...nothing }: Nothing, flags: TaskFlags): 1 {
  printResult(flags, { task: null, ...nothing }, [NOTHING]);
  io().stderr.write(`${JSON.stringify(nothing)}\n`);
  return 1;
}

export function completionLines(id: string, completion: Completion): readonly string[] {
  if (completion.kind === 'already') return [`✓ ${printable(id)} is already complete`];
  if (completion.kind === 'noted') {
    return [`✓ ${printable(id)} is noted as complete`, `  ${ANSWERS_TO_AGENTS.complete}`];
  }
  return [`✓ ${printable(id)} marked complete`, ...completion.unlocked.map((other) => `  → ${printable(other)} is now ready`)];
}

export function completionJson(id: string, completion: Completion, forced: boolean): object {
  const { unlocked = [], warnings = [] } = completion.kind === 'completed' ? completion : {};
  return { task: id, result: completion.kind, forced: forced && completion.kind === 'completed', unlocked, warnings };
}

export function verifiedLine({ command, green, ending, durationMs }: Verified): string {
  return `  ${green ? '✓' : '✗'} ${printable(command)} (${green ? '' : `${ending}, `}${formatDuration(durationMs)})`;
}
