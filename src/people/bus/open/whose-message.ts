import { basename, dirname } from 'node:path';
import type { NewBusMessage } from '../../../journal/bus-message.ts';
import { defaultProjectId } from '../../../store/task-ids.ts';
import { PROJECT_BUS, TASK_BUS } from '../../../store/bus-names.ts';

type Whose = Pick<NewBusMessage, 'project_id' | 'task_id' | 'run_id'>;

/** Who posts: the run that the environment tells of, or else whose bus it is. */
export function whoseMessage(path: string, env: Readonly<Record<string, string>>): Whose {
  const at = whereBusIs(path);
  const project_id = env['RALPH_PROJECT_ID'] || at.project_id;
  const task_id = env['RALPH_TASK_ID'] || at.task_id;
  const run_id = env['RALPH_RUN_ID'] || undefined;
  return { project_id, ...(task_id !== undefined && { task_id }), ...(run_id !== undefined && { run_id }) };
}

function whereBusIs(path: string): Whose {
  const folder = dirname(path);
  const task_id = basename(folder);
  if (basename(path) === TASK_BUS && task_id !== '') return { project_id: basename(dirname(folder)) || defaultProjectId(folder), task_id };
  return { project_id: basename(path) === PROJECT_BUS ? basename(folder) || defaultProjectId(folder) : defaultProjectId(folder) };
}
