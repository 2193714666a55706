import { join, resolve } from 'node:path';
import { openFunctionAgent } from '../agents/function-agent.ts';
import type { Projection } from '../engine/contracts.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { isStoryEvent, isTaskEvent, isWorkEvent } from '../journal/events/recipe-events.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { totalCost } from '../journal/state/spending.ts';
import { emptyState } from '../journal/state/state.ts';
import { startLoop } from '../recipes/run/start/start-run.ts';
import { resumeRun } from '../runs/resume-run.ts';
import type { FinishedRun, RunOptions } from '../runs/run-options.ts';
import { ownWorktreeOf } from '../settings/schema/recipe-facts.ts';
import { readJournalFile } from '../store/journal-file.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import { checkResult, openIterationTally } from './iteration-tally.ts';
import type { LoopConfig } from './loop-config.ts';
import { guardedListener, type LoopEvent } from './loop-event.ts';
import type { LoopIteration, LoopResult } from './loop-result.ts';
import { settingsOfConfig } from './settings-of-config.ts';

/** A promise of the result that can also be iterated for the events until then. */
export interface RunningLoop extends Promise<LoopResult>, AsyncIterable<LoopEvent> {}

/**
 * Runs an agent on a task, each time with a clean context, until it reports completion and every check is green, or a limit is reached. Each of
 * these is a result. The promise rejects, usually with an OperatorError, only if the loop could not start or continue. It prints nothing and
 * ignores the process's signals, unless `obeySignals` is set. Leaving a loop over its events early does not stop it: abort the `signal` for that.
 */
export function runLoop(config: LoopConfig): RunningLoop {
  const stream = openEventStream();
  const tell = teller(config, stream);
  const result = run(config, tell);
  result.then(
    () => stream.end(),
    (error: unknown) => stream.end(error),
  );
  return Object.assign(result, { [Symbol.asyncIterator]: () => readAlong(result, stream) });
}

/** An iterating caller gets the error there, so the promise must not cause an unhandled rejection too. */
function readAlong(result: Promise<LoopResult>, stream: EventStream): AsyncIterator<LoopEvent> {
  result.catch(() => undefined);
  return stream[Symbol.asyncIterator]();
}

async function run(config: LoopConfig, tell: (event: LoopEvent) => void): Promise<LoopResult> {
  const over = settingsOfConfig(config);
  const around = aroundLoop(config, tell);
  const finished = await (config.resume === undefined ? startLoop({ ...around, ...wantedOf(config), over }) : resumeRun({ ...around, run: config.resume }));
  return await told(finished, tell);
}

async function told(finished: FinishedRun, tell: (event: LoopEvent) => void): Promise<LoopResult> {
  const result = await resultOfRun(finished);
  tell({ type: 'run.finished', result });
  return result;
}

function wantedOf({ task, specFile, configFile, witnesses, noChecks, agentFactory }: LoopConfig) {
  return {
    task: task ?? null,
    spec: specFile ?? null,
    config: configFile ?? null,
    witnesses: witnesses ?? [],
    noChecks: noChecks ?? false,
    byFunction: agentFactory !== undefined && agentFactory !== null,
  };
}

function aroundLoop({ workspaceRoot, signal, obeySignals, agentFactory: factory }: LoopConfig, tell: (event: LoopEvent) => void): RunOptions {
  const cwd = resolve(workspaceRoot ?? '.');
  return {
    cwd,
    projections: (runFolder) => [tellEvents({ runFolder, cwd }, tell)],
    obeySignals: obeySignals ?? false,
    signal: signal ?? new AbortController().signal,
    warn: (text) => tell({ type: 'warning', text }),
    ...(factory ? { openAgent: ({ command, model }) => openFunctionAgent({ factory, agent: command, model }) } : {}),
  };
}

/** Sends each event to the stream and to the caller's listener. */
function teller({ onEvent }: LoopConfig, stream: EventStream): (event: LoopEvent) => void {
  const listener = guardedListener('runLoop', onEvent);
  return (event) => {
    stream.tell(event);
    listener(event);
  };
}

