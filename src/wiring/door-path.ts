import { userInfo } from 'node:os';
import { join } from 'node:path';

/** Where a run answers. Short, since a socket's path may have about a hundred bytes, and the same for everybody who knows the run's id. */
export function doorPath(runId: string, env: Readonly<Record<string, string>>): string {
  const folder = env['XDG_RUNTIME_DIR'] ?? join('/tmp', `ralph-${userInfo().uid}`);
  return join(folder, 'ralph-doors', `${runId}.sock`);
}
