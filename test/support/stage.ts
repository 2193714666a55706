import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { RunView } from '../../src/report/views/run-view.ts';
import { claudeScript, scriptedClaudeIn, type Turn } from './claude-script.ts';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { type RalphRun, type RunningRalph, ralph, startRalph } from './ralph.ts';
import { openRepo, type Repo } from './repo.ts';
import { until } from './until.ts';

/** A real repository, the built CLI, and a claude that follows a script. */
export interface Stage extends AsyncDisposable {
  readonly repo: Repo;
  /** `ralph run` with a prompt, the scripted claude, the gate and `--json`, and what is given on top: as a process, or to its end. */
  start(...more: readonly string[]): RunningRalph;
  run(...more: readonly string[]): Promise<EndedRun>;
  /** Any other command line of ours, in the same place: as a process, or to its end. */
  begin(...args: readonly string[]): RunningRalph;
  ralph(...args: readonly string[]): Promise<EndedRun>;
  ralphIn(cwd: string, ...args: readonly string[]): Promise<EndedRun>;
  calls(): readonly Call[];
  /** Waits until the agent, or a gate, has made that file beside the repository. */
  made(file: string): Promise<void>;
  make(file: string): Promise<void>;
  processes(): readonly FoundProcess[];
  /** The world as every row wants it told. */
  after(): Afterwards;
}

/** What the agent was told, how, and when. */
export interface Call {
  readonly atMs: number;
  readonly args: readonly string[];
  readonly prompt: string;
}

export interface EndedRun extends RalphRun {
  /** The object on stdout; null when there is none. */
  readonly result: (RunView & { readonly run_folder: string }) | null;
}

/** `commits` counts the first one, which is the user's; `changed` is what `git status` shows; `processes` is what still runs. */
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
  /** The folder of the repository in which the loop is started. */
  readonly where?: string;
  /** More variables of the operator. */
  readonly env?: Readonly<Record<string, string>>;
  /** The user's own configuration of git; null: none. */
  readonly userConfig?: string | null;
}

const CHECK = 'grep -qs done work.txt || { echo "work.txt is not done"; exit 1; }\n';

/** What an agent has to do to turn the gate green, and how git shows it then. */
export const WORK = 'echo done > work.txt';
export const WORKED = ['?? work.txt'];

export async function openStage(script: readonly Turn[], props: Props = {}): Promise<Stage> {
  const { settings = {}, files = {}, gate = 'sh check.sh', where = '.', userConfig = null, env = {} } = props;
  const repo = await openRepo({ 'check.sh': CHECK, '.ralph/settings.json': JSON.stringify(settings), ...files });
  const callsFile = join(repo.beside, 'calls.jsonl');
  const configFile = join(repo.beside, 'user.gitconfig');
  if (userConfig !== null) await writeFile(configFile, userConfig);
  const place = {
    cwd: join(repo.path, where),
    env: { ...(await envOf(repo, script, callsFile)), ...env, ...(userConfig !== null && { GIT_CONFIG_GLOBAL: configFile }) },
  };
  const guardrail = gate === null ? [] : ['--guardrail', gate];
  const words = (more: readonly string[]) => ['run', '-p', 'Do the work.', '--agent', 'claude', ...guardrail, '--json', ...more];
  const calls = () => linesOf(callsFile) as readonly unknown[] as readonly Call[];
  const processes = () => processesOf(dirname(repo.path), ...runsOf(repo));
  return {
    repo,
    start: (...more) => startRalph(words(more), place),
    run: async (...more) => withResult(await ralph(words(more), place)),
    begin: (...args) => startRalph(args, place),
    ralph: async (...args) => withResult(await ralph(args, place)),
    ralphIn: async (cwd, ...args) => withResult(await ralph(args, { ...place, cwd })),
    calls,
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(repo.beside, file)))),
    make: (file) => writeFile(join(repo.beside, file), ''),
    processes,
    after: () => ({
      calls: calls().length,
      commits: Number(repo.git('rev-list', '--count', 'HEAD')),
      changed: repo.git('status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean),
      processes: processes().map(({ command }) => command),
    }),
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) kill(pid);
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** Waits for the end of a loop that was started. */
export async function endOf(running: Pick<RunningRalph, 'ended'>): Promise<EndedRun> {
  return withResult(await running.ended);
}

export function withResult(run: RalphRun): EndedRun {
  return { ...run, result: run.stdout.startsWith('{') ? JSON.parse(run.stdout) : null };
}

/** What the loop wrote down; nothing for one that never came to that. */
export function journalOf({ result }: EndedRun): readonly Record<string, unknown>[] {
  return result === null ? [] : linesOf(join(result.run_folder, 'journal.jsonl'));
}

/** How its iterations ended, in order. */
export function iterationsOf(run: EndedRun): readonly unknown[] {
  return journalOf(run)
    .filter(({ type }) => type === 'iteration.closed')
    .map(({ result }) => result);
}

async function envOf(repo: Repo, script: readonly Turn[], callsFile: string): Promise<Record<string, string>> {
  const bin = await scriptedClaudeIn(repo.beside);
  return {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    HOME: repo.beside,
    XDG_RUNTIME_DIR: repo.beside,
    // Without it claude does not work for root.
    IS_SANDBOX: '1',
    CLAUDE_SCRIPT: claudeScript(script),
    CLAUDE_CALLS: callsFile,
  };
}

function linesOf(file: string): readonly Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** A guardian carries the run's name and nothing else of ours. */
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
