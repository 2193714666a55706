import { constants, existsSync, lstatSync, statSync } from 'node:fs';
import { access, mkdir, readlink, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { howToResume } from '../journal/words/outcome.ts';
import { readFirstLine } from '../kit/files/file-lines.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import * as z from '../kit/pure/shape.ts';
import { listFolder } from './runs/run-lock.ts';
import { makeViewFolder } from './user-folders.ts';

/** The git folder of a work tree, and the common git folder that all worktrees share. */
interface GitFolders {
  readonly gitDir: string;
  readonly commonDir: string;
}

/** The folders of runs: in the common git folder, so that every worktree sees them and `git clean` cannot remove them; without git in `.ralph/`. */
export interface RunHome {
  readonly runsFolder: string;
  /** `.ralph/` in the workspace: settings, and files for people and agents to read. */
  readonly viewFolder: string;
  /** One loop per work tree. `git clean` cannot remove it either: an agent that cleans up must not allow a second loop. */
  readonly workspaceLock: string;
}

/** Only computes paths; Ralph writes nothing before it is sure that a run starts. */
export function runHome(cwd: string, git: GitFolders | null): RunHome {
  const viewFolder = join(cwd, '.ralph');
  return { viewFolder, runsFolder: runsFolderOf(cwd, git), workspaceLock: git ? join(git.gitDir, 'ralph-lock') : join(viewFolder, 'lock') };
}

export async function makeRunHome(home: RunHome, git: GitFolders | null): Promise<void> {
  const { runsFolder, viewFolder } = home;
  await makeFolder(viewFolder, 0o755);
  await makeRunsFolder(home);
  if ((await makeViewFolder(viewFolder)) && git) await linkTo(runsFolder, join(viewFolder, 'runs'));
}

/** Creates the folder that all worktrees share. */
export async function makeRunsFolder({ runsFolder }: RunHome): Promise<void> {
  await makeFolder(runsFolder, 0o700);
}

/** A link that leads elsewhere comes from before the repository was moved, so we replace it. Anything else is not ours to replace. */
async function linkTo(target: string, path: string): Promise<void> {
  const found = await readlink(path).catch(() => null);
  if (found === target) return;
  if (found !== null) await unlink(path).catch(() => undefined);
  await symlink(target, path, 'junction').catch(() => undefined);
}

export function runsFolderOf(cwd: string, git: GitFolders | null): string {
  return join(git ? join(git.commonDir, 'ralph') : join(cwd, '.ralph'), 'runs');
}

/** This folder and those above it, up to the top of its work tree; without git, up to the nearest folder with runs. The nearest comes first. */
export function foldersOfProject(cwd: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) folders.push(dirname(folder));
  const top = folders.findIndex(isTopOfWorkTree);
  const end = top >= 0 ? top : folders.findIndex((folder) => existsSync(join(folder, '.ralph', 'runs')));
  return folders.slice(0, Math.max(end, 0) + 1);
}

/** An empty `.git` is nothing to git either. In a linked worktree it is a file. */
function isTopOfWorkTree(folder: string): boolean {
  const git = join(folder, '.git');
  return existsSync(join(git, 'HEAD')) || (statSync(git, { throwIfNoEntry: false })?.isFile() ?? false);
}

/** The folder from which a run is continued: here, or the folder above in which it was started or works. Null: it belongs to another directory. */
export function folderAround(cwd: string, { origin, cwd: worksIn }: { readonly origin: string; readonly cwd: string }): string | null {
  return foldersOfProject(cwd).find((folder) => folder === origin || folder === worksIn) ?? null;
}

/** The run with that id, or whose id ends so; null asks for the newest one that was started in this directory, or in a folder of its project above it. */
export async function chooseRun(wanted: string | null, runsFolder: string, cwd: string): Promise<string> {
  return (await chooseRunIn(wanted, [runsFolder], cwd)).run;
}

export interface FoundRun {
  readonly run: string;
  readonly runsFolder: string;
}

/** The same for several folders of runs. */
export async function chooseRunIn(wanted: string | null, runsFolders: readonly string[], cwd: string): Promise<FoundRun> {
  const listed = runsFolders.map((runsFolder) => namesIn(runsFolder).map((run) => ({ run, runsFolder })));
  const named = listed.length === 1 ? listed.flat() : listed.flat().sort((one, other) => (one.run < other.run ? 1 : -1));
  if (wanted === null) return await newestOf(cwd, named);
  const run = runNamed(
    wanted,
    named.filter((found) => found.run.endsWith(wanted) && hasJournal(found)),
  );
  if (run !== undefined) return run;
  throw unknownRun(`there is no run "${wanted}" here`, hintOf(named.filter(hasJournal)));
}

