import { dirname, join } from 'node:path';
import { agentEnvironment, NOBODY } from '../../../agents/agent-access.ts';
import { firstOnPath, writeRalphShim } from '../../../door/ralph-shim.ts';
import type { Supervision } from '../../../engine/ports/ports.ts';
import { foldersIn } from '../../../kit/files/read.ts';
import { awaitedRun } from '../../../runs/manage/awaited-run.ts';
import type { OpenedRun } from '../../../runs/opened-run.ts';
import type { RecipePorts, RunHandles } from '../../../runs/run-handles.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { taskRunsFolder } from '../../../store/lock-task-folder.ts';
import { readRunSummary } from '../../../store/runs/run-summary.ts';
import { savedRequest } from '../children/child-place.ts';
import { watchTask } from '../task-folder/task-folder-watcher.ts';
import { openSupervision, socketAnswers, taskBusFile } from './open-supervision.ts';

/** What the run of a root agent opens before it starts. */
export interface Root {
  readonly spec: SuperviseSpec;
  readonly buses: Pick<Supervision, 'taskBus' | 'projectBus'>;
}

/** Opens everything that the run of a root agent needs. */
export async function openRoot(
  openedRun: OpenedRun,
  { spec, buses }: Root,
  { runId, markerPrefix, guardian, door }: RunHandles,
): Promise<Pick<RecipePorts, 'own' | 'agentEnv' | 'watcher' | 'rooms'>> {
  const { settings, runFolder, workspace, clock, options } = openedRun;
  const { env, cwd } = workspace;
  // A child passes on the socket of its parent: runs that are started there outlive the child.
  const socket = options.door ?? door;
  const supervision = openSupervision(settings, spec, {
    buses,
    runId,
    runFolder,
    cwd,
    top: workspace.git?.topLevel ?? cwd,
    commonDir: workspace.git?.commonDir ?? null,
    env,
    markerPrefix,
    guardian,
    socket,
  });
  const runsDir = taskRunsFolder(spec.folder);
  return {
    own: { supervision },
    agentEnv: rootEnvironment(env, {
      spec,
      runId,
      runsDir,
      runFolder,
      socket,
      busFile: taskBusFile(spec.folder),
      agentKind: settings.wall.login === 'none' ? NOBODY : settings.agent.kind,
      account: settings.wall.login === 'none' ? undefined : settings.agent.env,
      pass: settings.wall.env.pass,
      binFolder: await writeRalphShim(runFolder),
    }),
    watcher: watchTask({ supervision, pollMs: spec.pollMs, waits: spec.dependsOn.length > 0 }),
    rooms: { ...socketAnswers(spec, buses, runFolder, clock.nowMs), statusOf: (run) => statusOf(spec, runFolder, run) },
  };
}

/** Enough for a caller that waits for a child to know when and how it ended. */
async function statusOf(spec: SuperviseSpec, runFolder: string, run: string): Promise<unknown | null> {
  for (const taskFolder of tasksToAsk(spec, runFolder, run)) {
    const sight = await readRunSummary(taskRunsFolder(taskFolder), run);
    if (sight !== null) return { run, ...awaitedRun(sight), run_folder: sight.folder };
  }
  return null;
}

/** Called often, so the task for which the child was requested comes first. */
function* tasksToAsk({ folder, task }: SuperviseSpec, runFolder: string, run: string): Iterable<string> {
  const project = dirname(folder);
  yield join(project, savedRequest(runFolder, run)?.task ?? task);
  for (const name of foldersIn(project)) yield join(project, name);
}

type Environment = Readonly<Record<string, string>>;

interface RootWhereabouts {
  readonly spec: Pick<SuperviseSpec, 'project' | 'task' | 'folder' | 'parent' | 'env'>;
  readonly runId: string;
  readonly runsDir: string;
  readonly runFolder: string;
  /** The socket of its loop. */
  readonly socket: string;
  /** The bus of its task. */
  readonly busFile: string;
  readonly agentKind: string;
  /** The variables of its account. */
  readonly account?: Environment | undefined;
  /** Names of variables that the operator lets through. */
  readonly pass: readonly string[];
  /** A folder with a `ralph` that is this program. */
  readonly binFolder: string;
}

/** The environment of a root agent: that of every agent of its kind, its place and its socket, and the operator's own values, which override all. */
export function rootEnvironment(base: Environment, place: RootWhereabouts): Environment {
  const { spec, binFolder, agentKind, pass } = place;
  const { RALPH_PARENT_RUN_ID: _parent, ...inherited } = agentEnvironment(base, { kind: agentKind, pass, env: place.account });
  return { ...inherited, ...whereaboutsOf(place), ...spec.env, PATH: firstOnPath(binFolder, spec.env['PATH'] ?? base['PATH']) };
}

/** A run that nobody requested has no parent, even if it was started inside an agent that has one. */
function whereaboutsOf({ spec, runId, runsDir, runFolder, socket, busFile }: RootWhereabouts): Environment {
  return {
    TASK_FOLDER: spec.folder,
    RALPH_PROJECT_ID: spec.project,
    RALPH_TASK_ID: spec.task,
    RALPH_RUN_ID: runId,
    ...(spec.parent === null ? {} : { RALPH_PARENT_RUN_ID: spec.parent }),
    RALPH_RUNS_DIR: runsDir,
    RALPH_MESSAGE_BUS: busFile,
    RALPH_TASK_FOLDER: spec.folder,
    RALPH_RUN_FOLDER: runFolder,
    RALPH_SOCKET: socket,
  };
}