/** From the journal, so that the result of a resumed run covers all its processes. */
async function resultOfRun({ outcome, view, runFolder }: FinishedRun): Promise<LoopResult> {
  const tally = openIterationTally();
  const iterations: LoopIteration[] = [];
  let state = emptyState;
  for (const event of await readJournalFile(join(runFolder, 'journal.jsonl'))) {
    state = evolve(state, event);
    const closed = tally.add(event, state);
    if (closed) iterations.push(closed);
  }
  return {
    iterations,
    totalIterations: iterations.length,
    totalCost: totalCost(state.spent)?.usd ?? state.spent.costUsd,
    costKnown: state.spent.unknownWorkCosts === 0,
    totalDuration: view.duration_ms / 1000,
    success: view.done,
    stopReason: outcome.stop_reason,
    message: outcome.message,
    worktreePath: ownWorktreeOf(state.run?.settings)?.path ?? '',
    runId: view.run_id,
    runFolder,
    lastCommit: view.last_commit,
    commitProblem: view.scm_problem,
  };
}

interface Place {
  readonly runFolder: string;
  /** The caller's directory; a worktree of the run is somewhere else. */
  readonly cwd: string;
}

/** Follows a run and reports it as events of the library. */
function tellEvents({ runFolder, cwd }: Place, tell: (event: LoopEvent) => void): Projection {
  const tally = openIterationTally();
  return {
    onEvent(event, state) {
      const { body } = event;
      if ((body.type === 'run.started' || body.type === 'run.resumed') && state.run) {
        const { id: runId, settings } = state.run;
        tell({ type: 'run.started', runId, runFolder, workspaceRoot: ownWorktreeOf(settings)?.path ?? cwd, isResumed: body.type === 'run.resumed' });
      }
      for (const told of inOtherWords(body)) tell(told);
      const closed = tally.add(event, state);
      if (closed) tell({ type: 'iteration.finished', iteration: closed });
    },
    onAgentEvent: (attempt, event) => tell({ type: 'agent', iteration: iterationIn(attempt), event }),
    onProgress(progress) {
      const iteration = iterationIn(progress.attempt);
      if (progress.type === 'gate.started') tell({ type: 'check.started', iteration, name: progress.gate.command });
      else tell({ type: 'check.finished', iteration, check: checkResult(progress.result) });
    },
  };
}

/** `<iteration>.<attempt>` */
const iterationIn = (attempt: string) => Number.parseInt(attempt, 10);

/** Translates events that need no other state. The others are handled elsewhere, or are internal. */
function inOtherWords(body: EventBody): readonly LoopEvent[] {
  if (isTaskEvent(body) || isWorkEvent(body) || isStoryEvent(body)) return [];
  switch (body.type) {
    case 'iteration.opened':
      return [{ type: 'iteration.started', iteration: body.iteration }];
    case 'attempt.ended':
      return [{ type: 'agent.finished', iteration: body.iteration, ok: body.verdict === 'ok', why: body.why, duration: body.duration_ms / 1000 }];
    case 'paths.restored':
      return body.paths.length === 0 ? [] : [{ type: 'paths.restored', iteration: body.iteration, paths: body.paths }];
    case 'commit.made':
      return [{ type: 'commit.made', iteration: body.iteration, commit: body.commit }];
    case 'commit.refused':
      return [{ type: 'commit.refused', iteration: body.iteration, why: body.detail }];
    case 'spec.seen':
      return [{ type: 'spec.changed', path: body.path, isObeyed: body.obeyed }];
    case 'limit.seen':
      return [{ type: 'limit.met', resetsAt: body.resets_at === null ? null : new Date(body.resets_at) }];
    case 'proof.judged':
      return [{ type: 'proof.judged', iteration: body.iteration, verdict: body.verdict, level: body.level, why: body.reason }];
    case 'receipt.written':
      return [{ type: 'receipt.written', file: body.file, commit: body.commit }];
    case 'wall.refused':
      return [{ type: 'wall.refused', what: body.what, target: body.target }];
    case 'question.asked':
      return [{ type: 'question.asked', iteration: body.iteration, text: body.question.text }];
    case 'question.answered':
    case 'run.started':
    case 'run.resumed':
    case 'run.stopped':
    case 'iteration.closed':
    case 'gates.judged':
    case 'living.found':
    case 'claim.allowed':
    case 'sealed.begun':
    case 'sealed.judged':
    case 'attempt.spawned':
    case 'command.ended':
    case 'effect.begun':
    case 'effect.lost':
    case 'operator.asked':
    case 'operator.instructed':
    case 'budget.neared':
    case 'settings.seen':
      return [];
  }
}
