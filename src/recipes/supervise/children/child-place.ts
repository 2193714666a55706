import { join } from 'node:path';
import { ChildRequest } from '../../../journal/effects/task-effect.ts';
import { readRegular } from '../../../kit/files/read.ts';
import { makeFoldersBelow, writeFresh } from '../../../kit/files/write.ts';

/** The folder with what a run knows about one of its children: the request, and the output of the process. */
export interface ChildPlace {
  readonly folder: string;
  readonly promptFile: string;
  readonly requestFile: string;
  readonly logFile: string;
}

/** The folder that contains a folder for each child. */
export function childrenFolder(runFolder: string): string {
  return join(runFolder, 'children');
}

/** The child's own journal is elsewhere: in the folder of its task. */
export function childPlace(runFolder: string, run: string): ChildPlace {
  const folder = join(childrenFolder(runFolder), run);
  return { folder, promptFile: join(folder, 'prompt.md'), requestFile: join(folder, 'request.json'), logFile: join(folder, 'output.log') };
}

/** Written before the child is started, so that the child can be found by its run id. Resolves with the prompt's file; null for a request without a prompt. */
export async function saveRequest(runFolder: string, child: ChildRequest): Promise<string | null> {
  const { folder, promptFile, requestFile } = childPlace(runFolder, child.run);
  await makeFoldersBelow(runFolder, folder, 0o700);
  writeFresh(requestFile, `${JSON.stringify(child, null, 2)}\n`);
  if (child.prompt === '') return null;
  writeFresh(promptFile, child.prompt);
  return promptFile;
}

/** Null for a run that this run did not ask for. Agents can write there too, so this never blocks on a pipe. */
export function savedRequest(runFolder: string, run: string): ChildRequest | null {
  try {
    return ChildRequest.parse(JSON.parse(readRegular(childPlace(runFolder, run).requestFile) ?? ''));
  } catch {
    return null;
  }
}