/** Refuses a name that matches several runs, because continuing the wrong one cannot be undone. */
function runNamed(wanted: string, runs: readonly FoundRun[]): FoundRun | undefined {
  const named = runs.filter(({ run }) => run === wanted);
  const fitting = named.length > 0 ? named : runs.filter(({ run }) => wanted !== '' && run.endsWith(wanted));
  if (fitting.length <= 1) return fitting[0];
  const names = named.length > 0 ? fitting.map(({ run, runsFolder }) => join(runsFolder, run)) : fitting.map(({ run }) => run);
  throw new OperatorError('run-ambiguous', `"${wanted}" fits ${fitting.length} runs`, {
    hint: `${named.length > 0 ? 'They lie in' : 'Name one of them'}: ${names.slice(0, 3).join(', ')}.`,
    exitCode: 2,
  });
}

/** Worktrees share their runs, but a run continues only where it was started. */
export function isElsewhere(startedIn: string, cwd: string): boolean {
  return startedIn !== cwd && existsSync(startedIn);
}

const RANDOM_BITS = 14;

/** Sorts by time to the millisecond. The random end distinguishes runs of the same millisecond. */
export function newRunId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const tail = ((nowMs % 1000) << RANDOM_BITS) | process.getBuiltinModule('node:crypto').randomInt(1 << RANDOM_BITS);
  return `${time}-${tail.toString(16).padStart(6, '0')}`;
}

/** Newest first. */
export async function listRuns(runsFolder: string): Promise<string[]> {
  return namesIn(runsFolder).filter((run) => hasJournal({ run, runsFolder }));
}

/** Newest first; includes runs that never started. */
const namesIn = (runsFolder: string): string[] => [...listFolder(runsFolder).names].reverse();

const isFolder = ({ run, runsFolder }: FoundRun) => lstatSync(join(runsFolder, run), { throwIfNoEntry: false })?.isDirectory() === true;

const hasJournal = (found: FoundRun) => isFolder(found) && existsSync(join(found.runsFolder, found.run, 'journal.jsonl'));

/**
 * A run with its own worktree belongs to two directories: where it was started, and where it works. If its directory is gone, it may have
 * been moved here or removed: only the operator knows, so the operator must name it. The same holds for a child of another run.
 */
async function newestOf(cwd: string, runs: readonly FoundRun[]): Promise<FoundRun> {
  let hint: string | null = null;
  for (const found of runs) {
    const start = isFolder(found) ? await startIn(join(found.runsFolder, found.run)) : null;
    if (start === null || start.isChild) continue;
    if (folderAround(cwd, start) !== null) return found;
    if (existsSync(start.origin)) continue;
    hint ??= `Run ${found.run} was started in ${start.origin}, which is gone. If it belongs here, continue it with: ${howToResume(found.run)}`;
  }
  throw unknownRun('there is no run here', hint ?? hintOf(runs.filter(hasJournal)));
}

function hintOf(runs: readonly FoundRun[]): string {
  if (runs.length === 0) return 'Start one with: ralph run -p "…"';
  const newest = runs.slice(0, 3).map(({ run }) => run);
  return `The newest runs of this repository are: ${newest.join(', ')}. ralph runs list --all lists all of them.`;
}

function unknownRun(message: string, hint: string): OperatorError {
  return new OperatorError('run-unknown', message, { hint, exitCode: 2 });
}

/** Where a run works, where it was started, and the rest of its first line. */
export interface RunStart {
  readonly cwd: string;
  readonly origin: string;
  /** Whether another run started it. */
  readonly isChild: boolean;
  readonly line: Readonly<Record<string, unknown>>;
}

/** Reads only the first line; damage further on shows when the run is opened. Null for a run that never started. */
export async function startIn(runFolder: string): Promise<RunStart | null> {
  const first = readFirstLine(join(runFolder, 'journal.jsonl'));
  if (first === null) return null;
  try {
    const line = JSON.parse(first) as RunStart['line'];
    const { cwd, origin } = line;
    if (typeof cwd !== 'string') return null;
    const isFrom = typeof origin === 'string' && origin !== '' ? origin : cwd;
    return { cwd, origin: isFrom, isChild: ChildStart.safeParse(line).success, line };
  } catch {
    return null;
  }
}

/** The first line of a run that another run started. */
const ChildStart = z.object({ settings: z.object({ supervise: z.object({ parent: z.string() }) }) });

async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new OperatorError('folder-not-writable', `cannot write to ${path}: ${(cause as Error).message}`, {
      hint: 'Ralph keeps its settings view and logs there; make the folder writable, or run from another directory.',
      exitCode: 4,
      cause,
    });
  }
}
