import { formatDuration } from '../../kit/pure/duration.ts';
import { type RunStatus, runStatus } from '../../wiring/run-status.ts';
import { howToResume } from '../../wiring/runs/how-to-resume.ts';
import { currentDirectory } from '../current-directory.ts';

export async function statusCommand(run: string | null, { json }: { readonly json?: boolean }): Promise<number> {
  const status = await runStatus(currentDirectory(), run);
  process.stdout.write(json ? `${JSON.stringify(status)}\n` : `${inWords(status).join('\n')}\n`);
  return 0;
}

function inWords(status: RunStatus): string[] {
  const cost = status.cost_usd === null ? 'unknown' : `$${status.cost_usd.toFixed(2)}`;
  return [
    `Run ${status.run_id}: ${stateOf(status)}`,
    `Iterations ${status.iterations}/${status.maximum_iterations || 'no limit'}, attempts ${status.attempts}, time ${formatDuration(status.duration_ms)}, cost ${cost}`,
    `Folder ${status.run_folder}`,
    ...adviceFor(status),
  ];
}

function stateOf({ status, stop_reason, message }: RunStatus): string {
  if (status === 'stopped') return `${stop_reason}: ${message}`;
  return status === 'unknown' ? 'cannot be told from here' : status;
}

function adviceFor({ status, run_id }: RunStatus): string[] {
  if (status === 'dead') return [`Its process is gone. Continue it with: ${howToResume(run_id)}`];
  if (status === 'unknown') return ['It was started on another host or in another container, whose processes cannot be seen from here. Ask there.'];
  return [];
}
