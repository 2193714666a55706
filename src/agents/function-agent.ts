import { addAbortListener } from 'node:events';
import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentPort, AgentRequest } from '../engine/ports/agent.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import { readText } from '../kit/files/read-text.ts';
import { openFresh, writeFresh } from '../kit/files/write.ts';
import { openAlarm } from '../process/alarm.ts';
import type { ProcessEnding, StopCause } from '../process/process-request.ts';
import { type RecordedCause, stopOnce } from '../process/stop.ts';
import { type AgentAnswer, type AgentFactory, type AgentTokens, askFactory } from './agent-factory.ts';

export interface FunctionAgentOptions {
  readonly factory: AgentFactory;
  readonly agent: string;
  readonly model: string | null;
  /** How long to wait for a function that was told to stop. A function cannot be ended from outside. */
  readonly graceMs?: number;
  /** Classifies an exception, for callers who tell them apart; by default each is a plain failure. */
  readonly judge?: (error: unknown) => Exception;
}

export interface Exception {
  /** A retry cannot help. */
  readonly isFatal: boolean;
  /** The exit code that a process would have had. */
  readonly exitCode: number;
}

const GRACE_MS = 10_000;
const plainFailure = (): Exception => ({ isFatal: false, exitCode: 1 });

type Outcome =
  | { readonly kind: 'answered'; readonly answer: AgentAnswer }
  | ({ readonly kind: 'threw'; readonly error: unknown } & Exception)
  | { readonly kind: 'left-behind' };

/**
 * An agent that is a function of the caller's, in this process. It spawns no process and names none: after a crash Ralph must never end itself. Only the time
 * is limited here, not silence or output.
 */
