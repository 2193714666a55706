import { dirname, resolve } from 'node:path';
import { runId } from '../../../store/task-place.ts';
import type { JobOptions } from '../start/root-request.ts';

/** The place from which a job is requested. */
export interface JobPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The task of the calling agent, from its environment. */
interface AgentsTask {
  readonly root: string;
  readonly project: string;
  readonly task: string;
}

/** Fills in the project, task and run of the calling agent. Outside an agent the request is unchanged, but an invalid run id is refused. */
export function withAgentDefaults(request: JobOptions, place: JobPlace): JobOptions {
  const parent = request.parent ?? (place.env['RALPH_RUN_ID'] || null);
  for (const run of [request.run, parent]) if (run !== null) runId(run);
  const at = agentsTask(place.env);
  if (at === null || !isInProject(request, at, place.cwd)) return { ...request, parent };
  return { ...request, parent, root: at.root, project: at.project, task: request.task ?? at.task };
}

/** Whether the loop of the calling agent can start it: a loop starts jobs only in its own project. */
export function canAgentLoopStart(request: JobOptions, { cwd, env }: JobPlace): boolean {
  const at = agentsTask(env);
  return request.run === null && at !== null && isInProject(request, at, cwd);
}

function agentsTask(env: JobPlace['env']): AgentsTask | null {
  const { RALPH_TASK_FOLDER: folder, RALPH_PROJECT_ID: project, RALPH_TASK_ID: task } = env;
  return folder && project && task ? { root: dirname(dirname(folder)), project, task } : null;
}

function isInProject({ root, project }: JobOptions, at: AgentsTask, cwd: string): boolean {
  return (root === null || resolve(cwd, root) === at.root) && (project === null || project === at.project);
}
