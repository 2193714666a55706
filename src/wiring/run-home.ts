import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitCli } from '../adapters/git-cli.ts';
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

export async function makeRunHome({ runsFolder, viewFolder }: RunHome, git: GitCli | null): Promise<void> {
  await makeFolder(viewFolder, 0o755);
  await makeFolder(runsFolder, 0o700);
  if (git) await symlink(runsFolder, join(viewFolder, 'runs'), 'junction').catch(() => undefined);
}

export function runsFolderOf(cwd: string, git: GitCli | null): string {
  return join(git ? join(git.commonDir, 'ralph') : join(cwd, '.ralph'), 'runs');
}

/** The run of that id, or of that end of an id; null asks for the newest one of this directory. */
export async function chooseRun(wanted: string | null, runsFolder: string, cwd: string): Promise<string> {
  const runs = await listRuns(runsFolder);
  const run = wanted === null ? await newestOf(cwd, runs, runsFolder) : runNamed(wanted, runs);
  if (run !== undefined) return run;
  throw new OperatorError('run-unknown', wanted === null ? 'there is no run here' : `there is no run "${wanted}" here`, {
    hint: runs.length > 0 ? `The newest runs of this repository are: ${runs.slice(0, 3).join(', ')}.` : 'Start one with: ralph run -p "…"',
    exitCode: 2,
  });
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

/** Worktrees share their runs, and each goes on where it was started; a directory that is gone was moved or renamed. */
export function isElsewhere(startedIn: string, cwd: string): boolean {
  return startedIn !== cwd && existsSync(startedIn);
}

/** Sorts by time; the tail keeps two runs of one second apart. */
export function newRunId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}

/** Newest first. */
async function listRuns(runsFolder: string): Promise<string[]> {
  const entries = await readdir(runsFolder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(join(runsFolder, entry.name, 'journal.jsonl')))
    .map((entry) => entry.name)
    .sort()
    .reverse();
}

async function newestOf(cwd: string, runs: readonly string[], runsFolder: string): Promise<string | undefined> {
  for (const run of runs) {
    const startedIn = await directoryOf(join(runsFolder, run, 'journal.jsonl'));
    if (startedIn === null || !isElsewhere(startedIn, cwd)) return run;
  }
  return undefined;
}

/** Only the first line is read: damage further on is told when that run is opened. Null for a run that never started, which could be anybody's. */
async function directoryOf(journal: string): Promise<string | null> {
  const [first = ''] = (await readFile(journal, 'utf8')).split('\n', 1);
  try {
    const { cwd } = JSON.parse(first) as { readonly cwd?: unknown };
    return typeof cwd === 'string' ? cwd : null;
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
