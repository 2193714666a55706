import { surroundings } from '../../process/surroundings.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { BUG } from './trouble.ts';

/** Does it; whatever ends it without a result, a bug included, becomes one on standard output before it is told as an error. */
export async function withFatalResult(work: (onStarted: (runFolder: string) => void) => Promise<number>): Promise<number> {
  const { stdout, events } = surroundings();
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

/** In the words of a run's own result. There is a run folder if the run had started. */
function fatalResult(error: unknown, runFolder: string | undefined): object {
  const message = error instanceof Error ? error.message : String(error);
  const exit_code = error instanceof OperatorError ? error.exitCode : BUG;
  return { stop_reason: 'fatal', message, exit_code, done: false, run_folder: runFolder };
}
