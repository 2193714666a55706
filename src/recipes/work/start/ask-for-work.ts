import type { CrewPorts } from '../../../engine/ports/ports.ts';
import { capture } from '../../../process/capture.ts';
import { shellCommand } from '../../../process/shell-command.ts';

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly markerPrefix: string;
}

/** As long as `just prompt` may need to compile something first. */
const TIMEOUT_MS = 10 * 60_000;

/** Runs the operator's command that says what to do next. Who claims a task in it claims it for the lane that asks. */
export function askedForWork(command: string, { cwd, env, markerPrefix }: Place): NonNullable<CrewPorts['askForWork']> {
  return async (holder, key) => {
    const { file, args } = shellCommand(command, 'apart');
    const RALPH_HOLDER = JSON.stringify({ ...holder, key });
    return await capture({
      file,
      args,
      cwd,
      env: { ...env, RALPH_HOLDER, RALPH_WORKER: holder.name },
      timeoutMs: TIMEOUT_MS,
      marker: `${markerPrefix}/${key}`,
    });
  };
}
