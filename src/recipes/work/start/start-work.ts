import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PlanStore } from '../../../engine/ports/stores.ts';
import type { Plan, PlanProblem, TaskFilter } from '../../../journal/words/plan.ts';
import { openScope } from '../../../kit/async/scope.ts';
import { withOperatorErrors } from '../../../kit/files/with-operator-errors.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { findPlan } from '../../../plans/find/find-plan.ts';
import { admits } from '../../../plans/graph/select-task.ts';
import { openPlanStore } from '../../../plans/open-plan-store.ts';
import { beginRun } from '../../../runs/begin-run.ts';
import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { withSandbox } from '../../../runs/sandbox/choose-sandbox.ts';
import { checkAgent } from '../../../settings/agent-of.ts';
import { checkBudget } from '../../../settings/check-settings.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { pricesIn } from '../../../settings/loop-settings.ts';
import { worktreeSettings } from '../../../settings/requested-settings.ts';
import { ms } from '../../../settings/run-limits.ts';
import { runSettings } from '../../../settings/run-settings.ts';
import type { GateSpec, RunSettings } from '../../../settings/schema/run-settings.ts';
import { type CompleteSettings, DEFAULTS, type SettingsFile } from '../../../settings/schema/settings-file.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { openSystemClock } from '../../../store/clock.ts';
import { newRunId } from '../../../store/run-home.ts';
import { baseBranch, refuseAgents, refuseDirt, refuseOldGit, refuseUncommittedPlan, withGit } from '../../../workspace/check-base.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { prepareHome } from './prepare-home.ts';
import { templateOf } from './prompt-for.ts';
import { WORK_DEFAULTS, type WorkRequest } from './work-request.ts';

/** Works on the tasks of a plan until none is left that can be done. Several runs may work on the same plan. */
export function startWork(options: RunOptions & WorkRequest): Promise<FinishedRun> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const cwd = await realpath(options.cwd);
    const workspace = await openWorkspace(cwd, scope);
    const { settings, sources } = await checkedSettings({ ...options, cwd }, workspace);
    const clock = openSystemClock();
    const run = newRunId(clock.nowMs());
    await prepareHome(workspace, settings);
    await workspace.holdRun(run);
    return await beginRun({ run, workspace, clock, options, settings, sources }, scope);
  });
}

interface CheckedSettings {
  readonly settings: RunSettings;
  readonly sources: readonly string[];
}

/** Refuses impossible settings before anything is written. */
async function checkedSettings(options: RunOptions & WorkRequest, workspace: Workspace): Promise<CheckedSettings> {
  const { cwd } = options;
  refuseAgents(workspace);
  const git = withGit(workspace);
  await refuseOldGit(workspace, git);
  const home = git.topLevel;
  const base = await baseBranch(workspace, git);
  const place = await findPlan(home, options.plan === null ? null : resolve(cwd, options.plan));
  const cacheFolder = join(git.commonDir, 'ralph', 'cache');
  const plan = await checkedPlan(openPlanStore({ ...place, top: home, cacheFolder }), place.path, options.filter);
  await refuseUncommittedPlan(workspace, git, place.path);
  await refuseDirt(git, options.allowDirty);
  await templateOf(options.said.template ?? null, cwd);
  const { settings: file, sources } = await loadSettings(cwd);
  const settings = await withSandbox(workSettings(file, options, { cwd, home, base, plan: place, verify: plan.verify }), workspace);
  if (
    (options.requireProof || file.requireProof) &&
    settings.gates.length === 0 &&
    plan.tasks.some(({ status, verify, outputs }) => status !== 'complete' && verify.length + outputs.length === 0)
  )
    throw noProof();
  checkBudget(settings);
  if (settings.proof?.sealed !== undefined) (await import('../../../proof/prove/sealed-folder.ts')).checkSealed(settings, git);
  await checkAgent(settings, workspace);
  return { settings, sources };
}

function noProof(): OperatorError {
  return new OperatorError('proof-required', 'some tasks would be proven by nothing but their claim', {
    hint: 'Give them `verify:` or `output:`, add --check "npm test" for all, or leave --require-proof out.',
    exitCode: 2,
  });
}

const MOST_PROBLEMS = 3;

