import { join } from 'node:path';
import { runtimeFolder } from '../store/user-folders.ts';

/** Where a run answers. Short, since a socket's path may have about a hundred bytes, and the same for everybody who knows the run's id. */
export function doorPath(runId: string, env: Readonly<Record<string, string>>): string {
  return join(runtimeFolder(env), 'ralph-doors', `${runId}.sock`);
}
