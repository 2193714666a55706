import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Children, StartedChild } from '../../../engine/ports/supervision.ts';
import type { ChildRequest } from '../../../journal/effects/task-effect.ts';
import { RunStarted } from '../../../journal/events/run.ts';
import { readFirstLine } from '../../../kit/files/file-lines.ts';
import { openHeldFile } from '../../../kit/files/write.ts';
import * as z from '../../../kit/pure/shape.ts';
import { errorLineIn } from '../../../process/error-line.ts';
import { isAlive } from '../../../process/identity.ts';
import type { ProcessGuard, ProcessIdentity } from '../../../process/process-request.ts';
import { type StartedDetached, startDetached } from '../../../process/start-detached.ts';
import { sendSignal } from '../../../process/stop.ts';
import { sweepMarked } from '../../../process/sweep.ts';
import { childPlace, savedRequest, saveRequest } from './child-place.ts';

export interface ActiveChild extends RunningChild {
  /** Otherwise Ralph waits for it, and another run is responsible for it. */
  readonly isOurs: boolean;
}

export interface ChildrenOptions {
  readonly usual: ChildDefaults;
  /** The environment of every child: the supervisor's own, never that of its agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The supervisor's folder, for the requests and the output of its children. */
  readonly runFolder: string;
  readonly markerPrefix: string;
  /** Ends the children when the supervisor no longer can. */
  readonly guardian: ProcessGuard;
  /** Where a run of that task has its journal; null is the supervisor's own task. */
  readonly runFolderOf: (run: string, task: string | null) => string;
  /** The active runs that Ralph waits for. */
  readonly activeRuns: () => Promise<readonly ActiveChild[]>;
  /** How long a child may take to register. */
  readonly registerWithinMs: number;
}

const EVERY_MS = 20;
const LOG_TAIL_BYTES = 64 * 1024;
const RUN_IS_OVER = 'the run is over';

/** Starts children as processes of `ralph job`, each in its own session. */
export function openChildren(options: ChildrenOptions): Children {
  const { runFolder, runFolderOf, activeRuns } = options;
  const started = new Map<string, ProcessIdentity>();

  /** The supervisor that started a child does not need its files; a child started before a resume is known only by them. */
  function registered(run: string): ProcessIdentity | null {
    const child = started.has(run) ? null : savedRequest(runFolder, run);
    return started.get(run) ?? (child && registeredChild(runFolderOf(run, child.task), run));
  }

  return {
    active: async () => (await activeRuns()).map(({ run }) => run),
    async start(child, signal) {
      const answer = await start(child, options, signal);
      if (answer.kind === 'started') started.set(child.run, answer.identity);
      return answer;
    },
    find: async (run) => registered(run),
    async end(runs) {
      const atWork = atWorkAmong(runs, await activeRuns(), registered);
      const left = await endRuns(atWork);
      return { ended: atWork.map(({ run }) => run).filter((run) => !left.includes(run)), left };
    },
  };
}

/** Only our own: those we started, on any task and whatever parent they name, and those without another responsible run. */
function atWorkAmong(runs: readonly string[], active: readonly ActiveChild[], registered: (run: string) => ProcessIdentity | null): readonly RunningChild[] {
  const ours = active.filter(({ run, isOurs }) => isOurs && runs.includes(run));
  const others = runs.filter((run) => !ours.some((known) => known.run === run));
  const started = others.flatMap((run) => {
    const identity = registered(run);
    return identity && isAlive(identity) ? [{ run, identity }] : [];
  });
  return [...ours, ...started];
}

async function start(child: ChildRequest, options: ChildrenOptions, signal: AbortSignal): Promise<StartedChild> {
  const { runFolder, usual, env, cwd, markerPrefix, guardian } = options;
  if (signal.aborted) return refused(RUN_IS_OVER);
  const prompt = await saveRequest(runFolder, child).then(
    (file) => ({ file }),
    (error: Error) => ({ error }),
  );
  if ('error' in prompt) return refused(`its request cannot be written: ${prompt.error.message}`);
  const { logFile } = childPlace(runFolder, child.run);
  const args = childArgs(child, usual, prompt.file);
  const started = await startDetached({ file: usual.file, args, cwd, env, marker: `${markerPrefix}/child.${child.run}`, logFile });
  if (started.kind === 'never-started') return refused(started.message);
  guardian.watch(started.identity);
  void started.ended.then(() => guardian.forget(started.identity));
  return await registration(child, started, options, signal);
}

type Running = Extract<StartedDetached, { kind: 'started' }>;

