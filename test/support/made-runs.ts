import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import { notDone, type StopReason } from '../../src/journal/words/outcome.ts';
import { identityOf } from '../../src/process/identity.ts';
import type { ProcessIdentity } from '../../src/process/process-request.ts';
import type { SuperviseSpec } from '../../src/settings/schema/run-settings.ts';
import { type LockHolder, takeLock } from '../../src/store/lock.ts';
import { type SettingsChange, testSettings } from './run-settings.ts';

/** This process, which lives as long as the test. */
export function us(): ProcessIdentity {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('This process is not in the process table.');
  return identity;
}

/** A dead process of this machine: our pid with another start time. */
export const gone = (): ProcessIdentity => ({ ...us(), startTime: '1' });

export const faraway: ProcessIdentity = { host: 'far', bootId: 'away', pid: 7, startTime: '1' };

interface MadeRun {
  readonly settings?: SettingsChange;
  readonly writer?: ProcessIdentity;
  readonly cwd?: string;
  readonly at?: number;
  /** What follows the first line. */
  readonly after?: readonly EventBody[];
}

/** A run's folder with its journal, as a run would have left it. */
export async function makeRun(runsFolder: string, run: string, made: MadeRun = {}): Promise<string> {
  const { settings = {}, writer = us(), cwd = runsFolder, at = 1_000, after = [] } = made;
  const folder = join(runsFolder, run);
  await mkdir(folder, { recursive: true });
  const { host, bootId, pid, startTime } = writer;
  const started = {
    type: 'run.started',
    run,
    ralph: 'test',
    cwd,
    origin: cwd,
    settings: testSettings(settings),
    sources: [],
    found: null,
    writer: { host, boot_id: bootId, pid, start_time: startTime },
  };
  const lines = [started, ...after].map((body, index) => `${JSON.stringify({ v: 1, seq: index + 1, at: at + index, ...body })}\n`);
  await writeFile(join(folder, 'journal.jsonl'), lines.join(''));
  return folder;
}

export const stopped = (stop_reason: StopReason, exit_code = 1): EventBody => ({
  type: 'run.stopped',
  outcome: notDone(stop_reason, 'made up', exit_code),
});

/** As if that process had taken the run's lock. */
export async function forgeLock(runsFolder: string, run: string, holder: ProcessIdentity): Promise<void> {
  const record: LockHolder = { ...holder, note: run };
  await writeFile(join(runsFolder, `${run}.lock@1`), JSON.stringify(record));
}

/** Held by this process until it is let go; with another note it is held for something else than to work on it. */
export async function holdRun(runsFolder: string, run: string, note = run): Promise<() => Promise<void>> {
  const lock = await takeLock(join(runsFolder, `${run}.lock`), note);
  if (lock.kind === 'held') throw new Error(`Somebody else holds ${run}.`);
  return () => lock.release();
}

export async function appendEvent(runFolder: string, seq: number, body: object): Promise<void> {
  await appendFile(join(runFolder, 'journal.jsonl'), `${JSON.stringify({ v: 1, seq, at: 1_000 + seq, ...body })}\n`);
}

/** The settings of a run in a task folder. */
export function ofTask(over: Partial<SuperviseSpec> = {}, recipe: 'supervise' | 'job' = 'supervise') {
  const supervise: SuperviseSpec = {
    project: 'p',
    task: 't',
    folder: '/nowhere/p/t',
    parent: null,
    maxRestarts: 100,
    restartDelayMs: 0,
    backoffMs: 0,
    intensity: null,
    waitTimeoutMs: 0,
    pollMs: 1_000,
    doneGraceMs: 0,
    waitScope: 'task',
    killChildren: false,
    dependsOn: [],
    failOnBlocked: false,
    env: {},
    ...over,
  };
  return { recipe, supervise, gates: [] };
}
