import { join, resolve } from 'node:path';
import { surroundings } from '../../../process/surroundings.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { whichPlan } from '../../../plans/find/which-plan.ts';
import { resumeRun } from '../../../runs/resume-run.ts';
import type { FinishedRun } from '../../../runs/run-options.ts';
import { startStories } from '../../review/start/start-stories.ts';
import { startWork } from '../start/start-work.ts';
import { refuseBesideResume } from '../../../cli/shared/refuse-beside-resume.ts';
import { refuseStoryFlags, storiesWish } from './stories-from-flags.ts';
import { workWish } from './wish-from-flags.ts';
import type { WorkFlags } from './work-flags.ts';
import { aroundRun } from '../../../cli/shared/around-run.ts';
import { withFatalResult } from '../../../cli/shared/fatal-result.ts';

export function workCommand(flags: WorkFlags): Promise<number> {
  return flags.json ? withFatalResult((onStarted) => work(flags, onStarted)) : work(flags, () => undefined);
}

async function work(flags: WorkFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const here = aroundRun(flags, onStarted);
  const around = flags.projectDir === undefined ? here : { ...here, cwd: resolve(here.cwd, flags.projectDir) };
  if (flags.resume === undefined) return report(await start(flags, around), flags);
  // `hooks` is there also when nobody said anything of it.
  const { resume, json: _, quiet: __, verbose: ___, projectDir: ____, hooks: _____, ...others } = flags;
  refuseBesideResume(others);
  return report(await resumeRun({ ...around, run: resume === true ? null : resume }), flags);
}

/** Stories are worked on in place and one by one, tasks in worktrees and side by side. */
async function start(flags: WorkFlags, around: ReturnType<typeof aroundRun>): Promise<FinishedRun> {
  const plan = await whichPlan(around.cwd, planIn(flags));
  if (plan.kind === 'stories') return await startStories({ ...around, ...storiesWish(flags, plan.path) });
  refuseStoryFlags(flags);
  return await startWork({ ...around, ...workWish(flags) });
}

function planIn({ plan, ralphDir }: WorkFlags): string | null {
  if (ralphDir === undefined) return plan ?? null;
  if (plan !== undefined)
    throw new OperatorError('usage', 'either --plan or --ralph-dir says where the stories are', { hint: 'Leave one of them out.', exitCode: 2 });
  return join(ralphDir, 'tasks.json');
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: WorkFlags): number {
  if (json) surroundings().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}
