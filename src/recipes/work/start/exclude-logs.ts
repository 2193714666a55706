import { exclude } from '../../../workspace/git-exclude.ts';

const LOGS = ['/logs/ralph.jsonl', '/logs/ralph.heartbeat*', '/logs/ralph-worker-*.log', '/logs/task-audit.jsonl'];

/** The seed's logs lie where people look for them; no task's commit has them, and they make nothing dirty. */
export async function excludeLogs(commonDir: string): Promise<void> {
  await exclude(LOGS, 'logs of ralph work', commonDir);
}