/** Refuses an unusable plan before anything is written. */
async function checkedPlan(store: PlanStore, path: string, filter: TaskFilter): Promise<Plan> {
  const reading = await store.read();
  if (reading === null) throw refused('plan-missing', `there is no plan at ${path}`, 'Name it with --plan.');
  const { plan, problems } = reading;
  if (plan === null || problems.length > 0) throw unusable(path, problems);
  if (plan.tasks.length === 0) throw refused('plan-empty', `the plan ${path} has no tasks`, 'An empty plan is never complete: add a task.');
  if (!plan.tasks.some((task) => admits(task, filter)))
    throw refused('none-match', `no task of ${path} matches ${filterText(filter)}`, 'ralph task list shows all of them.');
  return plan;
}

function unusable(path: string, problems: readonly PlanProblem[]): OperatorError {
  const told = problems.slice(0, MOST_PROBLEMS).map(({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`);
  const more = problems.length > MOST_PROBLEMS ? `; and ${problems.length - MOST_PROBLEMS} more` : '';
  return refused(
    'plan-broken',
    told.length === 0 ? `the plan ${path} cannot be read` : `${told.join('; ')}${more}`,
    'ralph task check shows everything that is wrong with it.',
  );
}

function filterText({ story, milestone, tags }: TaskFilter): string {
  return [story && `--story ${story}`, milestone && `--milestone ${milestone}`, ...tags.map((tag) => `--tag ${tag}`)].filter(Boolean).join(' ');
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}

interface WorkPlace {
  readonly cwd: string;
  readonly home: string;
  readonly base: string;
  readonly plan: WorkSpec['plan'];
  /** The plan's own commands, as they are now. */
  readonly verify: readonly string[];
}

/** The claim is a task's state, never a word; and the loop itself commits and merges. */
function workSettings(file: SettingsFile, request: WorkRequest, place: WorkPlace): RunSettings {
  const { scm: _, reviews: __, requireChange: ___, ...kept } = file;
  const settings = runSettings(kept, { prompt: { from: 'text', text: '' }, over: request.over }, place.cwd);
  const timeoutMs = ms(file.guardrailTimeout ?? DEFAULTS.guardrailTimeout);
  const known = new Set(settings.gates.map(({ command }) => command));
  const more = [...request.checks, ...place.verify].filter((command) => !known.has(command));
  const gates = [...settings.gates, ...[...new Set(more)].map((command): GateSpec => ({ command, failAction: 'APPEND', hint: null, timeoutMs }))];
  return {
    ...settings,
    recipe: 'work',
    agent: withPlanFlags(settings.agent),
    claims: [],
    gates,
    includeIterationCount: false,
    // A run on a graph continues as long as there is something to do.
    maximumIterations: request.maxIterations ?? 0,
    lanes: request.workers,
    requireChange: false,
    work: workSpec(file, request, { ...place, timeoutMs }),
  };
}

function workSpec(file: SettingsFile, request: WorkRequest, { cwd, home, base, plan, timeoutMs }: WorkPlace & { readonly timeoutMs: number }): WorkSpec {
  const { title: _, copy, link, ...worktree } = worktreeSettings(file as Pick<CompleteSettings, 'worktree'>, cwd, '');
  return {
    ...WORK_DEFAULTS,
    ...request.said,
    plan,
    home,
    base,
    filter: request.filter,
    budget: request.budget,
    prices: pricesIn(file.prices),
    worktree: { ...worktree, copy: [...copy], link: [...link] },
    verifyTimeoutMs: timeoutMs,
    logs: join(home, 'logs'),
  };
}

/** What the prompt of a task requires, and nothing else. */
const ASKED_FOR = ['Bash(ralph task complete:*)', 'Bash(git add:*)', 'Bash(git commit:*)'].map(shellQuote);

/**
 * Adds the flags that an agent needs to complete a task; the operator's flags come last, and win. Codex runs commands in login shells,
 * which reset the PATH that contains `ralph`. A claude with edit permissions would ask for a confirmation that nobody can give.
 */
export function withPlanFlags(agent: RunSettings['agent']): RunSettings['agent'] {
  const flags = flagsFor(agent);
  return flags.length === 0 ? agent : { ...agent, flags: [...flags, ...agent.flags] };
}

function flagsFor({ kind, autonomy }: RunSettings['agent']): readonly string[] {
  if (kind === 'codex') return ['-c', 'allow_login_shell=false'];
  return kind === 'claude' && autonomy === 'edits' ? ['--allowedTools', ...ASKED_FOR] : [];
}
