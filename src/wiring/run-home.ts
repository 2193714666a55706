import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, readlink, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitCli } from '../adapters/git/git-cli.ts';
import { makeViewFolder } from '../engine/view-folder.ts';
import { firstLine } from '../kit/files/first-line.ts';
import { OperatorError } from '../model/operator-error.ts';

/** Where runs live: beside the repository's objects, so that every worktree sees them and `git clean` cannot reach them; without git in `.ralph/`. */
export interface RunHome {
  readonly runsFolder: string;
  /** `.ralph/` in the workspace: settings, and what people and agents look at. */
  readonly viewFolder: string;
  /** One loop per work tree. Out of reach of `git clean` too: an agent that tidies up must not let a second loop in. */
  readonly workspaceLock: string;
}

/** Only names it: nothing is written before a run is sure to start. */
export function runHome(cwd: string, git: GitCli | null): RunHome {
  const viewFolder = join(cwd, '.ralph');
  return { viewFolder, runsFolder: runsFolderOf(cwd, git), workspaceLock: git ? join(git.gitDir, 'ralph-lock') : join(viewFolder, 'lock') };
}

export async function makeRunHome(home: RunHome, git: GitCli | null): Promise<void> {
  const { runsFolder, viewFolder } = home;
  await makeFolder(viewFolder, 0o755);
  await makeRunsFolder(home);
  if ((await makeViewFolder(viewFolder)) && git) await linkTo(runsFolder, join(viewFolder, 'runs'));
}

/** The part of the home that worktrees share. */
export async function makeRunsFolder({ runsFolder }: RunHome): Promise<void> {
  await makeFolder(runsFolder, 0o700);
}

/** One writer per run. */
export function runLock(runsFolder: string, run: string): string {
  return join(runsFolder, `${run}.lock`);
}

/** A link that leads elsewhere is of a repository that was moved since. Anything but a link is not ours to replace. */
async function linkTo(target: string, path: string): Promise<void> {
  const found = await readlink(path).catch(() => null);
  if (found === target) return;
  if (found !== null) await unlink(path).catch(() => undefined);
  await symlink(target, path, 'junction').catch(() => undefined);
}

export function runsFolderOf(cwd: string, git: GitCli | null): string {
  return join(git ? join(git.commonDir, 'ralph') : join(cwd, '.ralph'), 'runs');
}

/** The run of that id, or of that end of an id; null asks for the newest one that was started in this directory. */
export async function chooseRun(wanted: string | null, runsFolder: string, cwd: string): Promise<string> {
  const runs = await listRuns(runsFolder);
  if (wanted === null) return await newestOf(cwd, runs, runsFolder);
  const run = runNamed(wanted, runs);
  if (run !== undefined) return run;
  throw unknownRun(`there is no run "${wanted}" here`, hintOf(runs));
}

/** An end that fits several runs is no name: going on with the wrong one could not be undone. */
function runNamed(wanted: string, runs: readonly string[]): string | undefined {
  const fitting = runs.includes(wanted) ? [wanted] : runs.filter((id) => wanted !== '' && id.endsWith(wanted));
  if (fitting.length <= 1) return fitting[0];
  throw new OperatorError('run-ambiguous', `"${wanted}" fits ${fitting.length} runs`, {
    hint: `Name one of them: ${fitting.slice(0, 3).join(', ')}.`,
    exitCode: 2,
  });
}

/** Worktrees share their runs, and each goes on where it was started. */
export function isElsewhere(startedIn: string, cwd: string): boolean {
  return startedIn !== cwd && existsSync(startedIn);
}

/** Sorts by time; the tail keeps two runs of one second apart. */
export function newRunId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}

/** Newest first. */
export async function listRuns(runsFolder: string): Promise<string[]> {
  const entries = await readdir(runsFolder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(join(runsFolder, entry.name, 'journal.jsonl')))
    .map((entry) => entry.name)
    .sort()
    .reverse();
}

/**
 * A run in a worktree of its own belongs to both directories: where it was asked for, and where it works. One whose directory is gone may
 * have been moved here or removed with its worktree: only the operator knows, so it must be named.
 */
async function newestOf(cwd: string, runs: readonly string[], runsFolder: string): Promise<string> {
  let hint: string | null = null;
  for (const run of runs) {
    const start = await startIn(join(runsFolder, run));
    if (start === null) continue;
    if (start.origin === cwd || start.cwd === cwd) return run;
    if (existsSync(start.origin)) continue;
    hint ??= `Run ${run} was started in ${start.origin}, which is gone. If it belongs here, continue it with: ralph run --resume ${run}`;
  }
  throw unknownRun('there is no run here', hint ?? hintOf(runs));
}

function hintOf(runs: readonly string[]): string {
  return runs.length > 0 ? `The newest runs of this repository are: ${runs.slice(0, 3).join(', ')}.` : 'Start one with: ralph run -p "…"';
}

function unknownRun(message: string, hint: string): OperatorError {
  return new OperatorError('run-unknown', message, { hint, exitCode: 2 });
}

/** Where a run works, where it was asked for, and the rest of its first line as it was written. */
export interface RunStart {
  readonly cwd: string;
  readonly origin: string;
  readonly line: Readonly<Record<string, unknown>>;
}

/** Only the first line is looked at: damage further on is told when that run is opened. Null for a run that never started. */
export async function startIn(runFolder: string): Promise<RunStart | null> {
  const first = await firstLine(join(runFolder, 'journal.jsonl'));
  try {
    const line = JSON.parse(first) as Readonly<Record<string, unknown>>;
    const { cwd, origin } = line;
    return typeof cwd === 'string' ? { cwd, origin: typeof origin === 'string' && origin !== '' ? origin : cwd, line } : null;
  } catch {
    return null;
  }
}

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
