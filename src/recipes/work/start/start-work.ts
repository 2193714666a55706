import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withTaskFlags } from '../../../agents/find-definition.ts';
import type { PlanStore } from '../../../engine/ports/stores.ts';
import { STORE_VARIABLE, storeUrl } from '../../../fleet/store-url.ts';
import { claimsOf } from '../../../journal/words/claim.ts';
import type { Plan, PlanProblem, TaskFilter } from '../../../journal/words/plan.ts';
import { openScope, type Scope } from '../../../kit/async/scope.ts';
import { plural } from '../../../kit/pure/amounts.ts';
import { OperatorError, withOperatorErrors } from '../../../kit/pure/operator-error.ts';
import { agentName } from '../../../limits/agents.ts';
import { findPlan } from '../../../plans/find/find-plan.ts';
import { admits } from '../../../plans/graph/select-task.ts';
import { openPlanStore } from '../../../plans/open-plan-store.ts';
import { beginRun } from '../../../runs/begin-run.ts';
import { preflight } from '../../../runs/preflight/preflight.ts';
import { type FinishedRun, type RunOptions, warnFunctionOf } from '../../../runs/run-options.ts';
import { withSandbox } from '../../../runs/sandbox/choose-sandbox.ts';
import { withUsableAgents } from '../../../settings/agent-list.ts';
import { withAgentsOnPath } from '../../../settings/agents-on-path.ts';
import { loadSettings } from '../../../settings/load-settings.ts';
import { worktreeSettings } from '../../../settings/requested-settings.ts';
import { ms, pricesIn } from '../../../settings/run-limits.ts';
import { gatesWith, runSettings } from '../../../settings/run-settings.ts';
import { LOOP_DEFAULTS } from '../../../settings/schema/loop-settings.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import type { AgentSpec } from '../../../settings/schema/sandbox-spec.ts';
import { type CompleteSettings, DEFAULTS } from '../../../settings/schema/settings-defaults.ts';
import type { SettingsFile } from '../../../settings/schema/settings-file.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { openSystemClock } from '../../../store/clock.ts';
import { newRunId } from '../../../store/run-home.ts';
import { baseBranch, refuseAgents, refuseDirt, refuseOldGit, refuseUncommittedPlan, withGit } from '../../../workspace/check-base.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import type { WorkSettings } from '../task-progress.ts';
import { prepareHome } from './prepare-home.ts';
import { templateOf } from './prompt-for.ts';
import { WORK_DEFAULTS, type WorkRequest } from './work-request.ts';

/** What the prompt of a task requires, and nothing else. */
const TASK_COMMANDS = ['ralph task complete', 'ralph ask', 'git add', 'git commit'];

/** Works on the tasks of a plan until none is left that can be done. Several runs may work on the same plan. */
export function startWork(options: RunOptions & WorkRequest): Promise<FinishedRun> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const cwd = await realpath(options.cwd);
    const workspace = await openWorkspace(cwd, scope);
    const store = await storeOf({ ...options, cwd }, workspace, scope);
    const { settings: checked, sources, ownGates, warning } = await checkedSettings({ ...options, cwd }, workspace, store.spec);
    const settings = await preflight(checked, workspace, options, ownGates);
    await store.join(settings.work.plan.path);
    if (warning !== null) warnFunctionOf(options)(warning);
    const clock = openSystemClock();
    const run = newRunId(clock.nowMs());
    await prepareHome(workspace, settings);
    await workspace.holdRun(run);
    return await beginRun({ run, workspace: { ...workspace, env: { ...workspace.env, ...store.env } }, clock, options, settings, sources }, scope);
  });
}

interface StoreOfRun {
  /** The address with its password, for this process alone. */
  readonly env: Readonly<Record<string, string>>;
  /** What a run has to remember of its fleet; undefined: there is none. */
  readonly spec: WorkSpec['store'];
  /** Binds the plan to this branch for the whole fleet, so it comes after every check of this machine. */
  readonly join: (plan: string) => Promise<void>;
}

/** The store that the machines of a fleet share. Nothing of it is loaded for a run that has none. */
async function storeOf({ cwd, store: flag, said }: RunOptions & WorkRequest, workspace: Workspace, scope: Scope): Promise<StoreOfRun> {
  const { env, git } = workspace;
  const url = storeUrl({ flag, env, setting: (await loadSettings(cwd)).settings.store?.url });
  if (url === null || git === null) return { env: {}, spec: undefined, join: async () => undefined };
  if (said.promptCommand != null)
    throw refused('usage', '--prompt-command claims tasks by itself, and that does not work with a store', 'Leave one of them out.');
  const { joinWithPlan, openFleetToWork } = await import('../../../fleet/open-fleet.ts');
  const clone = { topLevel: git.topLevel, env, base: await baseBranch(workspace, git) };
  const fleet = await openFleetToWork(url, clone);
  scope.defer(() => fleet[Symbol.asyncDispose]());
  return {
    env: { [STORE_VARIABLE]: url },
    spec: fleet.store,
    async join(plan) {
      await joinWithPlan(fleet, clone, plan);
      // The run has connections of its own.
      await fleet[Symbol.asyncDispose]();
    },
  };
}

