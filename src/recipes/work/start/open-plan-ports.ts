import { join } from 'node:path';
import { agentEnvironment } from '../../../agents/agent-access.ts';
import { firstOnPath, writeRalphShim } from '../../../door/ralph-shim.ts';
import type { Watcher } from '../../../engine/contracts.ts';
import type { WorkPorts } from '../../../engine/ports/ports.ts';
import type { PlanStore, Register } from '../../../engine/ports/stores.ts';
import type { TaskBranches } from '../../../engine/ports/task-branches.ts';
import { together } from '../../../engine/watchers.ts';
import type { RunState } from '../../../journal/state/state.ts';
import type { PlanTask } from '../../../journal/words/plan.ts';
import { TaskRegister } from '../../../journal/words/task-register.ts';
import { VERSION } from '../../../kit/files/version.ts';
import { resultLocator } from '../../../plans/find/find-plan.ts';
import { openPlanNews } from '../../../plans/graph/plan-news.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { openPlanStore } from '../../../plans/open-plan-store.ts';
import { openTaskAudit } from '../../../plans/tasks/audit.ts';
import { capture } from '../../../process/capture.ts';
import { shellCommand } from '../../../process/find-executable.ts';
import { livenessOf } from '../../../process/identity.ts';
import { openSigningKey, publicHalf } from '../../../proof/receipts/signing-key.ts';
import type { OpenedRun } from '../../../runs/opened-run.ts';
import type { RecipePorts, RunHandles } from '../../../runs/run-handles.ts';
import { warnFunctionOf } from '../../../runs/run-options.ts';
import { gatesSandbox } from '../../../runs/sandbox/open-sandboxes.ts';
import { thisProcess } from '../../../runs/this-process.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { openFileRegisters } from '../../../store/registers-files.ts';
import { withGit } from '../../../workspace/check-base.ts';
import { openBranches } from '../../../workspace/tasks/open-branches.ts';

/** Opens everything that a run on a plan needs. */
export async function openPlanPorts(
  openedRun: OpenedRun,
  spec: WorkSpec,
  at: RunHandles,
): Promise<Pick<RecipePorts, 'own' | 'agentEnv' | 'watcher' | 'shared' | 'budget' | 'gone'>> {
  const { workspace, runFolder, options, settings } = openedRun;
  const git = withGit(workspace);
  const shared = join(git.commonDir, 'ralph');
  const planIn = (top: string) => openPlanStore({ ...spec.plan, top, cacheFolder: join(shared, 'cache') });
  const plan = planIn(spec.home);
  const ours = { RALPH_RUN_ID: at.runId, RALPH_SOCKET: at.door, PATH: firstOnPath(await writeRalphShim(runFolder), workspace.env['PATH']) };
  const agentEnv = { ...agentEnvironment(workspace.env, { kind: settings.agent.kind, pass: settings.wall.env.pass, env: settings.agent.env }), ...ours };
  const branches = await openBranches(openedRun, spec, {
    runId: at.runId,
    markerPrefix: at.markerPrefix,
    warn: warnFunctionOf(options),
    behind: gatesSandbox(openedRun, at.walls),
  });
  at.scope.defer(() => branches[Symbol.asyncDispose]());
  const fleet = spec.store === undefined ? null : await joined(spec.store, spec, openedRun, at);
  const registers = fleet?.registers ?? openFileRegisters(join(shared, 'registers'));
  const audit = openTaskAudit(spec.home, '');
  const workPorts: WorkPorts = {
    plan,
    planIn,
    registers,
    branches,
    process: thisProcess(),
    livenessOf: fleet?.livenessOf ?? (({ host, boot_id, pid, start_time }) => livenessOf({ host, bootId: boot_id, pid, startTime: start_time })),
    locationOf: withTheNewest(resultLocator(spec.home, workspace.env, plan, spec.base), branches),
    withGatesAtStart: await gatesAtStart(plan),
    planNews: openPlanNews(),
    // The operator's own command, which may need their logins.
    runPromptCommand:
      spec.promptCommand === null
        ? null
        : openPromptCommand(spec.promptCommand, { cwd: workspace.cwd, env: { ...workspace.env, ...ours }, markerPrefix: at.markerPrefix }),
    audit,
  };
  const heldTasks = watchHeldTasks({ crew: workPorts, planPath: spec.plan.path });
  if (fleet === null) return { own: { work: workPorts }, agentEnv, watcher: heldTasks };
  return { own: { work: workPorts }, agentEnv, watcher: together(heldTasks, fleet.watcher), shared: registers, budget: fleet.budget, gone: fleet.gone };
}

