import { basename, dirname, resolve } from 'node:path';
import { type Exception, openFunctionAgent } from '../agents/function-agent.ts';
import type { AgentPort, AgentRequest } from '../engine/ports/agent.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import { emptyState, type RunState } from '../journal/state/state.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { markerVariable } from '../process/process-table.ts';
import { sweepMarked } from '../process/sweep.ts';
import { restartNumber } from '../recipes/supervise/bus-posts-of-an-attempt.ts';
import { taskBusFile } from '../recipes/supervise/start/open-supervision.ts';
import type { SuperviseRequest } from '../recipes/supervise/start/root-request.ts';
import { startSupervise } from '../recipes/supervise/start/start-root.ts';
import { resumeRun } from '../runs/resume-run.ts';
import type { Projection, RunOptions } from '../runs/run-options.ts';
import { checkAgainst } from '../settings/check-settings.ts';
import { projectId, taskId } from '../store/task-place.ts';
import { guardedListener } from './loop-event.ts';
import { CheckedOptions } from './supervise-root-checked.ts';
import { type RootRunner, resultOfRoot, type SuperviseOptions, type SuperviseResult } from './supervise-root-options.ts';

/**
 * Restarts a root agent until its task folder contains DONE, and then waits for its children (seed 002's RalphLoop). Every ending is a
 * result, even too many restarts. The promise rejects, usually with an OperatorError, only if it could not start or continue. It prints
 * nothing and ignores the process's signals.
 */
export async function superviseRoot(options: SuperviseOptions): Promise<SuperviseResult> {
  const checked = checkOptions(options);
  const place = placeIn(checked);
  const followed = openFollowing(guardedListener('superviseRoot', checked.onEvent));
  const around = aroundRoot(checked, followed);
  const finished = await (checked.resume
    ? resumeRun({ ...around, run: checked.resume, where: place })
    : startSupervise({ ...around, ...wishOf(checked, place) }));
  return resultOfRoot(finished, followed.state());
}

function aroundRoot({ runRoot, workspaceRoot, signal }: CheckedOptions, { state, projection }: Following): RunOptions {
  const warn = (text: string) => process.emitWarning(text);
  return {
    cwd: resolve(workspaceRoot ?? '.'),
    projections: () => [projection],
    obeySignals: false,
    signal: signal ?? new AbortController().signal,
    warn,
    openAgent: (_agent, env) => openRootAgent({ runRoot, attempt: () => restartNumber(state()), env, warn }),
  };
}

interface Following {
  readonly projection: Projection;
  readonly state: () => RunState;
}

/** Follows the journal: it counts the starts of the agent and passes every event to the caller. */
function openFollowing(tell: (event: JournalEvent) => void): Following {
  let latest = emptyState;
  return {
    state: () => latest,
    projection: {
      onEvent(event, state) {
        latest = state;
        tell(event);
      },
    },
  };
}

interface RootAgentOptions {
  readonly runRoot: RootRunner;
  /** The number of the current start, counted from 0. */
  readonly attempt: () => number;
  readonly env: Readonly<Record<string, string>>;
  readonly warn: (text: string) => void;
}

/** A root agent that is a function of the caller. Processes that it starts with the given environment are ended when it ends. */
function openRootAgent({ runRoot, attempt, env, warn }: RootAgentOptions): AgentPort {
  const agentFor = ({ cwd, marker }: Pick<AgentRequest, 'cwd' | 'marker'>) =>
    openFunctionAgent({
      agent: 'runRoot',
      model: null,
      judge: judgeException,
      // The value it resolves with is ignored.
      async factory({ prompt, signal }) {
        await runRoot(signal, attempt(), { prompt, cwd, env: { ...env, [markerVariable]: marker } });
      },
    });
  return {
    ...agentFor({ cwd: '', marker: '' }),
    async run(request, listener, signal) {
      const ending = await agentFor(request).run(request, listener, signal);
      const left = await sweepMarked(request.marker, []);
      if (left.length > 0) warn(`could not end ${left.map(({ pid }) => `process ${pid}`).join(', ')}; please check it yourself`);
      return ending;
    },
  };
}

/** A longer chain of causes must be circular. */
const LONGEST_CHAIN = 10;
const CANNOT_START: ReadonlySet<unknown> = new Set(['ENOENT', 'EACCES', 'EPERM']);