/** Resolves when the child has opened its journal. A child that ended before, or never registers, is refused, and its processes are ended. */
async function registration(child: ChildRequest, { identity, ended }: Running, options: ChildrenOptions, signal: AbortSignal): Promise<StartedChild> {
  const journalFolder = options.runFolderOf(child.run, child.task);
  const untilMs = performance.now() + options.registerWithinMs;
  let isOver = false;
  const over = ended.then(() => {
    isOver = true;
  });
  for (;;) {
    const wasOver = isOver;
    if (registeredChild(journalFolder, child.run) !== null) return { kind: 'started', identity };
    if (wasOver) return refused(lastWords(options.runFolder, child.run));
    if (signal.aborted) return await endUnregistered(child.run, identity, RUN_IS_OVER);
    if (performance.now() > untilMs) return await endUnregistered(child.run, identity, `it did not register within ${options.registerWithinMs} ms`);
    await Promise.race([over, sleep(EVERY_MS)]);
  }
}

async function endUnregistered(run: string, identity: ProcessIdentity, why: string): Promise<StartedChild> {
  const left = await endRuns([{ run, identity }]);
  return refused(left.length === 0 ? why : `${why}, and process ${identity.pid} could not be ended`);
}

function lastWords(runFolder: string, run: string): string {
  using log = openHeldFile(childPlace(runFolder, run).logFile);
  log.hold();
  return errorLineIn(log.read('end', LOG_TAIL_BYTES)) ?? 'it ended before it registered, without output';
}

function refused(why: string): StartedChild {
  return { kind: 'refused', why };
}

const FirstLine = z.object({ run: RunStarted.shape.run, type: RunStarted.shape.type, writer: RunStarted.shape.writer });

/** The process that opened the journal of that run; null while there is no complete first line. Agents can write there too, so this never blocks on a pipe. */
function registeredChild(runFolder: string, run: string): ProcessIdentity | null {
  try {
    const line = FirstLine.parse(JSON.parse(readFirstLine(join(runFolder, 'journal.jsonl')) ?? ''));
    if (line.run !== run) return null;
    const { host, boot_id, pid, start_time } = line.writer;
    return { host, bootId: boot_id, pid, startTime: start_time };
  } catch {
    return null;
  }
}

/** The defaults for starting a child. */
export interface ChildDefaults {
  /** The program and its first arguments, up to and including `job`. */
  readonly file: string;
  readonly args: readonly string[];
  /** Flags for the agent and model of a child whose request names none; the request overrides them. */
  readonly agentArgs: readonly string[];
  readonly task: string;
}

/** The command line of a child. Values are joined to their flags with `=`, so that nothing an agent asks for is read as a flag. */
function childArgs(child: ChildRequest, { args, agentArgs, task }: ChildDefaults, promptFile: string | null): readonly string[] {
  return [
    ...args,
    `--run-id=${child.run}`,
    `--parent-run-id=${child.parent}`,
    `--task=${child.task ?? task}`,
    ...(child.agent === null ? agentArgs : [`--agent=${child.agent}`]),
    ...flag('--model', child.model),
    ...child.checks.map((command) => `--check=${command}`),
    ...flag('--cwd', child.cwd),
    ...flag('--idle-timeout', durationOf(child.idle_ms)),
    ...flag('--run-timeout', durationOf(child.run_ms)),
    ...flag('--prompt-file', promptFile),
  ];
}

function durationOf(ms: number | null): string | null {
  return ms === null ? null : `${ms}ms`;
}

function flag(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${name}=${value}`];
}

/** An active run and its process. */
export interface RunningChild {
  readonly run: string;
  readonly identity: ProcessIdentity;
}

interface Step {
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly graceMs: number;
}

/** The first signal asks a run to stop when it can, the second to stop now: it still ends its agent itself, and records that. */
const STEPS: readonly Step[] = [
  { signal: 'SIGTERM', graceMs: 1_000 },
  { signal: 'SIGTERM', graceMs: 10_000 },
  { signal: 'SIGKILL', graceMs: 3_000 },
];

/** Signals with increasing force, and ends what a killed run left behind. Resolves with the runs that still have a live process. */
async function endRuns(runs: readonly RunningChild[]): Promise<readonly string[]> {
  for (const step of STEPS) await ask(runs, step);
  const left = await Promise.all(runs.map(async ({ run, identity }) => (await sweepMarked(`${run}~`, [])).length > 0 || isAlive(identity)));
  return runs.filter((_run, index) => left[index]).map(({ run }) => run);
}

async function ask(runs: readonly RunningChild[], { signal, graceMs }: Step): Promise<void> {
  for (const { identity } of runs) sendSignal(identity, signal);
  const untilMs = performance.now() + graceMs;
  while (runs.some(({ identity }) => isAlive(identity)) && performance.now() < untilMs) await sleep(EVERY_MS);
}
