import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { addAbortListener, once } from 'node:events';
import { openAlarm } from './alarm.ts';
import { whyNotStarted } from './error-line.ts';
import { readFirstInNamespace, stdioFor, writeExtraInput } from './extra-streams.ts';
import { identityOf, thisMachine } from './identity.ts';
import { openSpoolFiles, readOutput, removeSpoolFiles, type SpoolFiles } from './output.ts';
import { keepWatch, type ProcessEnding, type ProcessRequest, type StopCause } from './process-request.ts';
import { markerVariable } from './process-table.ts';
import { type RecordedCause, sendSignal, stopOnce, stopProcess } from './stop.ts';
import { openRelatedProcesses, sweep } from './sweep.ts';
import { watchUse } from './use/watch-use.ts';

type Running = Extract<Started, { kind: 'started' }>;

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Runs a process to its end. Resolves with how it ended, after all processes it started have ended or the guardian knows what is left. It resolves soon after
 * the exit, even if something still holds the pipes. Rejects only if a callback of the request threw, and only after the same clean-up.
 */
export async function runProcess(request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnding> {
  if (signal.aborted) return { kind: 'stopped', cause: 'cancelled', detail: reasonOf(signal), code: null, signal: null };
  const files = openSpoolFiles(request);
  const started = await startProcess(request);
  if (started.kind === 'started') return await attend(started, files, request, signal);
  removeSpoolFiles(files);
  return started;
}

async function attend({ child, pid }: Running, files: SpoolFiles, request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnding> {
  const identity = identityOf(pid) ?? { ...thisMachine(), pid, startTime: 'unknown' };
  const kin = openRelatedProcesses({ known: [identity], session: identity, isOurMarker: (marker) => marker === request.marker });
  using watch = keepWatch(request.guardian, identity);
  const first = readFirstInNamespace(child, (told) => watch.see([identity, told]));
  // We look at them now so that the sweep, or the guardian after our death, can find them later. Processes in a pid namespace need no look.
  const note = () => {
    if (first.identity === null) orLater(() => watch.see(kin.look().living));
  };
  const ending = endingOf(child);
  const callbacks = holdFailure(() => stopping.stop('cancelled', 'a callback failed'));
  const stopping = stopOnce(() => {
    note();
    void stopProcess(child, request, ending.exit).then(ending.giveUp);
  });

  using clocks = openClocks(request, stopping.stop);
  using _use = watchUse(
    request.uses,
    () => first.identity,
    ({ cause, detail }) => {
      if (first.identity !== null) sendSignal(first.identity, 'SIGKILL');
      stopping.stop(cause, detail);
    },
  );
  using _cancelling = addAbortListener(signal, () => stopping.stop('cancelled', reasonOf(signal)));
  using looks = openNowAndThen(note);
  using output = readOutput({ child, files }, request, {
    onLine: (line) => callbacks.run(() => request.onLine(line)),
    onErrorLine: request.onErrorLine && ((line) => callbacks.run(() => request.onErrorLine?.(line))),
    onError: (detail) => stopping.stop('output', detail),
    onChunk(source) {
      clocks.printed();
      looks.due();
      if (source === 'stdout') callbacks.run(() => clocks.printedOnStdout(request.settled()));
    },
  });
  child.stdin.on('error', () => {}).end(request.stdin);
  callbacks.run(() => request.onSpawned(identity));

  const exit = await ending.exit;
  const cause = stopping.close();
  for (const timer of [clocks, looks]) timer[Symbol.dispose]();
  const left = (await first.isGone()) ? [] : await sweep(kin);
  await output.drain();
  if (left.length > 0) callbacks.run(() => request.guardian.reportLeft(left));
  callbacks.rethrow();
  return describe(exit, cause);
}

/** A failed look (no file descriptor left) must not prevent stopping: the sweep looks again. */
function orLater(look: () => void): void {
  try {
    look();
  } catch {
    // The next look may succeed.
  }
}

/** `giveUp` ends the wait for a process that SIGKILL has not ended, because it is stuck in the kernel. */
function endingOf(child: ChildProcess): { readonly exit: Promise<Exit>; readonly giveUp: () => void } {
  let giveUp = () => {};
  const exit = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    giveUp = () => {
      child.unref();
      resolve({ code: null, signal: null });
    };
  });
  return { exit, giveUp };
}

