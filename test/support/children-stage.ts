import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundProcess, processesOf } from './processes-of.ts';
import { type RunningRalph, ralph, startRalph } from './ralph.ts';
import { type EndedRun, withResult } from './stage.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';
import { until } from './until.ts';

/** A folder in which root agents and their children are scripts. */
export interface ChildrenStage extends AsyncDisposable {
  readonly path: string;
  /** `ralph supervise` of the task `work`, with a root agent that is this node script. */
  begin(rootScript: string, ...more: readonly string[]): Promise<RunningRalph>;
  supervise(rootScript: string, ...more: readonly string[]): Promise<EndedRun>;
  ralph(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<EndedRun>;
  /** The runs of a task, oldest first. */
  runs(task?: string): readonly StagedRun[];
  /** The notes of the children, sorted. */
  notes(): readonly string[];
  /** Waits until that file exists. */
  made(file: string): Promise<void>;
  make(file: string): Promise<void>;
  processes(): readonly FoundProcess[];
}

export interface StagedRun {
  readonly run: string;
  readonly folder: string;
  readonly events: readonly Record<string, unknown>[];
  readonly parent: string | null;
  /** The process that opened its journal. */
  readonly pid: number;
  readonly stopReason: string | null;
}

/**
 * What every root script finds: `ralph(...words)` runs it to its end and resolves with `{ code, stdout, stderr }`, `start(...words)` gives the process, `made(file)`
 * waits for a file beside the script and `make(file)` makes one, `done()` makes DONE. A child is a line of shell: `child('…')` are the words that ask for it.
 */
const ROOT = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
const start = (...words) => spawn('ralph', words, { stdio: ['ignore', 'pipe', 'pipe'] });
const ralph = async (...words) => {
  const process = start(...words);
  const [stdout, stderr, [code]] = await Promise.all([text(process.stdout), text(process.stderr), once(process, 'close')]);
  return { code, stdout, stderr };
};
const made = async (file) => { while (!existsSync(file)) await sleep(20); };
const make = (file) => writeFileSync(file, '');
const child = (line) => ['--', 'sh', '-c', line];
const done = () => make(process.env.TASK_FOLDER + '/DONE');
console.log('root is up');
`;

export async function openChildrenStage(): Promise<ChildrenStage> {
  const folder = await openThrowAwayFolder();
  const [path, beside] = [join(folder.path, 'place'), join(folder.path, 'beside')];
  for (const each of [path, beside]) await mkdir(each);
  const env = { HOME: beside, XDG_RUNTIME_DIR: beside };
  const tasks = join(path, '.ralph', 'tasks', 'p');
  const words = async (rootScript: string, more: readonly string[]) => {
    await writeFile(join(path, 'root.mjs'), `${ROOT}${rootScript}`);
    return ['supervise', '--project', 'p', '--task', 'work', '--json', ...more, '--', process.execPath, 'root.mjs'];
  };
  const processes = () => processesOf(folder.path);
  return {
    path,
    begin: async (rootScript, ...more) => startRalph(await words(rootScript, more), { cwd: path, env }),
    supervise: async (rootScript, ...more) => withResult(await ralph(await words(rootScript, more), { cwd: path, env })),
    ralph: async (args, over = {}) => withResult(await ralph(args, { cwd: path, env: { ...env, ...over } })),
    runs: (task = 'work') => runsIn(join(tasks, task, 'runs')),
    notes: () => (existsSync(join(path, 'notes')) ? readFileSync(join(path, 'notes'), 'utf8').trim().split('\n').sort() : []),
    made: async (file) => void (await until(`${file} is made`, () => existsSync(join(path, file)))),
    make: (file) => writeFile(join(path, file), ''),
    processes,
    async [Symbol.asyncDispose]() {
      for (const { pid } of processes()) kill(pid);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The ids and the ends of the children that a run has started. */
export function startedBy({ events }: StagedRun): readonly string[] {
  return events.filter(({ type }) => type === 'child.started').map(({ run }) => String(run));
}

function runsIn(folder: string): readonly StagedRun[] {
  if (!existsSync(folder)) return [];
  const runs = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'journal.jsonl')));
  // Ids of one second are in no order.
  return runs.map((run) => stagedRun(join(folder, run), run)).sort((one, other) => Number(one.events[0]?.['at']) - Number(other.events[0]?.['at']));
}

interface Started {
  readonly settings: { readonly supervise: { readonly parent: string | null } };
  readonly writer: { readonly pid: number };
}

function stagedRun(folder: string, run: string): StagedRun {
  const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n').slice(0, -1);
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const started = events[0] as unknown as Started;
  const stopped = events.find(({ type }) => type === 'run.stopped')?.['outcome'] as { readonly stop_reason: string } | undefined;
  return { run, folder, events, parent: started.settings.supervise.parent, pid: started.writer.pid, stopReason: stopped?.stop_reason ?? null };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
