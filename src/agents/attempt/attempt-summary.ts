import type { AttemptVerdict, Ending } from '../../journal/events/attempt.ts';
import type { AgentErrorKind, AgentEvent, Usage } from '../../journal/words/agent-event.ts';
import { isPermanent, isProvidersTrouble } from './cause-of.ts';

/** The fold of one attempt's events. Its size is bounded, whatever an agent prints. */
export interface AttemptSummary {
  /** The last message of the agent itself, without its sub-agents. At most its last million characters. */
  readonly text: string;
  /** How its last turn ended; null while one is open, or when none ever ended. */
  readonly terminal: { readonly ok: boolean; readonly reason: string } | null;
  readonly usage: Usage | null;
  /** How many characters it has said and thought, and how many its tools have answered. */
  readonly saidChars: number;
  readonly heardChars: number;
  readonly tools: number;
  readonly toolErrors: number;
  /** The first line of the last failed call's output. */
  readonly toolError: string;
  readonly retries: number;
  readonly unknownLines: number;
  readonly limit: { readonly resetsAtMs: number | null; readonly window: string | null } | null;
  readonly error: { readonly kind: AgentErrorKind; readonly message: string } | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  /** It neither said nor did anything. */
  readonly empty: boolean;
}

const TEXT_CHARS = 1_000_000;
const MESSAGE_CHARS = 2_000;
const NAME_CHARS = 200;

export function startSummary(): AttemptSummary {
  return {
    text: '',
    terminal: null,
    usage: null,
    saidChars: 0,
    heardChars: 0,
    tools: 0,
    toolErrors: 0,
    toolError: '',
    retries: 0,
    unknownLines: 0,
    limit: null,
    error: null,
    sessionId: null,
    model: null,
    empty: true,
  };
}

export function addEvent(summary: AttemptSummary, event: AgentEvent): AttemptSummary {
  const next = copyOf(summary);
  switch (event.type) {
    case 'session.started':
      next.sessionId = event.sessionId.slice(0, NAME_CHARS);
      next.model = event.model?.slice(0, NAME_CHARS) ?? null;
      break;
    case 'message':
      next.saidChars += event.text.length;
      if (event.subagent === undefined) addWords(next, event.text);
      break;
    case 'tool.started':
      next.tools += 1;
      next.empty = false;
      if (event.subagent === undefined) next.terminal = null;
      break;
    case 'reasoning':
      next.saidChars += event.text.length;
      break;
    case 'tool.finished':
      next.heardChars += event.output.length;
      if (!event.ok) addToolError(next, event.output);
      break;
    case 'retry':
      next.retries += 1;
      break;
    case 'rate_limit':
      next.limit = event.status === 'rejected' ? { resetsAtMs: event.resetsAtMs ?? null, window: event.window?.slice(0, NAME_CHARS) ?? null } : null;
      break;
    case 'usage':
      next.usage = usageIn(event);
      break;
    case 'error':
      addError(next, event.kind, event.message);
      break;
    case 'turn.finished':
      addTurn(next, event);
      break;
    case 'raw':
      next.unknownLines += 1;
      break;
    case 'file.changed':
    case 'todo':
    case 'subagent.started':
    case 'subagent.finished':
    case 'note':
      return summary;
  }
  return next;
}

/**
 * The verdict on an attempt. An exit code alone is not enough. It is ok if its last turn succeeded and it then exited with 0, stayed idle until we ended it, or
 * our own process died first. Failures that a retry cannot change, and those that only need waiting, are told apart from plain failures.
 */
export function attemptVerdict(summary: AttemptSummary, ending: Ending): AttemptVerdict {
  if (ending.kind === 'never-started') return canNeverStart(ending.reason) ? 'fatal' : 'failed';
  if (summary.error !== null && isPermanent(summary.error.kind)) return 'fatal';
  if (onlyNeedsWaiting(summary)) return 'limited';
  if (ending.kind === 'lost' && summary.terminal === null) return 'lost';
  if (!endedUndisturbed(ending, summary) || summary.terminal?.ok === false) return 'failed';
  if (summary.empty) return 'empty';
  return summary.terminal === null ? 'failed' : 'ok';
}

/** A limit was reached, or the provider could not finish its answer: a later retry may help. */
function onlyNeedsWaiting({ limit, error, terminal }: AttemptSummary): boolean {
  return limit !== null || (error !== null && isProvidersTrouble(error.kind) && terminal?.ok === false);
}

/** The agent is missing or not executable, or the workspace is gone. */
function canNeverStart(reason: string): boolean {
  return reason === 'not-found' || reason === 'not-executable' || reason === 'bad-directory';
}

/** It exited without an error, had nothing more to do, or nobody stopped it. */
function endedUndisturbed(ending: Ending, { terminal }: AttemptSummary): boolean {
  if (ending.kind === 'exited') return ending.code === 0;
  if (ending.kind !== 'stopped') return ending.kind === 'lost';
  // An agent that had finished loses nothing when its time is up at that moment.
  return ending.cause === 'lingered' || (ending.cause === 'deadline' && terminal?.ok === true);
}

type Draft = { -readonly [K in keyof AttemptSummary]: AttemptSummary[K] };

/** Written out because it runs for every line of a flood: a spread takes twenty times as long. */
function copyOf(summary: AttemptSummary): Draft {
  return {
    text: summary.text,
    terminal: summary.terminal,
    usage: summary.usage,
    saidChars: summary.saidChars,
    heardChars: summary.heardChars,
    tools: summary.tools,
    toolErrors: summary.toolErrors,
    toolError: summary.toolError,
    retries: summary.retries,
    unknownLines: summary.unknownLines,
    limit: summary.limit,
    error: summary.error,
    sessionId: summary.sessionId,
    model: summary.model,
    empty: summary.empty,
  };
}

function addToolError(next: Draft, output: string): void {
  next.toolErrors += 1;
  next.toolError = /\S.*/.exec(output.slice(0, MESSAGE_CHARS))?.[0].slice(0, NAME_CHARS) ?? '';
}

/** An agent that speaks again has not finished. */
function addWords(next: Draft, text: string): void {
  if (isBlank(text)) return;
  next.text = text.length > TEXT_CHARS ? text.slice(-TEXT_CHARS) : text;
  next.empty = false;
  next.terminal = null;
}

/** A successful turn clears earlier problems. The text of a failed turn is the CLI's, not the agent's. */
function addTurn(next: Draft, turn: Extract<AgentEvent, { type: 'turn.finished' }>): void {
  if (turn.ok) {
    addWords(next, turn.text);
    next.error = null;
    next.limit = null;
  }
  next.terminal = { ok: turn.ok, reason: turn.reason.slice(0, NAME_CHARS) };
}

/** A limit that was announced with its reset time keeps it. */
function addError(next: Draft, kind: AgentErrorKind, message: string): void {
  next.error = { kind, message: message.slice(0, MESSAGE_CHARS) };
  if (kind === 'limit') next.limit ??= { resetsAtMs: null, window: null };
}

function usageIn({ type: _, ...usage }: Extract<AgentEvent, { type: 'usage' }>): Usage {
  return usage;
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