/**
 * What an exception of the root agent means (seed 002). A start failure or a wrong configuration is fatal, because a restart would not help;
 * anything else leads to a restart. An error with an exit code stands for a process that ended with it.
 */
export function judgeException(error: unknown): Exception {
  const chain = causesOf(error);
  return { isFatal: chain.some(isFatal), exitCode: chain.map(exitCodeIn).find((code) => code !== null) ?? 1 };
}

interface Known {
  readonly cause?: unknown;
  readonly fatal?: unknown;
  readonly code?: unknown;
  readonly exitCode?: unknown;
  readonly syscall?: unknown;
}

function causesOf(error: unknown): readonly Known[] {
  const chain: Known[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null && chain.length < LONGEST_CHAIN; cause = (cause as Known).cause) chain.push(cause);
  return chain;
}

function isFatal(error: Known): boolean {
  return error instanceof OperatorError || error.fatal === true || (CANNOT_START.has(error.code) && isAboutStarting(error));
}

/** A missing file is not a missing agent. An error without a system call comes from a library, such as one that searches PATH. */
function isAboutStarting({ syscall }: Known): boolean {
  return syscall === undefined || String(syscall).startsWith('spawn');
}

/** Node's `execFile` has the exit code in `code`. */
function exitCodeIn({ exitCode, code }: Known): number | null {
  const said = exitCode ?? code;
  return typeof said === 'number' && Number.isInteger(said) && said > 0 && said < 256 ? said : null;
}

/** The folder of a task, split into root, project and task. */
export interface TaskPlace {
  readonly root: string;
  readonly project: string;
  readonly task: string;
}

/** Refuses invalid options before anything is written. */
function checkOptions(options: SuperviseOptions): CheckedOptions {
  return checkAgainst(CheckedOptions, options, (problem) => refusal(problem));
}

/** Others find a run of this task by its path, so project and task must match the path. */
function placeIn({ runDir, messageBus, projectId: project, taskId: task }: CheckedOptions): TaskPlace {
  const folder = resolve(runDir);
  const place = { root: dirname(dirname(folder)), project: projectId(basename(dirname(folder))), task: taskId(basename(folder)) };
  if ((project ?? place.project) !== place.project || (task ?? place.task) !== place.task)
    throw refusal(`runDir must end with ${projectId(project ?? place.project)}/${taskId(task ?? place.task)}, got ${folder}`);
  const bus = taskBusFile(folder);
  if (messageBus && resolve(messageBus) !== bus) throw refusal(`messageBus must be ${bus}, got ${messageBus}`);
  return place;
}

function wishOf(options: CheckedOptions, place: TaskPlace): SuperviseRequest {
  const { prompt, checks, runTimeout } = options;
  return {
    ...place,
    workIn: null,
    agent: 'runRoot',
    byFunction: true,
    command: [],
    agentKind: null,
    model: null,
    autonomy: null,
    prompt: prompt ? { from: 'text', text: prompt } : null,
    checks: checks ?? [],
    requireProof: false,
    idleMs: null,
    runMs: runTimeout ?? null,
    env: {},
    supervise: chosenIn(options),
  };
}

/** Only the options that are set; the others get their defaults later. */
function chosenIn(options: CheckedOptions): SuperviseRequest['supervise'] {
  const { restartIntensity } = options;
  const all: { readonly [K in keyof SuperviseRequest['supervise']]: SuperviseRequest['supervise'][K] | null } = {
    maxRestarts: options.maxRestarts ?? null,
    restartDelayMs: options.restartDelay ?? null,
    backoffMs: options.backoff ?? null,
    intensity: restartIntensity ? { failures: restartIntensity.failures, withinMs: restartIntensity.within } : null,
    waitTimeoutMs: options.waitTimeout ?? null,
    pollMs: options.pollInterval ?? null,
    doneGraceMs: options.finishOnDone ?? null,
    waitScope: options.waitScope ?? null,
    killChildren: options.killChildren ?? null,
    dependsOn: options.dependsOn ?? null,
    failOnBlocked: options.failOnBlocked ?? null,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function refusal(problem: string): OperatorError {
  return new OperatorError('usage', problem, { hint: 'See the type SuperviseOptions, or docs/guide/as-a-library.md.', exitCode: 2 });
}
