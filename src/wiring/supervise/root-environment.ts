import type { SuperviseSpec } from '../../model/run-settings.ts';
import { firstOnPath } from '../ralph-shim.ts';
import { keysOfOtherVendors } from './vendor-keys.ts';

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
  /** Where a `ralph` lies that is this one. */
  readonly binFolder: string;
}

/**
 * What a root agent finds in its environment: where it is and whom to ask, and the operator's own values above all. The keys of other
 * vendors are not passed on.
 */
export function rootEnvironment(base: Environment, place: RootWhereabouts): Environment {
  const { spec, binFolder, agentKind } = place;
  const hidden = new Set([...keysOfOtherVendors(agentKind), 'RALPH_PARENT_RUN_ID']);
  const inherited = Object.fromEntries(Object.entries(base).filter(([name]) => !hidden.has(name)));
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
