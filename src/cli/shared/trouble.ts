import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';

const BUG = 70;

/** Prints an operator's mistake as one line with a hint. Anything else is a bug in Ralph and is printed with its stack. */
export function printTrouble(error: unknown): number {
  if (error instanceof OperatorError) {
    io().stderr.write(`error: ${oneLine(error.message)}\nhint: ${oneLine(error.hint)}\n`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io().stderr.write(
    `error: this is a bug in ralph, please report it with the lines below. Nothing already journaled is lost: continue with \`ralph runs resume\`.\n${stack}\n`,
  );
  return BUG;
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
  const message = error instanceof Error ? error.message : String(error);
  const exit_code = error instanceof OperatorError ? error.exitCode : BUG;
  return { stop_reason: 'fatal', message, exit_code, done: false, run_folder: runFolder };
}
