import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { countOf, currentDirectory, durationOf } from '../../../cli/shared/flags.ts';
import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { refuseFlagsWithResume } from '../../../cli/shared/run-flags.ts';
import { agentsGiven, type SettingFlags, settingsFromFlags } from '../../../cli/shared/settings-from-flags.ts';
import { openScope } from '../../../kit/async/scope.ts';
import { OperatorError, withOperatorErrors } from '../../../kit/pure/operator-error.ts';
import { type FoundPlan, findPlan } from '../../../plans/find/find-plan.ts';
import { formOf } from '../../../plans/forms.ts';
import { io } from '../../../process/io.ts';
import { resumeRun } from '../../../runs/resume-run.ts';
import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { shownRunOptions } from '../../../watch/command/shown-run.ts';
import { withGit } from '../../../workspace/check-base.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { startStories } from '../../review/start/start-stories.ts';
import type { StoriesRequest } from '../../review/start/stories-request.ts';
import { startWork } from '../start/start-work.ts';
import type { WorkRequest } from '../start/work-request.ts';

export function workCommand(flags: WorkFlags): Promise<number> {
  return flags.json ? withFatalResult((onStarted) => work(flags, onStarted)) : work(flags, () => undefined);
}

async function work(flags: WorkFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const here = shownRunOptions(flags, onStarted, countOf('--workers', flags.workers) ?? 1);
  const around = flags.projectDir === undefined ? here : { ...here, cwd: resolve(here.cwd, flags.projectDir) };
  if (flags.dryRun && flags.resume === undefined) return await showOnly(flags, around);
  if (flags.resume === undefined) return report(await start(flags, around), flags);
  // commander sets `hooks` even without a flag.
  const { resume, json: _, quiet: __, verbose: ___, projectDir: ____, hooks: _____, ui: _u, watch: _w, plain: _p, ...others } = flags;
  refuseFlagsWithResume(others);
  return report(await resumeRun({ ...around, run: resume === true ? null : resume }), flags);
}

/** Stories are worked on in place and one by one, tasks in worktrees and in parallel. */
async function start(flags: WorkFlags, around: RunOptions): Promise<FinishedRun> {
  const plan = await findPlanFrom(around.cwd, planIn(flags));
  if (formOf(plan.kind).isReviewed) return await startStories({ ...around, ...storiesRequestFromFlags(flags, plan.path) });
  refuseStoryFlags(flags);
  return await startWork({ ...around, ...workRequestFromFlags(flags) });
}

async function showOnly(flags: WorkFlags, around: RunOptions): Promise<number> {
  const plan = await findPlanFrom(around.cwd, planIn(flags));
  if (formOf(plan.kind).isReviewed) refuseFlags(flags, ['dryRun'], 'is for a plan of tasks, and this one has stories');
  refuseStoryFlags(flags);
  const { dryRun } = await import('./dry-run.ts');
  return await dryRun({ ...around, ...workRequestFromFlags(flags) }, { json: flags.json === true });
}

function planIn({ plan, ralphDir }: WorkFlags): string | null {
  if (ralphDir === undefined) return plan ?? null;
  if (plan !== undefined)
    throw new OperatorError('usage', 'use either --plan or --ralph-dir to name the stories', { hint: 'Leave one of them out.', exitCode: 2 });
  return join(ralphDir, 'tasks.json');
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: WorkFlags): number {
  if (json) io().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}

const FOR_STORIES = ['ralphDir', 'skipReview', 'reviewCap', 'reviews', 'reviewAgent', 'failOnCap', 'createBranch', 'wait'] as const;

const FOR_TASKS = [
  ...[
    'store',
    'label',
    'story',
    'milestone',
    'tag',
    'template',
    'promptCommand',
    'pause',
    'retryFailed',
    'unprovenTries',
    'flakyRetries',
    'resolveTries',
    'maxFailures',
    'failOnBlocked',
  ],
] as const;

const MOST_REVIEWERS = 9;

/** The request that a command line makes for a run on stories. */
export function storiesRequestFromFlags(flags: WorkFlags, plan: string): StoriesRequest {
  refuseFlags(flags, FOR_TASKS, 'is for a plan of tasks, and this one has stories');
  refuseWorkers(flags.workers);
  return {
    plan,
    over: settingsFromWorkFlags(flags),
    checks: flags.check ?? [],
    maxIterations: countOf('--max-iterations', flags.maxIterations),
    allowDirty: flags.allowDirty === true,
    createBranch: flags.createBranch === true,
    reviewAgent: flags.reviewAgent ?? null,
    said: storiesOf(flags),
    budget: { costUsd: dollarsOf(flags.maxCost), timeMs: durationOf('--max-time', flags.maxTime) ?? 0 },
  };
}

/** Review flags mean nothing for tasks. */
export function refuseStoryFlags(flags: WorkFlags): void {
  refuseFlags(flags, FOR_STORIES, 'is for the stories of a tasks.json, and this plan has tasks');
  if (flags.hooks === false) throw refused('--no-hooks is for the stories of a tasks.json, and this plan has tasks', 'Leave it out.');
}

