import { resumeRun } from '../../wiring/resume-run.ts';
import type { FinishedRun } from '../../wiring/run-options.ts';
import { startWork } from '../../wiring/work/start-work.ts';
import { refuseBesideResume } from '../refuse-beside-resume.ts';
import { workWish } from '../work/wish-from-flags.ts';
import type { WorkFlags } from '../work/work-flags.ts';
import { aroundRun } from './around-run.ts';
import { withFatalResult } from './fatal-result.ts';

export function workCommand(flags: WorkFlags): Promise<number> {
  return flags.json ? withFatalResult((onStarted) => work(flags, onStarted)) : work(flags, () => undefined);
}

async function work(flags: WorkFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const around = aroundRun(flags, onStarted);
  if (flags.resume === undefined) return report(await startWork({ ...around, ...workWish(flags) }), flags);
  const { resume, json: _, quiet: __, verbose: ___, ...others } = flags;
  refuseBesideResume(others);
  return report(await resumeRun({ ...around, run: resume === true ? null : resume }), flags);
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: WorkFlags): number {
  if (json) process.stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}
