import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { agentEnvironment } from '../../../sandbox/environment/agent-environment.ts';
import { firstOnPath } from '../../../door/ralph-shim.ts';

type Environment = Readonly<Record<string, string>>;

interface RootWhereabouts {
  readonly spec: Pick<SuperviseSpec, 'project' | 'task' | 'folder' | 'parent' | 'env'>;
  readonly runId: string;
  readonly runsDir: string;
  readonly runFolder: string;
  /** Where its loop answers. */
  readonly socket: string;
  /** The bus of its task. */
  readonly busFile: string;
  readonly agentKind: string;
  /** Names of variables that the operator lets pass. */
  readonly pass: readonly string[];
  /** Where a `ralph` lies that is this one. */
  readonly binFolder: string;
}

/** What a root agent finds in its environment: what every agent of its kind finds, where it is and whom to ask, and the operator's own values above all. */
export function rootEnvironment(base: Environment, place: RootWhereabouts): Environment {
  const { spec, binFolder, agentKind, pass } = place;
  const { RALPH_PARENT_RUN_ID: _parent, ...inherited } = agentEnvironment(base, { agentKind, pass });
  return { ...inherited, ...whereaboutsOf(place), ...spec.env, PATH: firstOnPath(binFolder, spec.env['PATH'] ?? base['PATH']) };
}

/** One that nobody asked for has no parent, also if we are called by an agent that has one. */
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