function storiesOf(flags: WorkFlags): StoriesRequest['said'] {
  const all = {
    skipReview: flags.skipReview ?? null,
    reviewCap: atLeastOne('--review-cap', flags.reviewCap, Number.MAX_SAFE_INTEGER),
    reviewers: atLeastOne('--reviews', flags.reviews, MOST_REVIEWERS),
    failOnCap: flags.failOnCap ?? null,
    wait: flags.wait ?? null,
    hooks: flags.hooks ?? null,
  };
  if (all.skipReview && (flags.reviewCap ?? flags.reviews ?? flags.reviewAgent) !== undefined)
    throw refused('--skip-review turns reviews off, so they cannot be configured', 'Leave it out, or leave out --review-cap, --reviews and --review-agent.');
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function atLeastOne(flag: string, text: string | undefined, most: number): number | null {
  const count = countOf(flag, text);
  if (count === null || (count >= 1 && count <= most)) return count;
  throw refused(`${flag} must be at least 1${most === MOST_REVIEWERS ? ` and at most ${most}` : ''}, not ${count}`, 'To turn reviews off, use --skip-review.');
}

function refuseWorkers(text: string | undefined): void {
  const workers = countOf('--workers', text) ?? 1;
  if (workers !== 1)
    throw refused('stories are worked on one after the other, on one branch', 'Leave --workers out, or write a task-graph.yaml for several at once.');
}

function refuseFlags(flags: WorkFlags, names: readonly string[], why: string): void {
  const given = names.find((name) => (flags as Readonly<Record<string, unknown>>)[name] !== undefined);
  if (given !== undefined)
    throw refused(`--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${why}`, 'Leave it out, or name another --plan.');
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}

const MOST_WORKERS = 64;

/** The request that a command line makes for a run on a plan. */
export function workRequestFromFlags(flags: WorkFlags): WorkRequest {
  return {
    plan: flags.plan ?? null,
    store: flags.store ?? null,
    filter: { story: flags.story ?? null, milestone: flags.milestone ?? null, tags: [...(flags.tag ?? [])] },
    over: settingsFromWorkFlags(flags),
    checks: flags.check ?? [],
    workers: workersOf(flags.workers),
    maxIterations: countOf('--max-iterations', flags.maxIterations),
    allowDirty: flags.allowDirty === true,
    said: saidOfWork(flags),
    budget: { costUsd: dollarsOf(flags.maxCost), timeMs: durationOf('--max-time', flags.maxTime) ?? 0 },
  };
}

const settingsFromWorkFlags = (flags: WorkFlags) => settingsFromFlags('work', flags, agentsGiven(flags.agents, 'agent.command'));

function saidOfWork(flags: WorkFlags): WorkRequest['said'] {
  const all = {
    pauseMs: durationOf('--pause', flags.pause),
    retryFailed: countOf('--retry-failed', flags.retryFailed),
    unprovenTries: countOf('--unproven-tries', flags.unprovenTries),
    flakyRetries: countOf('--flaky-retries', flags.flakyRetries),
    resolveTries: countOf('--resolve-tries', flags.resolveTries),
    template: flags.template === undefined ? null : resolve(currentDirectory(), flags.template),
    promptCommand: flags.promptCommand ?? null,
    failOnBlocked: flags.failOnBlocked ?? null,
    maxFailures: countOf('--max-failures', flags.maxFailures),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function workersOf(text: string | undefined): number {
  const workers = countOf('--workers', text) ?? 1;
  if (workers >= 1 && workers <= MOST_WORKERS) return workers;
  throw refused(`--workers must be between 1 and ${MOST_WORKERS}, not ${workers}`, 'For example 4.');
}

export function dollarsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const dollars = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (dollars > 0) return dollars;
  throw refused(`--max-cost must be a number of dollars above 0, not "${text}"`, 'For example 5 or 0.50.');
}

/** The options of `ralph work` as commander passes them. */
export interface WorkFlags extends SettingFlags {
  readonly plan?: string;
  readonly store?: string;
  readonly projectDir?: string;
  readonly ralphDir?: string;
  readonly skipReview?: boolean;
  readonly reviewCap?: string;
  readonly reviews?: string;
  readonly reviewAgent?: string;
  readonly failOnCap?: boolean;
  readonly createBranch?: boolean;
  readonly wait?: boolean;
  /** False with `--no-hooks`. */
  readonly hooks?: boolean;
  readonly story?: string;
  readonly milestone?: string;
  readonly tag?: readonly string[];
  readonly agents?: string;
  readonly template?: string;
  readonly promptCommand?: string;
  readonly workers?: string;
  readonly check?: readonly string[];
  readonly retryFailed?: string;
  readonly unprovenTries?: string;
  readonly flakyRetries?: string;
  readonly resolveTries?: string;
  readonly failOnBlocked?: boolean;
  readonly maxFailures?: string;
  readonly maxIterations?: string;
  readonly maxCost?: string;
  readonly maxTime?: string;
  readonly pause?: string;
  readonly allowDirty?: boolean;
  readonly resume?: string | true;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly ui?: boolean;
  readonly watch?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The plan that is meant in this directory, and the kind of its form. */
function findPlanFrom(directory: string, wanted: string | null): Promise<FoundPlan> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const cwd = await realpath(directory);
    const { topLevel } = withGit(await openWorkspace(cwd, scope));
    return await findPlan(topLevel, wanted === null ? null : resolve(cwd, wanted), cwd);
  });
}
