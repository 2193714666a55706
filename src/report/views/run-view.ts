import type { SandboxRefusals } from '../../journal/state/sandbox-refusals.ts';
import { totalCost } from '../../journal/state/spending.ts';
import type { RunState } from '../../journal/state/state.ts';
import { isDone, type ToldCause } from '../../journal/words/outcome.ts';
import { costPerProven } from '../../limits/cost-per-proven.ts';
import { forecastOf } from '../../limits/forecast.ts';
import { costLimitIsUnseen } from '../../limits/money.ts';
import { factsOf, ownWorktreeOf, taskSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SandboxSpec } from '../../settings/schema/sandbox-spec.ts';
import { workedMs } from '../console/spent-text.ts';
import { type NeedView, needsOf, needView } from '../needs/needs.ts';
import { type StoriesView, storiesView } from './stories-view.ts';
import { type WorkView, workView } from './work-view.ts';

/** A run in the form of run.json and `--json`. Every number is measured by the loop. */
export interface RunView {
  readonly run_id: string;
  readonly recipe: string;
  readonly status: 'running' | 'stopped';
  readonly stop_reason: string | null;
  readonly message: string | null;
  readonly exit_code: number | null;
  readonly done: boolean;
  readonly claim: { readonly by: string; readonly text: string } | null;
  readonly unproven: boolean;
  readonly zero_work: boolean;
  /** It starts nothing new until it is told to continue. */
  readonly paused: boolean;
  /** Until when it waits for a usage limit, and for which; null: for none. */
  readonly limit: { readonly until: number; readonly window: string | null } | null;
  /** A window of an account that will be used up before the tasks of the plan are done; null: none, as far as anybody knows. */
  readonly forecast: { readonly fits: number; readonly open: number; readonly window: string; readonly used: number; readonly closes_at: number } | null;
  /** Why the last attempt failed, in the provider's own words; null: it did not. */
  readonly cause: ToldCause | null;
  readonly gates: readonly string[];
  readonly iterations: number;
  readonly maximum_iterations: number;
  readonly attempts: number;
  readonly review_cycles: number;
  readonly commits: number;
  readonly last_commit: string | null;
  /** Why the SCM tasks of the last green iteration failed. */
  readonly scm_problem: string | null;
  /** For a loop: its worktree and the checks before it began; for a run or a loop that is proven, the file of its receipt. */
  readonly worktree: { readonly path: string; readonly branch: string } | null;
  readonly baseline: readonly { readonly check: string; readonly green: boolean }[] | null;
  readonly receipt: string | null;
  /** How the last claim was judged; null without a claim. */
  readonly proof: ProofView | null;
  /** For a supervised run: its task, its parent, how often its agent was started, its running children, and what it waits for. */
  readonly project: string | null;
  readonly task: string | null;
  readonly parent_run_id: string | null;
  readonly restarts: number | null;
  readonly children: readonly string[];
  readonly waiting: string | null;
  /** For a run on a plan: the plan, the results of its tasks, and the current tasks. */
  readonly work: WorkView | null;
  /** For a run on stories: the list, its progress, the current story, and the questions. */
  readonly stories: StoriesView | null;
  /** The sandbox, and what it refused. */
  readonly sandbox: SandboxView;
  /** What waits for a person. */
  readonly needs: readonly NeedView[];
  readonly cost_usd: number | null;
  /** True when part of it was estimated: from tokens and prices, or from the other attempts. */
  readonly cost_estimated: boolean;
  /** A cost limit was asked for and cannot be kept, because an agent tells neither its cost nor its tokens. */
  readonly cost_limit_unseen: boolean;
  /** The cost for each proven task or story, else for the proven run; null: nothing is proven. */
  readonly cost_per_proven_usd: number | null;
  /** Attempts of whose cost nothing is known, not even their tokens: `cost_usd` has an assumed cost for each. */
  readonly cost_untold_attempts: number;
  readonly tokens: { readonly input: number; readonly cache_read: number; readonly cache_write: number; readonly output: number };
  readonly tools: number;
  readonly tool_errors: number;
  readonly started_at: number;
  readonly duration_ms: number;
}

export function runView(state: RunState, nowMs: number): RunView {
  const { run, spent } = state;
  if (!run) throw new Error('A run that never started has no view.');
  return {
    run_id: run.id,
    recipe: run.settings.recipe,
    ...endingOf(state, run.settings),
    paused: state.paused && state.stopped === null,
    limit: limitView(state, nowMs),
    forecast: forecastView(state),
    cause: causeView(state),
    gates: run.settings.gates.map((gate) => gate.command),
    iterations: state.opened,
    maximum_iterations: run.settings.maximumIterations,
    attempts: spent.attempts,
    review_cycles: state.reviews.cycles,
    commits: state.commits.count,
    last_commit: state.commits.last?.commit ?? null,
    scm_problem: state.commits.problem,
    ...proofOf(state, run.settings),
    proof: proofView(state),
    ...taskOf(state, run.settings),
    work: workView(state),
    stories: storiesView(state),
    sandbox: sandboxView(run.settings.wall, state.refused),
    needs: needsOf(state).map(needView),
    cost_usd: totalCost(spent)?.usd ?? null,
    cost_estimated: totalCost(spent)?.isEstimated ?? false,
    cost_limit_unseen: costLimitIsUnseen(spent, run.settings),
    cost_per_proven_usd: costPerProven(state),
    cost_untold_attempts: spent.unknownCosts,
    tokens: { input: spent.input, cache_read: spent.cacheRead, cache_write: spent.cacheWrite, output: spent.output },
    tools: spent.tools,
    tool_errors: spent.toolErrors,
    started_at: run.startedAtMs,
    duration_ms: workedMs(state) + (state.stopped === null ? Math.max(0, nowMs - state.time.lastMs) : 0),
  };
}

