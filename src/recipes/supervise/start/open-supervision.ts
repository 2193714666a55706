import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { SupervisorDoor } from '../../../door/door-context.ts';
import { MAIN } from '../../../door/ralph-shim.ts';
import type { Supervision } from '../../../engine/ports/ports.ts';
import type { Children } from '../../../engine/ports/supervision.ts';
import { isDone } from '../../../journal/words/outcome.ts';
import type { Scope } from '../../../kit/async/scope.ts';
import { openBusFile } from '../../../people/bus/open/open-bus.ts';
import type { ProcessGuard } from '../../../process/process-request.ts';
import { sandboxVariables } from '../../../runs/sandbox/inherited-sandbox.ts';
import { FUNCTION_KIND } from '../../../settings/agent-of.ts';
import { factsOf } from '../../../settings/schema/recipe-facts.ts';
import type { RunSettings, SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import type { SandboxSpec } from '../../../settings/schema/sandbox-spec.ts';
import { taskRunsFolder } from '../../../store/lock-task-folder.ts';
import { newRunId } from '../../../store/run-home.ts';
import { listFolder } from '../../../store/runs/run-lock.ts';
import { summaryFrom } from '../../../store/runs/run-summary.ts';
import { openRunsWatch } from '../../../store/runs/runs-watch.ts';
import { PROJECT_BUS, TASK_BUS } from '../../../store/task-place.ts';
import { childPlace } from '../children/child-place.ts';
import { openChildren } from '../children/open-children.ts';
import { openTaskFolder, type TaskRuns } from '../task-folder/open-task-folder.ts';
import { openRelatedRuns } from './related-runs.ts';

const REGISTER_WITHIN_MS = 30_000;

type Buses = Pick<Supervision, 'taskBus' | 'projectBus'>;

export function openTaskBuses({ folder }: SuperviseSpec, scope: Scope): Buses {
  const taskBus = openBusFile(taskBusFile(folder));
  const projectBus = openBusFile(join(dirname(folder), PROJECT_BUS));
  for (const bus of [taskBus, projectBus]) scope.defer(() => bus[Symbol.dispose]());
  return { taskBus, projectBus };
}

export function taskBusFile(taskFolder: string): string {
  return join(taskFolder, TASK_BUS);
}

interface Around {
  readonly buses: Buses;
  readonly runId: string;
  readonly runFolder: string;
  readonly cwd: string;
  /** The top of its work tree; without git the directory itself. */
  readonly top: string;
  /** Of its repository; null without git. */
  readonly commonDir: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly markerPrefix: string;
  readonly guardian: ProcessGuard;
  /** The socket where children and their children ask for more. */
  readonly socket: string;
}

/** Opens what a root agent needs: its task folder, its buses, and its child runs. */
export function openSupervision(settings: RunSettings, spec: SuperviseSpec, around: Around): Supervision {
  const { buses, runId, runFolder, cwd, top, commonDir, env, markerPrefix, guardian, socket } = around;
  const children = openChildren({
    usual: { file: process.execPath, args: childWords(spec, settings), agentArgs: agentWords(settings), task: spec.task },
    env: { ...env, ...spec.env, RALPH_SOCKET: socket, ...sandboxVariables(settings, { top, commonDir, writable: [...settings.wall.writable, spec.folder] }) },
    cwd,
    runFolder,
    markerPrefix,
    guardian,
    runFolderOf: (run, task) => runFolderIn(spec, run, task),
    activeRuns: openRelatedRuns(spec, runId, factsOf(settings).isRestarted ? spec.waitScope : 'own'),
    registerWithinMs: REGISTER_WITHIN_MS,
  });
  return {
    ...buses,
    task: openTaskFolder({ folder: spec.folder, dependsOn: spec.dependsOn, runsOf: openRunsOfTasks() }),
    children: confinedChildren(children, settings.wall, cwd, top),
  };
}

/** What the loop answers over its socket. */
export function socketAnswers(spec: SuperviseSpec, buses: Buses, runFolder: string, nowMs: () => number): Omit<SupervisorDoor, 'statusOf'> {
  return {
    project: spec.project,
    task: spec.task,
    supervision: buses,
    newRunId: () => newRunId(nowMs()),
    runFolderOf: (run, task) => runFolderIn(spec, run, task),
    logOf: (run) => childPlace(runFolder, run).logFile,
  };
}

function runFolderIn({ folder, task: own }: SuperviseSpec, run: string, task: string | null): string {
  return join(taskRunsFolder(join(dirname(folder), task ?? own)), run);
}

/** Limits of the parent also hold for its children, unless their request sets others. */
function childWords({ folder, project }: SuperviseSpec, { limits, protect }: RunSettings): readonly string[] {
  const bounds = [`--idle-timeout=${limits.idleMs}ms`, `--run-timeout=${limits.iterationMs}ms`, ...protect.map((glob) => `--protect=${glob}`)];
  return [MAIN, 'job', `--root=${dirname(dirname(folder))}`, `--project=${project}`, ...bounds, '--quiet'];
}

/** A child without an agent of its own gets that of its parent, unless that is a function: no command could run it. */
function agentWords({ agent }: RunSettings): readonly string[] {
  if (agent.kind === FUNCTION_KIND) return [];
  const model = agent.model === null ? [] : [`--model=${agent.model}`];
  return [`--agent=${[agent.command, ...agent.flags].join(' ')}`, `--agent-kind=${agent.kind}`, `--autonomy=${agent.autonomy}`, ...model];
}

/**
 * Children of a sandboxed agent are in the same sandbox, but each may write where it works. So no child may work where its parent could not write:
 * otherwise an agent could escape its sandbox by asking for a child elsewhere.
 */
export function confinedChildren(children: Children, { mode, writable }: SandboxSpec, cwd: string, top: string): Children {
  if (mode === 'guard') return children;
  return {
    ...children,
    async start(child, signal) {
      const place = await realpath(resolve(cwd, child.cwd ?? '.')).catch(() => null);
      const roots = await Promise.all([top, ...writable].map((root) => realpath(root).catch(() => root)));
      if (place !== null && roots.some((root) => place === root || place.startsWith(`${root}${sep}`))) return await children.start(child, signal);
      return { kind: 'refused', why: `its directory ${child.cwd ?? cwd} is not writable for an agent in this sandbox` };
    },
  };
}

/** The status of tasks on which another depends. Called repeatedly: what cannot change any more is not read again. */
export function openRunsOfTasks(): (taskFolder: string) => Promise<TaskRuns> {
  const tasks = new Map<string, () => Promise<TaskRuns>>();
  return (taskFolder) => {
    const runsOfTask = tasks.get(taskFolder) ?? openRunsOfTask(taskRunsFolder(taskFolder));
    tasks.set(taskFolder, runsOfTask);
    return runsOfTask();
  };
}

/** The status of its newest run that no other run requested. */
function openRunsOfTask(runsFolder: string): () => Promise<TaskRuns> {
  const watch = openRunsWatch(runsFolder);
  const askedFor = new Set<string>();
  return async () => {
    if ((await watch.active()).length > 0) return { anyActive: true, newestDone: null };
    const listing = listFolder(runsFolder);
    for (const run of listing.names.filter((name) => !askedFor.has(name)).reverse()) {
      const brief = await summaryFrom(listing, run);
      if (brief?.kind !== 'run') continue;
      if (brief.task?.parent === null) return { anyActive: false, newestDone: brief.stopped !== null && isDone(brief.stopped) };
      askedFor.add(run);
    }
    return { anyActive: false, newestDone: null };
  };
}
