import { formatDuration } from '../../kit/pure/duration.ts';
import { type RunStatus, runStatus } from '../../wiring/run-status.ts';
import { currentDirectory } from '../current-directory.ts';

export async function statusCommand(run: string | null, { json }: { readonly json?: boolean }): Promise<number> {
  const status = await runStatus(currentDirectory(), run);
  process.stdout.write(json ? `${JSON.stringify(status)}\n` : `${inWords(status).join('\n')}\n`);
  return 0;
}

function inWords(status: RunStatus): string[] {
  const cost = status.cost_usd === null ? 'unknown' : `$${status.cost_usd.toFixed(2)}`;
  const how = status.status === 'stopped' ? `${status.stop_reason}: ${status.message}` : status.status;
  const again = status.status === 'dead' ? [`Its process is gone. Continue it with: ralph run --resume ${status.run_id}`] : [];
  return [
    `Run ${status.run_id}: ${how}`,
    `Iterations ${status.iterations}/${status.maximum_iterations || 'no limit'}, attempts ${status.attempts}, time ${formatDuration(status.duration_ms)}, cost ${cost}`,
    `Folder ${status.run_folder}`,
    ...again,
  ];
}
