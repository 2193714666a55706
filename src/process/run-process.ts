import type { ChildProcess } from 'node:child_process';
import { addAbortListener } from 'node:events';
import { openClocks } from './clocks.ts';
import { holdFailure } from './hold-failure.ts';
import { identityOf } from './identity.ts';
import { type Kin, openKin } from './kin.ts';
import { thisMachine } from './machine.ts';
import { openNowAndThen } from './now-and-then.ts';
import { readOutput } from './output.ts';
import type { ProcessEnding } from './process-ending.ts';
import type { ProcessRequest } from './process-request.ts';
import { type KeptWatch, keepWatch } from './process-watch.ts';
import { type Started, startProcess } from './start-process.ts';
import { stopProcess } from './stop.ts';
import { type RecordedCause, stopOnce } from './stop-once.ts';
import { sweep } from './sweep.ts';

type Running = Extract<Started, { kind: 'started' }>;

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Runs a process to its end. Resolves with how it ended, after everything it started is gone or its guardian was told what is left, and soon after its exit even if
 * something still holds its pipes. Rejects only if a callback of the request threw, and only after the same clean-up.
 */
export async function runProcess(request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnding> {
  if (signal.aborted) return { kind: 'stopped', cause: 'cancelled', detail: reasonOf(signal), code: null, signal: null };
  const started = await startProcess(request);
  return started.kind === 'never-started' ? started : await attend(started, request, signal);
}

async function attend({ child, pid }: Running, request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnding> {
  const identity = identityOf(pid) ?? { ...thisMachine(), pid, startTime: 'unknown' };
  const kin = openKin({ known: [identity], session: identity, isOurMarker: (marker) => marker === request.marker });
  using watch = keepWatch(request.guardian, identity);
  const ending = endingOf(child);
  const callbacks = holdFailure(() => stopping.stop('cancelled', 'a callback failed'));
  const stopping = stopOnce(() => {
    note(kin, watch);
    void stopProcess(child, request, ending.exit).then(ending.giveUp);
  });

  using clocks = openClocks(request, stopping.stop);
  using _cancelling = addAbortListener(signal, () => stopping.stop('cancelled', reasonOf(signal)));
  using looks = openNowAndThen(() => note(kin, watch));
  using output = readOutput(child, request, {
    onLine: (line) => callbacks.run(() => request.onLine(line)),
    onTrouble: (detail) => stopping.stop('output', detail),
    onHeard(source) {
      clocks.heard();
      looks.due();
      if (source === 'stdout') callbacks.run(() => clocks.spoken(request.settled()));
    },
  });
  child.stdin.on('error', () => {}).end(request.stdin);
  callbacks.run(() => request.onSpawned(identity));

  const exit = await ending.exit;
  const cause = stopping.close();
  for (const timer of [clocks, looks]) timer[Symbol.dispose]();
  const left = await sweep(kin);
  await output.drain();
  if (left.length > 0) callbacks.run(() => request.guardian.left(left));
  callbacks.rethrow();
  return describe(exit, cause);
}

/** Seeing them now is what lets the sweep, and after our death the guardian, find them later. One look that fails (no descriptor left) must not keep us from stopping. */
function note(kin: Kin, watch: KeptWatch): void {
  try {
    watch.see(kin.look().living);
  } catch {
    // The sweep looks again.
  }
}

/** `giveUp` ends the wait for a process that not even SIGKILL has ended: stuck in the kernel, it must not hold us too. */
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
