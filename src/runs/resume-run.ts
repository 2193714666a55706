import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventBody, JournalEvent } from '../journal/events/journal-event.ts';
import { howToResume, isDone, type Outcome } from '../journal/words/outcome.ts';
import { openScope, type Scope } from '../kit/async/scope.ts';
import { VERSION } from '../kit/files/version.ts';
import { removeUnfinished } from '../kit/files/write.ts';
import { OperatorError, withOperatorErrors } from '../kit/pure/operator-error.ts';
import { whoIsThere } from '../process/io.ts';
import { factsOf, taskSpecOf } from '../settings/schema/recipe-facts.ts';
import { RunSettings, type SuperviseSpec } from '../settings/schema/run-settings.ts';
import { openSystemClock } from '../store/clock.ts';
import { openFileJournal } from '../store/journal-file.ts';
import { lockTask, taskRunsFolder } from '../store/lock-task-folder.ts';
import { chooseRunIn, folderAround, isElsewhere, type RunStart, startIn } from '../store/run-home.ts';
import { readRunSummary } from '../store/runs/run-summary.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { openAgain, ownWorktreeOf } from '../workspace/worktrees/open.ts';
import { landAtEnd, waitingToLand } from './land-run.ts';
import { neverStarted, unreadable } from './manage/find-run.ts';
import { type RunFilter, runsFoldersAround } from './manage/runs-folders.ts';
import type { AllowedClaim } from './opened-run.ts';
import { forgetWait, prepareResume } from './recipes/parts.ts';
import { type FinishedRun, type RunOptions, warnFunctionOf } from './run-options.ts';
import { checkedSandbox } from './sandbox/choose-sandbox.ts';
import { thisProcess } from './this-process.ts';
import { dropOldRequests, removeRecordedAnswers } from './unread-answers.ts';

export interface ResumeOptions extends RunOptions {
  /** Null: the newest run of this directory. */
  readonly run: string | null;
  /** Where to look for it; absent: everywhere. */
  readonly where?: RunFilter;
  /** What a person has said meanwhile, such as the answer to a question. */
  readonly said?: readonly EventBody[];
  readonly allowed?: AllowedClaim;
}

/** Continues a run that was killed or stopped, with the settings it was started with. */
export function resumeRun(options: ResumeOptions): Promise<FinishedRun> {
  return withOperatorErrors(async () => await landAtEnd(await resume(options), options));
}

async function resume(options: ResumeOptions): Promise<FinishedRun> {
  await using scope = openScope();
  const asked = await openWorkspace(options.cwd, scope);
  const { run, runsFolder } = await chooseRunIn(options.run, await runsFoldersAround(options.cwd, asked, options.where), options.cwd);
  const runFolder = join(runsFolder, run);
  const start = await readableStart(runsFolder, run);
  const landing = settingsIn(start)?.landing;
  const waiting = landing === undefined ? null : await waitingToLand(runFolder, landing);
  if (waiting !== null) return waiting;
  const cwd = folderAround(options.cwd, start) ?? options.cwd;
  const here = cwd === options.cwd ? asked : await openWorkspace(cwd, scope);
  const place = await openPlaceOf(start, { here, run, runsFolder, scope });
  for (const folder of [runFolder, join(runFolder, 'receipts')]) await removeUnfinished(folder);
  const journal = await openFileJournal(join(runFolder, 'journal.jsonl'));
  scope.defer(() => journal.close());
  const started = startOf(journal.past, run);
  if (place.isWhereAsked) stayWhereItWorks(started, { ...options, cwd });
  await checkedSandbox(started.settings.wall, place.workspace);
  const left = await dropOldRequests(join(runFolder, 'inbox'));
  await forgetWait(started.settings);
  const clock = openSystemClock(journal.past.at(-1)?.at);
  const { driveRun: goOn } = await import('./drive-run.ts');
  return await goOn({
    workspace: place.workspace,
    runFolder,
    journal,
    clock,
    settings: started.settings,
    options: { ...options, projections: async (folder, recipe) => [removeRecordedAnswers(left), ...(await options.projections(folder, recipe))] },
    ...(options.allowed && { allowed: options.allowed }),
    said: [...left.map(({ event }) => event), ...(options.said ?? [])],
    opening: { type: 'run.resumed', ralph: VERSION, writer: thisProcess(), by: whoIsThere(), ...(await timeOfDeath(journal.past, runFolder, clock.nowMs())) },
  });
}

/** A run that was killed during an attempt worked longer than its journal shows, and that time counts against its budget. */
async function timeOfDeath(past: readonly JournalEvent[], runFolder: string, nowMs: number): Promise<{ readonly worked_until?: number }> {
  const sign = past.at(-1)?.body.type === 'run.stopped' ? null : await lastSignMs(runFolder);
  return sign === null ? {} : { worked_until: Math.min(sign, nowMs) };
}

/** An unreadable run is reported before anything is locked or opened. */
async function readableStart(runsFolder: string, run: string): Promise<RunStart> {
  const sight = await readRunSummary(runsFolder, run);
  if (sight?.kind === 'unreadable') throw unreadable(sight);
  const start = await startIn(join(runsFolder, run));
  if (start === null) throw neverStarted(run);
  return start;
}

