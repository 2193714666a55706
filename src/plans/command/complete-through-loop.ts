import { currentDirectory } from '../../cli/shared/flags.ts';
import { io } from '../../process/io.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { completeOwnTask } from '../tasks/note-own-task.ts';
import { completionJson, completionLines } from './task-flags.ts';

/** The most common call of an agent: it tells the loop and loads nothing else. False: there is more to do. */
export async function completeThroughLoop(id: string, { json }: { readonly json?: boolean }): Promise<boolean> {
  const noted = await completeOwnTask(id, { cwd: currentDirectory(), env: environment() });
  if (!noted) return false;
  const completion = { kind: 'noted' } as const;
  io().stdout.write(
    json
      ? `${JSON.stringify(completionJson(id, completion, false))}\n`
      : completionLines(id, completion)
          .map((line) => `${line}\n`)
          .join(''),
  );
  return true;
}