function describe({ code, signal }: Exit, cause: RecordedCause | null): ProcessEnding {
  if (cause !== null) return { kind: 'stopped', ...cause, code, signal };
  return signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal };
}

function reasonOf(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason.message : String(reason);
}

export type Started =
  | { readonly kind: 'started'; readonly child: ChildProcessWithoutNullStreams; readonly pid: number }
  | Extract<ProcessEnding, { kind: 'never-started' }>;

/** Starts the process as the leader of its own session. Node reports some failures by an event and throws others; both become data. */
async function startProcess(request: ProcessRequest): Promise<Started> {
  try {
    const { namespaceArgs = [] } = request;
    const child = spawn(request.file, [...namespaceArgs, ...request.args], {
      cwd: request.cwd,
      env: { ...request.env, [markerVariable]: request.marker },
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: stdioFor({ ...request, tells: namespaceArgs.length > 0 }),
    });
    writeExtraInput(child, request);
    if (child.pid === undefined) return whyNotStarted((await once(child, 'error'))[0], request);
    child.on('error', () => {});
    return { kind: 'started', child: child as ChildProcessWithoutNullStreams, pid: child.pid };
  } catch (error) {
    return whyNotStarted(error, request);
  }
}

export interface FailureHolder {
  /** Does the work unless an earlier call has failed. */
  run(work: () => void): void;
  rethrow(): void;
}

/** Keeps the first failure of a callback until everything is cleaned up; calls `onFailure` at once. */
function holdFailure(onFailure: () => void): FailureHolder {
  let held: { readonly error: unknown } | null = null;
  return {
    run(work) {
      if (held !== null) return;
      try {
        work();
      } catch (error) {
        held = { error };
        onFailure();
      }
    },
    rethrow() {
      if (held !== null) throw held.error;
    },
  };
}

/** The three clocks of a process: silence, wall time, and lingering after the final message. */
export interface Clocks extends Disposable {
  /** It printed something on any stream. */
  printed(): void;
  /** It printed on stdout. If it is settled, the time it lingers counts from now; otherwise it does not count. */
  printedOnStdout(settled: boolean): void;
}

type Limits = Pick<ProcessRequest, 'idleMs' | 'deadlineMs' | 'lingerMs'>;

/** The clocks start now. */
function openClocks({ idleMs, deadlineMs, lingerMs }: Limits, stop: (cause: StopCause, detail: string) => void): Clocks {
  const idle = openAlarm(idleMs, () => stop('idle', `no output for ${seconds(idleMs)}`));
  const deadline = openAlarm(deadlineMs, () => stop('deadline', `still running after ${seconds(deadlineMs)}`));
  const linger = openAlarm(lingerMs, () => stop('lingered', `finished, but still there after ${seconds(lingerMs)} of silence`));
  idle.restart();
  deadline.restart();
  return {
    printed() {
      idle.restart();
    },
    printedOnStdout(settled) {
      if (settled) linger.restart();
      else linger.cancel();
    },
    [Symbol.dispose]() {
      for (const alarm of [idle, deadline, linger]) alarm[Symbol.dispose]();
    },
  };
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

const leastPauseMs = 1_000;
const shareOfTime = 1 / 20;

export interface Throttled extends Disposable {
  /** Schedules the work soon, once for any number of calls. */
  due(): void;
}

/** Does the work at most once a second, and uses at most a twentieth of the time, even if it is slow on this machine. */
function openNowAndThen(work: () => void): Throttled {
  let pauseMs = leastPauseMs;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const run = () => {
    timer = null;
    const startMs = performance.now();
    work();
    pauseMs = Math.max(leastPauseMs, (performance.now() - startMs) / shareOfTime);
  };
  return {
    due() {
      if (timer === null && !closed) timer = setTimeout(run, pauseMs);
    },
    [Symbol.dispose]() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
