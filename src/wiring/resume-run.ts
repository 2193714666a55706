import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSystemClock } from '../adapters/clock-system.ts';
import { openFileJournal } from '../adapters/journal-file.ts';
import { openScope } from '../kit/async/scope.ts';
import type { EventBody, JournalEvent } from '../model/events/journal-event.ts';
import { OperatorError } from '../model/operator-error.ts';
import { explaining } from './explaining.ts';
import { goOn } from './go-on.ts';
import { chooseRun, isElsewhere, startIn } from './run-home.ts';
import { type FinishedRun, type RunOptions, warner } from './run-options.ts';
import { thisWriter } from './this-writer.ts';
import { VERSION } from './version.ts';
import { openWorkspace } from './workspace.ts';
import { openAgain, ownWorktreeOf } from './worktree/open-again.ts';

export interface ResumeOptions extends RunOptions {
  /** Null: the newest run that was started in this directory. */
  readonly run: string | null;
}

/** Goes on with a run that was killed or stopped, with the settings it was started with. */
export function resumeRun(options: ResumeOptions): Promise<FinishedRun> {
  return explaining(() => resume(options));
}

async function resume(options: ResumeOptions): Promise<FinishedRun> {
  await using scope = openScope();
  const here = await openWorkspace(options.cwd, scope);
  const run = await chooseRun(options.run, here.home.runsFolder, options.cwd);
  const runFolder = join(here.home.runsFolder, run);
  const own = ownWorktreeOf(await startIn(runFolder));
  const workspace = own === null ? here : await openAgain(own, here, { run, scope });
  await workspace.hold(run);
  const journal = await openFileJournal(join(runFolder, 'journal.jsonl'));
  scope.defer(() => journal.close());
  const started = startOf(journal.past, run);
  if (own === null) stayWhereItWorks(started, options);
  await forgetOldWishes(join(runFolder, 'inbox'));
  return await goOn({
    workspace,
    runFolder,
    journal,
    clock: openSystemClock(journal.past.at(-1)?.at),
    settings: started.settings,
    options,
    opening: { type: 'run.resumed', ralph: VERSION, writer: thisWriter() },
  });
}

function stayWhereItWorks({ run, cwd }: Started, options: ResumeOptions): void {
  if (isElsewhere(cwd, options.cwd)) {
    throw new OperatorError('run-elsewhere', `run ${run} works in ${cwd}`, { hint: `Go there and continue it with: ralph run --resume ${run}`, exitCode: 2 });
  }
  if (cwd !== options.cwd) warner(options)(`run ${run} was started in ${cwd}, which is gone; it goes on here, in ${options.cwd}`);
}

type Started = Extract<EventBody, { type: 'run.started' }>;

function startOf(past: readonly JournalEvent[], run: string): Started {
  const first = past[0]?.body;
  if (first?.type !== 'run.started') throw new OperatorError('run-empty', `run ${run} never started`, { hint: 'Start a new one.', exitCode: 2 });
  const last = past.at(-1)?.body;
  if (last?.type === 'run.stopped' && last.outcome.exit_code === 0) {
    throw new OperatorError('run-done', `run ${run} is done (${last.outcome.stop_reason}); there is nothing to resume`, {
      hint: 'Start a new run.',
      exitCode: 2,
    });
  }
  return first;
}

/** Who resumes a run wants it to go on: what was asked of the loop before is over, written down or not. */
async function forgetOldWishes(inbox: string): Promise<void> {
  await rm(inbox, { recursive: true, force: true });
  await mkdir(inbox, { recursive: true, mode: 0o700 });
}