function limitView({ limit: { untilMs, window }, stopped }: RunState, nowMs: number): RunView['limit'] {
  return stopped === null && nowMs < untilMs ? { until: untilMs, window } : null;
}

function forecastView(state: RunState): RunView['forecast'] {
  const forecast = forecastOf(state);
  if (forecast === null) return null;
  const { closesAtMs: closes_at, ...shown } = forecast;
  return { ...shown, closes_at };
}

function causeView({ cause }: RunState): ToldCause | null {
  return cause === undefined ? null : { class: cause.class, kind: cause.kind, message: cause.message };
}

type Ending = Pick<RunView, 'status' | 'stop_reason' | 'message' | 'exit_code' | 'done' | 'claim' | 'unproven' | 'zero_work'>;

function endingOf({ stopped }: RunState, { gates }: RunSettings): Ending {
  if (stopped === null) {
    const open = { status: 'running', stop_reason: null, message: null, exit_code: null, done: false, claim: null, zero_work: false } as const;
    return { ...open, unproven: gates.length === 0 };
  }
  const { stop_reason, message, exit_code, claim, unproven, zero_work } = stopped;
  return { status: 'stopped', stop_reason, message, exit_code, done: isDone(stopped), claim, unproven, zero_work };
}

function proofOf({ baseline, receipt }: RunState, settings: RunSettings): Pick<RunView, 'worktree' | 'baseline' | 'receipt'> {
  const own = ownWorktreeOf(settings);
  return {
    worktree: own && { path: own.path, branch: own.branch },
    baseline: baseline?.map(({ command, green }) => ({ check: command, green })) ?? null,
    receipt: receipt?.file ?? null,
  };
}

export interface ProofView {
  readonly verdict: string;
  readonly level: string;
  readonly reason: string;
  /** How many sealed checks were run, and how many of them only an exit code decides; null: none. */
  readonly sealed: { readonly checks: number; readonly weak: number } | null;
  /** Changed deciders, with why they count, and who allowed the changes afterwards. */
  readonly changed: readonly { readonly path: string; readonly why: string }[];
  readonly allowed: readonly string[];
  readonly allowed_by: string | null;
  readonly gates: readonly { readonly command: string; readonly state: string; readonly files: number; readonly why: string }[];
}

/** Of the accepted claim, else of the last one that was refused. */
function proofView({ proof, unacceptedClaims, run, stopped }: RunState): ProofView | null {
  const judged = proof?.judged ?? unacceptedClaims.at(-1)?.proof.judged;
  if (!judged) return run && stopped && isDone(stopped) ? greenInPlace(run.settings) : null;
  const { verdict, level, reason, changed, allowed, allowedBy, gates, sealed = null } = judged;
  return {
    ...{ verdict, level, reason, sealed, changed, allowed },
    allowed_by: allowedBy,
    gates: gates.map(({ command, state, files, why }) => ({ command, state, files: files.length, why })),
  };
}

/** A supervised agent is believed if the checks are green where it worked. Null for other recipes, and without checks. */
function greenInPlace(settings: RunSettings): ProofView | null {
  if (!factsOf(settings).countsStarts || settings.gates.length === 0) return null;
  const gates = settings.gates.map(({ command }) => ({ command, state: 'unknown', files: 0, why: '' }));
  return { verdict: 'proven', level: 'place', reason: '', sealed: null, changed: [], allowed: [], allowed_by: null, gates };
}

type Task = Pick<RunView, 'project' | 'task' | 'parent_run_id' | 'restarts' | 'children' | 'waiting'>;

function taskOf({ task, children, opened, abandoned, stopped }: RunState, settings: RunSettings): Task {
  const spec = taskSpecOf(settings);
  if (spec === null) return { project: null, task: null, parent_run_id: null, restarts: null, children: [], waiting: null };
  return {
    project: spec.project,
    task: spec.task,
    parent_run_id: spec.parent,
    restarts: opened - abandoned,
    children: children.active,
    waiting: stopped === null || stopped.stop_reason === 'waiting' ? (task.wait?.reason ?? null) : null,
  };
}

/** The sandbox of a run in the form of run.json, `--json` and reports. */
export interface SandboxView {
  readonly mode: SandboxSpec['mode'];
  readonly forced: boolean;
  /** Why no stronger sandbox is used. */
  readonly reason: string | null;
  readonly gates: SandboxSpec['gates'];
  readonly workspace: NonNullable<SandboxSpec['workspace']>;
  readonly allowed_hosts: readonly string[];
  readonly refused_count: number;
  /** The first of them. */
  readonly refused: SandboxRefusals['first'];
}

export function sandboxView({ mode, forced, reason, gates, workspace = 'place', hosts }: SandboxSpec, { count, first }: SandboxRefusals): SandboxView {
  return { mode, forced, reason, gates, workspace, allowed_hosts: hosts, refused_count: count, refused: first };
}
