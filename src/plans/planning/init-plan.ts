import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathExists, readRegular } from '../../kit/files/read.ts';
import { makeFolder, writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { lockHolder } from '../../store/lock.ts';
import { runHome } from '../../store/run-home.ts';
import { openGitCli } from '../../workspace/git/git-cli.ts';
import { branchOf, FOLDER, freshFiles, MARKER, type PlanFileName, refuseAllButFiles, refuseAllButFolders, removeLeftovers } from './plan-folder.ts';

export interface InitRequest {
  readonly project: string;
  /** Null: the plan is named after its folder. */
  readonly name: string | null;
  readonly force: boolean;
  readonly nowMs: number;
}

export interface MadePlan {
  readonly kind: 'made';
  readonly name: string;
  readonly branch: string;
  /** Paths relative to the project: files that were written, and files that existed. */
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly marker: MarkerIgnored;
}

export type InitAnswer = MadePlan | { readonly kind: 'there'; readonly path: string };

/** tasks.json comes last: without it the plan does not exist yet, so an interrupted init can be repeated. */
const ORDER: readonly PlanFileName[] = ['prompt.md', 'progress.txt', 'prd.md', 'tasks.json'];

/** Makes the files of a new plan (seed 003). Existing files beside a missing tasks.json are somebody's work, and are replaced only with --force. */
export async function initPlan({ project, name: said, force, nowMs }: InitRequest): Promise<InitAnswer> {
  const folder = join(project, FOLDER);
  if (!force && (await pathExists(join(folder, 'tasks.json')))) return { kind: 'there', path: `${FOLDER}/tasks.json` };
  if (force) await refuseWhileAtWork(project);
  const name = nameOf(said ?? basename(project));
  const branch = branchOf(name);
  const files = await freshFiles({ project: name, branch, nowMs });
  refuseAllButFolders(folder);
  for (const file of ORDER) refuseAllButFiles(join(folder, file));
  const written: string[] = [];
  const kept: string[] = [];
  try {
    await makeFolder(folder, 0o755);
    await removeLeftovers(folder);
    for (const file of ORDER) {
      const isKept = !force && (await pathExists(join(folder, file)));
      if (!isKept) await writeAtomic(join(folder, file), files[file], 0o644);
      (isKept ? kept : written).push(`${FOLDER}/${file}`);
    }
    return { kind: 'made', name, branch, written, kept, marker: await ignoreMarker(project) };
  } catch (cause) {
    throw notWritten(folder, cause);
  }
}

function nameOf(said: string): string {
  const name = oneLine(said);
  if (name !== '') return name;
  throw new OperatorError('usage', 'the plan needs a name', { hint: 'Give it one with --name.', exitCode: 2 });
}

function notWritten(folder: string, cause: unknown): OperatorError {
  // The rest of the message names a temporary file.
  const [reason = ''] = (cause as Error).message.split(',');
  return new OperatorError('plan-not-written', `cannot write to ${folder}: ${reason}`, {
    hint: 'Check the permissions of this directory and the free disk space, then try again.',
    exitCode: 4,
    cause,
  });
}

/** Only checks: nobody replaces a plan that a loop works on. */
async function refuseWhileAtWork(project: string): Promise<void> {
  await using git = await openGitCli(project, environment());
  const held = await lockHolder(runHome(project, git).workspaceLock);
  if (held === null) return;
  throw new OperatorError('workspace-busy', `run ${held.by.note} is running in this directory (pid ${held.by.pid} on ${held.by.host})`, {
    hint: 'Wait for it, or stop it with: ralph runs stop',
    exitCode: 4,
  });
}

/** refused: it is a link or not readable as text, so it is left unchanged. */
export type MarkerIgnored = 'added' | 'there' | 'refused';

/** Adds the marker to the project's .gitignore, once, with its line endings. */
async function ignoreMarker(project: string): Promise<MarkerIgnored> {
  const path = join(project, '.gitignore');
  const found = lstatSync(path, { throwIfNoEntry: false });
  const text = found === undefined ? '' : readRegular(path);
  if (text === null) return 'refused';
  if (text.split(/\r?\n/).some((line) => [MARKER, `/${MARKER}`].includes(line.trim()))) return 'there';
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  await writeAtomic(path, `${text}${gap}${MARKER}${end}`, found === undefined ? 0o644 : found.mode & 0o777);
  return 'added';
}