export function openFunctionAgent(options: FunctionAgentOptions): AgentPort {
  return {
    name: options.agent,
    outputFormat: () => 'events',
    describe: async () => [options.agent],
    async run(request, listener, signal) {
      if (signal.aborted) return stopped({ cause: 'cancelled', detail: reasonOf(signal) });
      const spool = openSpool(request);
      if (typeof spool !== 'number') return spool;
      try {
        const { outcome, cause } = await runFunction(options, request, signal);
        const events = eventsOf(outcome, cause);
        writeFileSync(spool, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
        for (const event of events) listener.onEvent(event);
        return endingOf(outcome, cause);
      } finally {
        closeSync(spool);
      }
    },
    async replay(request, onEvent) {
      const spooled = await readText(spoolOf(request), 'refuse pipes');
      if (spooled.kind === 'no-text') return spooled.why === 'missing' ? null : 'replayed';
      for (const event of spooled.text.split('\n').flatMap(eventIn)) onEvent(event);
      return 'replayed';
    },
  };
}

interface RunResult {
  readonly outcome: Outcome;
  /** Why it was told to stop before it had answered; null when it was not. */
  readonly cause: RecordedCause | null;
}

async function runFunction(options: FunctionAgentOptions, request: AgentRequest, signal: AbortSignal): Promise<RunResult> {
  const { factory, agent, model, graceMs = GRACE_MS, judge = plainFailure } = options;
  const control = new AbortController();
  const { promise: leftBehind, giveUp } = aWaitForNothing();
  using grace = openAlarm(graceMs, giveUp);
  const stopping = stopOnce(() => {
    grace.restart();
    control.abort();
  });
  using deadline = openAlarm(request.deadlineMs, () => stopping.stop('deadline', `still running after ${request.deadlineMs / 1000} s`));
  using _cancelling = addAbortListener(signal, () => stopping.stop('cancelled', reasonOf(signal)));
  deadline.restart();
  const call = { agent, model, workspaceRoot: request.cwd, iteration: iterationIn(request), prompt: request.prompt, signal: control.signal };
  const working: Promise<Outcome> = askFactory(factory, call).then(
    (answer) => ({ kind: 'answered', answer }),
    (error: unknown) => ({ kind: 'threw', error, ...judge(error) }),
  );
  const outcome = await Promise.race([working, leftBehind]);
  return { outcome, cause: stopping.close() };
}

function aWaitForNothing(): { readonly promise: Promise<Outcome>; readonly giveUp: () => void } {
  let giveUp = () => {};
  const promise = new Promise<Outcome>((resolve) => {
    giveUp = () => resolve({ kind: 'left-behind' });
  });
  return { promise, giveUp };
}

/** Its usage counts even if it was cut off; only its turn did not end then. */
function eventsOf(outcome: Outcome, cause: RecordedCause | null): readonly AgentEvent[] {
  if (outcome.kind === 'answered') return [...workEvents(outcome.answer), ...(cause === null ? [turnEvent(outcome.answer)] : [])];
  if (outcome.kind === 'left-behind' || cause !== null) return [];
  return [{ type: 'error', kind: outcome.isFatal ? 'fatal' : 'other', message: messageOf(outcome.error) }];
}

function endingOf(outcome: Outcome, cause: RecordedCause | null): ProcessEnding {
  if (cause === null) return { kind: 'exited', code: outcome.kind === 'threw' ? outcome.exitCode : 0 };
  return stopped(outcome.kind === 'left-behind' ? { ...cause, detail: `${cause.detail}; it was told to stop and did not, and may still be at work` } : cause);
}

function stopped({ cause, detail }: { readonly cause: StopCause; readonly detail: string }): ProcessEnding {
  return { kind: 'stopped', cause, detail, code: null, signal: null };
}

/** The open spool. Without it an attempt could not be found again after a crash, so it does not start. */
function openSpool(request: AgentRequest): number | ProcessEnding {
  try {
    writeFresh(join(request.folder, 'prompt.md'), request.prompt);
    return openFresh(spoolOf(request));
  } catch (error) {
    return { kind: 'never-started', reason: 'other', message: `cannot write the prompt: ${messageOf(error)}` };
  }
}

/** Empty for half a line, which a crash leaves. */
function eventIn(line: string): AgentEvent[] {
  try {
    return [JSON.parse(line) as AgentEvent];
  } catch {
    return [];
  }
}

function spoolOf({ folder }: AgentRequest): string {
  return join(folder, 'agent.jsonl');
}

/** A marker ends with `<iteration>.<attempt>`. */
function iterationIn({ marker }: AgentRequest): number {
  return Number(/(\d+)\.\d+$/.exec(marker)?.[1] ?? 1);
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

function reasonOf({ reason }: AbortSignal): string {
  return messageOf(reason);
}

/** As much as is remembered of any agent's last message. */
const TEXT_CHARS = 1_000_000;
/** Each is an event. */
const MOST_STEPS = 10_000;
/** A function that worked without a text has not failed, unlike a process without output. */
const SILENT = 'It gave no text.';

/** An agent's work and usage as stream events. No value is trusted to have its declared type. */
function workEvents({ cost, steps, tokens }: AgentAnswer): readonly AgentEvent[] {
  return [...stepEvents(count(steps)), ...usageEvents(cost, tokens)];
}

function turnEvent({ text }: AgentAnswer): AgentEvent {
  const said = typeof text === 'string' && text.trim() !== '' ? text.slice(-TEXT_CHARS) : SILENT;
  return { type: 'turn.finished', ok: true, text: said, reason: 'answered' };
}

function stepEvents(steps: number): AgentEvent[] {
  return Array.from({ length: Math.min(steps, MOST_STEPS) }, (_, index) => ({ type: 'tool.started', id: `step-${index + 1}`, name: 'step', input: null }));
}

function usageEvents(cost: unknown, tokens: AgentTokens | undefined): AgentEvent[] {
  const isSaid = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0;
  if (!isSaid && typeof tokens !== 'object') return [];
  const { input, cacheRead, cacheWrite, output } = tokens ?? {};
  const counts = { input: count(input), cacheRead: count(cacheRead), cacheWrite: count(cacheWrite), output: count(output) };
  return [{ type: 'usage', ...counts, ...(isSaid ? { costUsd: cost } : {}) }];
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
