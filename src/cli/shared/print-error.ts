import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';

const BUG = 70;

/** An error that the operator can act on gets one line and a hint. Anything else is a bug in Ralph and gets its stack. */
export function printError(error: unknown): number {
  const known = operatorErrorOf(error);
  if (known !== null) {
    io().stderr.write(`error: ${oneLine(known.message)}\nhint: ${oneLine(known.hint)}\n`);
    return known.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io().stderr.write(
    `error: this is a bug in ralph, please report it with the lines below. Nothing already journaled is lost: continue with \`ralph runs resume\`.\n${stack}\n`,
  );
  return BUG;
}

/** A file, folder or socket that vanished or cannot be used is no bug, wherever Ralph meets it; nor is a git that refuses. */
function operatorErrorOf(error: unknown): OperatorError | null {
  if (error instanceof OperatorError) return error;
  if (!(error instanceof Error)) return null;
  const goOn = 'Nothing already journaled is lost: continue with `ralph runs resume`.';
  // By its name: a command that needs no git does not load it.
  if (error.name === 'GitTrouble')
    return new OperatorError('git-refused', error.message, { hint: `Repair what git complains about. ${goOn}`, exitCode: 4, cause: error });
  if (!('syscall' in error)) return null;
  const hint = `Was it moved, removed or closed while Ralph was running? ${goOn}`;
  return new OperatorError('system-refused', `the system refuses: ${error.message}`, { hint, exitCode: 4, cause: error });
}

/** For `--json`: an error, even an uncaught one, is printed as a result on standard output before it is reported as an error. */
export async function withFatalResult(work: (onStarted: (runFolder: string) => void) => Promise<number>): Promise<number> {
  const { stdout, events } = io();
  let runFolder: string | undefined;
  const tell = (error: unknown) => void stdout.write(`${JSON.stringify(fatalResult(error, runFolder))}\n`);
  events.prependListener('uncaughtException', tell);
  try {
    return await work((folder) => {
      runFolder = folder;
    });
  } catch (error) {
    tell(error);
    throw error;
  } finally {
    events.off('uncaughtException', tell);
  }
}

/** Has the keys of a run's result. There is a run folder only if the run had started. */
function fatalResult(error: unknown, runFolder: string | undefined): object {
  const known = operatorErrorOf(error);
  const message = known?.message ?? (error instanceof Error ? error.message : String(error));
  const exit_code = known?.exitCode ?? BUG;
  return { stop_reason: 'fatal', message, exit_code, done: false, run_folder: runFolder };
}
