import { resolve } from 'node:path';
import { openFunctionAgent } from '../agents/function-agent.ts';
import { resumeRun } from '../runs/resume-run.ts';
import type { FinishedRun, RunOptions } from '../runs/run-options.ts';
import { startLoop } from '../recipes/run/start/start-loop.ts';
import { carefulListener } from './careful-listener.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import type { LoopConfig } from './loop-config.ts';
import type { LoopEvent } from './loop-event.ts';
import type { LoopResult } from './loop-result.ts';
import { resultOfRun } from './result-of-run.ts';
import { settingsOfConfig } from './settings-of-config.ts';
import { tellEvents } from './tell-events.ts';

/** A promise of the result, and the events on the way to it for whoever iterates. */
export interface RunningLoop extends Promise<LoopResult>, AsyncIterable<LoopEvent> {}

/**
 * Runs an agent on a task, each time with a clean context, until it says that it is done and every check is green, or a limit is met. Every such ending
 * is a result; it rejects, with an OperatorError as a rule, only when the loop could not start or go on. It prints nothing and leaves the
 * process's signals alone, unless it is told to obey them. To leave an iteration of its events early does not stop it: abort the `signal` for that.
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

/** Whoever iterates is told of the error there; the promise alone must not end the process for it. */
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

/** To those who iterate and to the caller's own listener. */
function teller({ onEvent }: LoopConfig, stream: EventStream): (event: LoopEvent) => void {
  const listener = carefulListener('runLoop', onEvent);
  return (event) => {
    stream.tell(event);
    listener(event);
  };
}