/** Loaded only by the workers of a fleet. */
async function joined(
  store: NonNullable<WorkSpec['store']>,
  { plan: { path }, base, filter: { labels = [] } }: WorkSpec,
  { workspace, runFolder, settings, options }: OpenedRun,
  { scope }: RunHandles,
) {
  const { joinFleet } = await import('../../../fleet/join-fleet.ts');
  const about = { plan: path, workers: settings.lanes, agent: settings.agent.kind, sandbox: settings.wall.mode, labels, ralph: VERSION };
  const plan = { path, base };
  const opened = await openSigningKey(workspace.env, workspace.git?.topLevel ?? null);
  const publicKey = 'key' in opened ? publicHalf(opened.key) : null;
  return await joinFleet(store, { runFolder, process: thisProcess(), env: workspace.env, plan, about, publicKey, warn: warnFunctionOf(options) }, scope);
}

/** Another machine may have landed a result since we fetched. */
function withTheNewest(locationOf: WorkPorts['locationOf'], { shared }: TaskBranches): WorkPorts['locationOf'] {
  if (shared === undefined) return locationOf;
  return async (commit) => {
    const place = await locationOf(commit);
    if (place !== 'elsewhere' || (await shared.catchUp()) !== null) return place;
    return await locationOf(commit);
  };
}

/** Remembers the current gates of each task, out of reach of everybody who can write the plan's file. Later tasks bring their own. */
export async function gatesAtStart(plan: PlanStore): Promise<(task: PlanTask) => PlanTask> {
  const tasks = (await plan.read())?.plan?.tasks ?? [];
  const known = new Map(tasks.map(({ id, verify, outputs, may_change = [] }) => [id, { verify, outputs, may_change }]));
  return (task) => ({ ...task, ...known.get(task.id) });
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly markerPrefix: string;
}

/** `just prompt` may need to compile something first. */
const TIMEOUT_MS = 10 * 60_000;

/** Runs the operator's command that chooses the next task. A task that it claims is claimed for the worker that asks. */
export function openPromptCommand(command: string, { cwd, env, markerPrefix }: Place): NonNullable<WorkPorts['runPromptCommand']> {
  return async (holder, key) => {
    const { file, args } = shellCommand(command, 'apart');
    const RALPH_HOLDER = JSON.stringify({ ...holder, key });
    return await capture({
      file,
      args,
      cwd,
      env: { ...env, RALPH_HOLDER, RALPH_WORKER: holder.name },
      timeoutMs: TIMEOUT_MS,
      marker: `${markerPrefix}/${key}`,
    });
  };
}

const POLL_MS = 2_000;

interface HeldTasksWatch {
  readonly crew: Pick<WorkPorts, 'registers'>;
  readonly planPath: string;
  readonly pollMs?: number;
}

/** A task that a worker holds, and its number. */
interface HeldTask {
  readonly task: string;
  readonly n: number;
}

/**
 * Checks regularly whether the held tasks are still ours, and reports each lost one once: a person has reset it, or another process took
 * us for dead. After a failed look, the next one catches up.
 */
export function watchHeldTasks({ crew, planPath, pollMs = POLL_MS }: HeldTasksWatch): Watcher {
  return (tell, state) => {
    let closed = false;
    let isRunning = false;
    const look = async () => {
      for (const hand of heldTasksIn(state())) {
        const why = whyLost(hand, await crew.registers.get(registerName(planPath, hand.task)));
        // A task that we released meanwhile is not lost.
        if (why === null || closed || !heldTasksIn(state()).some((other) => isSame(other, hand))) continue;
        await tell({ type: 'task.lost', task: hand.task, n: hand.n, why });
      }
    };
    const over = () => {
      isRunning = false;
    };
    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      look().then(over, over);
    }, pollMs);
    return {
      async [Symbol.asyncDispose]() {
        closed = true;
        clearInterval(timer);
      },
    };
  };
}

/** The tasks that the run holds and is not just releasing. */
function heldTasksIn({ open, inFlight }: RunState): readonly HeldTask[] {
  const leaving = new Set(inFlight.filter(({ kind }) => kind === 'release-task').map(({ iteration }) => iteration));
  return open.flatMap(({ currentTask, number }) => {
    if (currentTask === null || currentTask.released !== null || currentTask.abandonedBecause !== null || leaving.has(number)) return [];
    return [{ task: currentTask.task.id, n: currentTask.n }];
  });
}

function isSame(one: HeldTask, other: HeldTask): boolean {
  return one.task === other.task && one.n === other.n;
}

/** Null when it is ours. Only the number decides; the rest of the register is for people. */
function whyLost({ n }: HeldTask, found: Register | null): string | null {
  if (found?.n === n) return null;
  if (found === null || found.n < n) return 'its register is gone';
  const register = TaskRegister.safeParse(found.value).data;
  if (register === undefined) return 'its register was replaced, and cannot be read';
  if (register.state === 'held') return `${register.holder?.name ?? 'somebody'} has it now`;
  return register.state === 'free' ? 'it was reset' : `it was set to ${register.state}`;
}
