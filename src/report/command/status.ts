import { surroundings } from '../../process/surroundings.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { isStale } from '../../recipes/work/logs/heartbeat.ts';
import { workStatus } from '../../recipes/work/logs/work-status.ts';
import { type RunStatus, runStatus } from '../../runs/run-status.ts';
import { howToResume } from '../../journal/words/how-to-resume.ts';
import { currentDirectory } from '../../cli/shared/current-directory.ts';
import { timeOf } from '../../cli/shared/flag-values.ts';
import { workStatusLines } from './work-status-lines.ts';
import { storiesLines } from '../../runs/command/stories-lines.ts';

interface StatusFlags {
  readonly json?: boolean;
  readonly staleAfter?: string;
}

export async function statusCommand(run: string | null, { json, staleAfter }: StatusFlags): Promise<number> {
  const staleAfterMs = timeOf('--stale-after', staleAfter);
  const status = await runStatus(currentDirectory(), run);
  const nowMs = Date.now();
  const work = await workStatus(status, nowMs);
  if (staleAfterMs !== null && work === null) throw noHeartbeat(status);
  const lines = [...inWords(status), ...(status.stories ? storiesLines(status.stories) : []), ...(work === null ? [] : workStatusLines(status, work, nowMs))];
  surroundings().stdout.write(json ? `${JSON.stringify({ ...status, ...work })}\n` : `${lines.join('\n')}\n`);
  if (staleAfterMs === null || work === null || !isStale(work.heartbeat, staleAfterMs)) return 0;
  surroundings().stderr.write(`The heartbeat is ${work.heartbeat.at === null ? 'missing' : `older than ${formatDuration(staleAfterMs)}`}.\n`);
  return 1;
}

function noHeartbeat({ run_id, recipe }: RunStatus): OperatorError {
  return new OperatorError('no-heartbeat', `run ${run_id} is one of ralph ${recipe}, and only ralph work has a heartbeat`, {
    hint: 'Leave --stale-after out; its status says whether it lives.',
    exitCode: 2,
  });
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
