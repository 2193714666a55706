import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import { identityOf } from '../../src/process/identity.ts';
import type { ProcessIdentity } from '../../src/process/process-request.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { isRunning } from './live-processes.ts';
import { ofTask } from './made-runs.ts';
import { type RalphRun, ralph } from './ralph.ts';
import { testSettings } from './run-settings.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';
import { until } from './until.ts';

const STAND_IN = fileURLToPath(new URL('../acceptance/supervise/runs-stand-in.mjs', import.meta.url));

export const SUPERVISOR = '20260101-000000-aaaaaa';
export const CHILD = '20260101-000001-bbbbbb';

export type Member = 'supervisor' | 'root' | 'child';

/** What `ralph runs list --json` says of each run. */
export type Standings = Readonly<Record<string, string>>;

/** Real processes that hold real runs: a supervisor, the root agent it has spawned, and a run that came from it. */
export interface Family extends AsyncDisposable {
  readonly cwd: string;
  readonly taskFolder: string;
  readonly runsFolder: string;
  kill(member: Member): Promise<void>;
  isAlive(member: Member): boolean;
  identityOf(member: Member): ProcessIdentity;
  /** Somebody who has nothing to do with it. */
  stranger(): Promise<ProcessIdentity>;
  ralph(...args: readonly string[]): Promise<RalphRun>;
  standings(): Promise<Standings>;
}

export async function openFamily(): Promise<Family> {
  const folder = await openThrowAwayFolder();
  const cwd = folder.path;
  const taskFolder = join(cwd, '.ralph', 'tasks', 'p', 't');
  const runsFolder = join(taskFolder, 'runs');
  await mkdir(runsFolder, { recursive: true });
  const processes: ChildProcess[] = [];
  const begin = async (file: string, args: readonly string[], marker?: string) => {
    const env = { PATH: process.env['PATH'], ...(marker && { RALPH_MARKER: marker }) };
    const child = spawn(file, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'inherit'], env });
    processes.push(child);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    return identified(child.pid ?? 0);
  };
  const hold = (run: string, settings: Partial<RunSettings>, spawned: readonly EventBody[], marker?: string) =>
    begin(process.execPath, [STAND_IN, JSON.stringify({ runsFolder, run, cwd, settings: testSettings(settings), spawned })], marker);
  const sleeper = (marker?: string) => begin('sh', ['-c', 'echo ready; exec sleep 600'], marker);

  const root = await sleeper(`${SUPERVISOR}~1/1.1`);
  const supervisor = await hold(SUPERVISOR, ofTask({ folder: taskFolder }), [spawnedEvent(root)]);
  const child = await hold(CHILD, ofTask({ folder: taskFolder, parent: SUPERVISOR }, 'job'), [], `${SUPERVISOR}~1/child.${CHILD}`);
  const members: Readonly<Record<Member, ProcessIdentity>> = { supervisor, root, child };
  const call = (...args: readonly string[]) => ralph(args, { cwd, env: { XDG_RUNTIME_DIR: cwd } });
  return {
    cwd,
    taskFolder,
    runsFolder,
    async kill(member) {
      process.kill(members[member].pid, 'SIGKILL');
      await until(`${member} is gone`, () => !isRunning(members[member].pid));
    },
    isAlive: (member) => isRunning(members[member].pid),
    identityOf: (member) => members[member],
    stranger: () => sleeper(),
    ralph: call,
    async standings() {
      const { stdout } = await call('runs', 'list', '--json');
      const { runs } = JSON.parse(stdout) as { readonly runs: readonly { readonly run_id: string; readonly state: string }[] };
      return Object.fromEntries(runs.map(({ run_id, state }) => [run_id, state]));
    },
    async [Symbol.asyncDispose]() {
      for (const process_ of processes) process_.kill('SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

function identified(pid: number): ProcessIdentity {
  const identity = identityOf(pid);
  if (identity === null) throw new Error('A process of the family has ended at once.');
  return identity;
}

function spawnedEvent({ host, bootId, pid, startTime }: ProcessIdentity): EventBody {
  return { type: 'attempt.spawned', attempt: '1.1', host, boot_id: bootId, pid, start_time: startTime, command: ['sleep'], prompt_head: '' };
}