interface CheckedSettings {
  readonly settings: WorkSettings;
  readonly sources: readonly string[];
  /** Those of single tasks that are not complete. */
  readonly ownGates: readonly string[];
  /** For the start of a run, once nothing refuses it. */
  readonly warning: string | null;
}

/** Refuses impossible settings before anything is written. */
export async function checkedSettings(options: RunOptions & WorkRequest, workspace: Workspace, store?: WorkSpec['store']): Promise<CheckedSettings> {
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
  const { settings: said, sources } = await loadSettings(cwd);
  const file = await withAgentsOnPath(said, options.over, cwd);
  const settings = await withSandbox(workSettings(file, options, { cwd, home, base, plan: place, verify: plan.verify, store }), workspace);
  const open = plan.tasks.filter((task) => task.status !== 'complete' && admits(task, options.filter));
  const unchecked = settings.gates.length > 0 ? [] : open.filter(({ verify, outputs }) => verify.length + outputs.length === 0);
  if (unchecked.length > 0 && (options.over.requireProof || file.requireProof)) throw noProof();
  const warning = unchecked.length === 0 ? null : uncheckedText(unchecked.length, open.length);
  const usable = await withUsableAgents(settings, workspace, warnFunctionOf(options));
  if (settings.proof?.sealed !== undefined) (await import('../../../proof/prove/sealed-folder.ts')).checkSealed(settings, git);
  return { settings: withLabels(usable, options.over.labels ?? file.labels ?? []), sources, ownGates: open.flatMap(({ verify }) => verify), warning };
}

/** What a task may ask for in `runs_on`. */
function withLabels(settings: WorkSettings, own: readonly string[]): WorkSettings {
  const { agent, wall, work } = settings;
  const labels = [...new Set([...own, `agent:${agent.kind}`, `agent:${agentName(agent)}`, `sandbox:${wall.mode}`])];
  return { ...settings, work: { ...work, filter: { ...work.filter, labels } } };
}

const uncheckedText = (unchecked: number, open: number) =>
  `${unchecked} of ${plural(open, 'open task')} without a check, where an agent's word is enough (UNPROVEN): add --check "npm test" for all, or verify: or output: to a task`;

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
  readonly store: WorkSpec['store'];
}

/** The loop itself commits and merges. */
export function workSettings(file: SettingsFile, request: WorkRequest, place: WorkPlace): WorkSettings {
  const { scm: _, reviews: __, requireChange: ___, ...kept } = file;
  const settings = runSettings(kept, { prompt: { from: 'text', text: '' }, over: request.over }, place.cwd);
  const timeoutMs = ms(file.guardrailTimeout ?? DEFAULTS.guardrailTimeout);
  return {
    ...settings,
    recipe: 'work',
    ...withTaskFlagsForAll(settings),
    claims: claimsOf('work', request.over.completionResponse ?? file.completionResponse),
    gates: gatesWith(settings.gates, [...request.checks, ...place.verify], timeoutMs),
    includeIterationCount: false,
    // A run on a graph continues as long as there is something to do.
    maximumIterations: request.maxIterations ?? 0,
    lanes: request.workers,
    requireChange: false,
    work: workSpec(file, request, { ...place, timeoutMs }),
  };
}

function withTaskFlagsForAll({ agent, fallback }: RunSettings): Pick<RunSettings, 'agent' | 'fallback'> {
  const ready = (spec: AgentSpec) => withTaskFlags(spec, { commands: TASK_COMMANDS, folder: null });
  return { agent: ready(agent), ...(fallback && { fallback: fallback.map(ready) }) };
}

function workSpec(file: SettingsFile, request: WorkRequest, { cwd, home, base, plan, store, timeoutMs }: WorkPlace & { readonly timeoutMs: number }): WorkSpec {
  const { title: _, copy, link, ...worktree } = worktreeSettings(file as Pick<CompleteSettings, 'worktree'>, cwd, '');
  return {
    ...WORK_DEFAULTS,
    flakyRetries: file.loop?.flakyRetries ?? LOOP_DEFAULTS.flakyRetries,
    ...request.said,
    plan,
    home,
    base,
    filter: request.filter,
    budget: request.budget,
    prices: pricesIn(file.prices),
    worktree: { ...worktree, copy: [...copy], link: [...link] },
    verifyTimeoutMs: timeoutMs,
    ...(store && { store }),
    logs: join(home, 'logs'),
  };
}
