import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { RunView } from '../../src/core/views/run-view.ts';
import { scriptedClaudeIn, type Turn } from './claude-script.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { type RalphRun, type RunningRalph, startRalph } from './ralph.ts';
import { openRepo, type Repo } from './repo.ts';
import { until } from './until.ts';

/** A real repository, the built CLI, and a claude that follows a script. The gate is green once the agent has done its work. */
export interface Stage extends AsyncDisposable {
  readonly repo: Repo;
  /** `ralph run` with a prompt, the scripted claude, the gate and `--json`, and what is given on top. */
  start(...more: readonly string[]): RunningRalph;
  run(...more: readonly string[]): Promise<EndedRun>;
  /** Any other command line of ours, in the same place. */
  ralph(...args: readonly string[]): Promise<EndedRun>;
  /** What the agent was told, call by call. */
  calls(): readonly Call[];
  /** Waits for a step `bash('touch …')` of the agent, or for the nth call. */
  called(nth: number): Promise<void>;
  made(file: string): Promise<void>;
  make(file: string): Promise<void>;
  /** The state of the world that every row asserts. */
  after(): Afterwards;
  processes(): readonly FoundProcess[];
}

export interface EndedRun extends RalphRun {
  /** The object on stdout; null when there is none. */
  readonly result: (RunView & { readonly run_folder: string }) | null;
}

export interface Call {
  readonly atMs: number;
  readonly prompt: string;
}

/** `commits` counts the first one; `changed` is what `git status` shows; `processes` is what still runs. */
export interface Afterwards {
  readonly calls: number;
  readonly commits: number;
  readonly changed: readonly string[];
  readonly processes: readonly string[];
}

export interface Props {
  readonly settings?: object;
  readonly files?: Readonly<Record<string, string>>;
  /** Null: the run has no gate. */
  readonly gate?: string | null;
}

/** Red until work.txt says so. */
const GATE = 'sh check.sh';
const CHECK = 'grep -qs done work.txt || { echo "work.txt is not done"; exit 1; }\n';

/** What an agent has to do to turn the gate green, and how git shows it then. */
export const WORK = 'echo done > work.txt';
export const WORKED = ['?? work.txt'];

export async function openStage(script: readonly Turn[], { settings = {}, files = {}, gate = GATE }: Props = {}): Promise<Stage> {
  const repo = await openRepo({ 'check.sh': CHECK, '.ralph/settings.json': JSON.stringify(settings), ...files });
  const folder = join(repo.path, '..');
  const callsFile = join(repo.beside, 'calls.jsonl');
  const bin = await scriptedClaudeIn(repo.beside);
  const env = {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    HOME: repo.beside,
    XDG_RUNTIME_DIR: repo.beside,
    IS_SANDBOX: '1',
    CLAUDE_SCRIPT: JSON.stringify(script),
    CLAUDE_CALLS: callsFile,
  };
  const guardrail = gate === null ? [] : ['--guardrail', gate];
  const start = (...more: readonly string[]) =>
    startRalph(['run', '-p', 'Do the work.', '--agent', 'claude', ...guardrail, '--json', ...more], { cwd: repo.path, env });
  const calls = () =>
    existsSync(callsFile)
      ? readFileSync(callsFile, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Call)
      : [];
  const processes = () => processesOf(folder, ...runsOf(repo));
  return {
    repo,
    start,
    calls,
    processes,
    run: async (...more) => endedRun(await start(...more).ended),
    ralph: async (...args) => endedRun(await startRalph(args, { cwd: repo.path, env }).ended),
    called: async (nth) => void (await until(`call ${nth} of the agent`, () => calls().length >= nth)),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(repo.beside, file)))),
    make: (file) => writeFile(join(repo.beside, file), ''),
    after: () => ({
      calls: calls().length,
      commits: Number(repo.git('rev-list', '--count', 'HEAD')),
      changed: repo
        .git('status', '--porcelain')
        .split('\n')
        .filter((line) => line !== ''),
      processes: processes().map(({ command }) => command),
    }),
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) kill(pid);
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** What the loop wrote down, one event a line. */
export function journalOf({ run_folder }: { readonly run_folder: string }): readonly Record<string, unknown>[] {
  return readFileSync(join(run_folder, 'journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** How its iterations ended, in order. */
export function iterationsOf(run: EndedRun): readonly unknown[] {
  return run.result === null
    ? []
    : journalOf(run.result)
        .filter(({ type }) => type === 'iteration.closed')
        .map(({ result }) => result);
}

export async function ended(running: RunningRalph): Promise<EndedRun> {
  return endedRun(await running.ended);
}

function endedRun(run: RalphRun): EndedRun {
  return { ...run, result: run.stdout.startsWith('{') ? JSON.parse(run.stdout) : null };
}

/** The guardian of a run is told from others by the run's name alone. */
function runsOf(repo: Repo): readonly string[] {
  const runs = join(repo.path, '.git', 'ralph', 'runs');
  return existsSync(runs) ? readdirSync(runs).filter((name) => !name.includes('.lock')) : [];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