interface Around {
  readonly here: Workspace;
  readonly run: string;
  readonly runsFolder: string;
  readonly scope: Scope;
}

interface OpenPlace {
  readonly workspace: Workspace;
  /** True when the run continues in the directory of the caller; then that must be the directory it worked in. */
  readonly isWhereAsked: boolean;
}

/** Opens the workspace of a run and takes its locks. */
async function openPlaceOf(start: RunStart, around: Around): Promise<OpenPlace> {
  const { here, run, scope } = around;
  const settings = settingsIn(start);
  if (settings !== null && factsOf(settings).place !== 'work tree') return { workspace: await openElsewhere(settings, start, around), isWhereAsked: false };
  const own = ownWorktreeOf(start);
  const workspace = own === null ? here : await openAgain(own, here, { run, scope });
  await workspace.hold(run);
  return { workspace, isWhereAsked: own === null };
}

/** Null: they are invalid, which is reported later, when the journal is read. */
function settingsIn({ line }: RunStart): RunSettings | null {
  return RunSettings.safeParse(line['settings']).data ?? null;
}

/** Can be resumed from any directory: a run on a plan continues at the plan's home, a root agent where it works, each beside other runs there. */
async function openElsewhere(settings: RunSettings, { cwd }: RunStart, { run, runsFolder, scope }: Around): Promise<Workspace> {
  const task = taskSpecOf(settings);
  if (task !== null) await checkTaskFolder(task, run, runsFolder);
  if (!existsSync(cwd)) throw cannotGoOn('directory-gone', `run ${run} works in ${cwd}, which is gone`);
  const workspace = await openWorkspace(cwd, scope);
  await prepareResume(workspace, settings);
  await (task === null ? workspace.holdRun(run) : lockTask(task, { run, isRestarted: factsOf(settings).isRestarted }, scope));
  return workspace;
}

async function checkTaskFolder({ folder }: SuperviseSpec, run: string, runsFolder: string): Promise<void> {
  const recorded = await realpath(taskRunsFolder(folder)).catch(() => null);
  if (recorded !== runsFolder) throw cannotGoOn('task-moved', `the task of run ${run} was in ${folder}, and is not there any more`);
}

function cannotGoOn(code: string, message: string): OperatorError {
  return new OperatorError(code, message, { hint: 'Restore it, or start a new run.', exitCode: 4 });
}

function stayWhereItWorks({ run, cwd }: Started, options: ResumeOptions): void {
  if (isElsewhere(cwd, options.cwd)) {
    const hint = `Go there and continue it with: ${howToResume(run)}`;
    throw new OperatorError('run-elsewhere', `run ${run} works in ${cwd}`, { hint, exitCode: 2 });
  }
  if (cwd !== options.cwd) warnFunctionOf(options)(`run ${run} was started in ${cwd}, which is gone; it continues here, in ${options.cwd}`);
}

type Started = Extract<EventBody, { type: 'run.started' }>;

function startOf(past: readonly JournalEvent[], run: string): Started {
  const first = past[0]?.body;
  if (first?.type !== 'run.started') throw neverStarted(run);
  const last = past.at(-1)?.body;
  if (last?.type === 'run.stopped') refuseToResume(first, last.outcome);
  return first;
}

function refuseToResume({ run, settings }: Started, outcome: Outcome): void {
  if (isDone(outcome)) {
    const message = `run ${run} is done (${outcome.stop_reason}); there is nothing to resume`;
    throw new OperatorError('run-done', message, { hint: 'Start a new run.', exitCode: 2 });
  }
  const spec = taskSpecOf(settings);
  const { isRestarted, command } = factsOf(settings);
  if (spec === null || !areStartsSpent(isRestarted, spec, outcome)) return;
  const { project, task } = spec;
  const hint = `Start a new one with: ralph ${command} --project ${project} --task ${task}`;
  throw new OperatorError('lives-spent', `run ${run} has used up its restarts (${outcome.message}); there is nothing to resume`, { hint, exitCode: 2 });
}

/** A root agent needs no restart when somebody else has finished its work: the run can still prove that it is done. */
function areStartsSpent(isRestarted: boolean, { folder }: SuperviseSpec, { stop_reason }: Outcome): boolean {
  return isRestarted ? stop_reason === 'max_restarts' && !existsSync(join(folder, 'DONE')) : stop_reason === 'max_iterations';
}

const SPOOLS = ['agent.jsonl', 'agent.stderr'];

/** Epoch ms of the last output of a run's newest attempt; null when unknown. An agent may work for hours between two events of a journal. */
export async function lastSignMs(runFolder: string): Promise<number | null> {
  const iterations = join(runFolder, 'iterations');
  const newest = (await namesIn(iterations)).at(-1);
  if (newest === undefined) return null;
  const attempts = await namesIn(join(iterations, newest));
  const files = attempts.flatMap((attempt) => SPOOLS.map((spool) => join(iterations, newest, attempt, spool)));
  const times = await Promise.all(files.map(async (file) => (await lstat(file).catch(() => null))?.mtimeMs ?? 0));
  const last = Math.max(0, ...times);
  return last === 0 ? null : Math.round(last);
}

/** Names begin with a number. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
}
