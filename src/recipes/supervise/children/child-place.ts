import { join } from 'node:path';
import { ChildRequest } from '../../../journal/effects/task-effect.ts';
import { readRegular } from '../../../kit/files/read.ts';
import { makeFoldersBelow, writeFresh } from '../../../kit/files/write.ts';

/** Where a run keeps what it knows of one of its children: what was asked for, and what the process printed. */
export interface ChildPlace {
  readonly folder: string;
  readonly promptFile: string;
  readonly requestFile: string;
  readonly logFile: string;
}

/** Where a run keeps a folder for each of its children. */
export function childrenFolder(runFolder: string): string {
  return join(runFolder, 'children');
}

/** The child's own journal lies elsewhere: with its task. */
export function childPlace(runFolder: string, run: string): ChildPlace {
  const folder = join(childrenFolder(runFolder), run);
  return { folder, promptFile: join(folder, 'prompt.md'), requestFile: join(folder, 'request.json'), logFile: join(folder, 'output.log') };
}

/** Written before it is started, so that a child is found again by its run alone. Resolves with the prompt's file; null when it was asked for without one. */
export async function keepRequest(runFolder: string, child: ChildRequest): Promise<string | null> {
  const { folder, promptFile, requestFile } = childPlace(runFolder, child.run);
  await makeFoldersBelow(runFolder, folder, 0o700);
  writeFresh(requestFile, `${JSON.stringify(child, null, 2)}\n`);
  if (child.prompt === '') return null;
  writeFresh(promptFile, child.prompt);
  return promptFile;
}

/** Null for a run that nobody here asked for. Agents write there too: no pipe is waited for. */
export function keptRequest(runFolder: string, run: string): ChildRequest | null {
  try {
    return ChildRequest.parse(JSON.parse(readRegular(childPlace(runFolder, run).requestFile) ?? ''));
  } catch {
    return null;
  }
}
