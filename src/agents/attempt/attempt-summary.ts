import type { AttemptVerdict, Ending } from '../../journal/events/attempt.ts';
import type { AgentErrorKind, AgentEvent, Usage } from '../../journal/words/agent-event.ts';

/** What one attempt's events add up to. Bounded, whatever an agent prints. */
export interface AttemptSummary {
  /** The last thing the agent itself said, its sub-agents left out. At most the last million characters of it. */
  readonly text: string;
  /** How its last turn ended; null while one is open, or when none ever ended. */
  readonly terminal: { readonly ok: boolean; readonly reason: string } | null;
  readonly usage: Usage | null;
  readonly tools: number;
  readonly toolErrors: number;
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
    tools: 0,
    toolErrors: 0,
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
      if (event.subagent === undefined) addWords(next, event.text);
      break;
    case 'tool.started':
      next.tools += 1;
      next.empty = false;
      if (event.subagent === undefined) next.terminal = null;
      break;
    case 'tool.finished':
      if (!event.ok) next.toolErrors += 1;
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
    case 'reasoning':
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
 * One verdict of an attempt. An exit code alone says nothing: it went well if its last turn said so and it then exited with 0, or
 * stayed on in silence until we ended it, or we died before we saw it exit. What no later try can change, and what only needs waiting, is told from plain failure.
 */
export function judgeEnding(summary: AttemptSummary, ending: Ending): AttemptVerdict {
  if (ending.kind === 'never-started') return isHopelesslyUnstarted(ending.reason) ? 'fatal' : 'failed';
  if (summary.error !== null && isHopeless(summary.error.kind)) return 'fatal';
  if (onlyNeedsWaiting(summary)) return 'limited';
  if (ending.kind === 'lost' && summary.terminal === null) return 'lost';
  if (!wasLeftInPeace(ending, summary) || summary.terminal?.ok === false) return 'failed';
  if (summary.empty) return 'empty';
  return summary.terminal === null ? 'failed' : 'ok';
}

/** A limit was met, or the provider could not answer to the end: asking again later may help. */
function onlyNeedsWaiting({ limit, error, terminal }: AttemptSummary): boolean {
  return limit !== null || (error?.kind === 'transient' && terminal?.ok === false);
}

/** The agent is missing or forbidden, or the workspace itself is gone. */
function isHopelesslyUnstarted(reason: string): boolean {
  return reason === 'not-found' || reason === 'not-executable' || reason === 'bad-directory';
}

/** It went by itself without a complaint, or had nothing more to do, or nobody was there to disturb it. */
function wasLeftInPeace(ending: Ending, { terminal }: AttemptSummary): boolean {
  if (ending.kind === 'exited') return ending.code === 0;
  if (ending.kind !== 'stopped') return ending.kind === 'lost';
  // One that had finished and only stayed loses nothing when its time is up just then.
  return ending.cause === 'lingered' || (ending.cause === 'deadline' && terminal?.ok === true);
}

type Draft = { -readonly [K in keyof AttemptSummary]: AttemptSummary[K] };

/** Written out because it runs for every line of a flood: a spread takes twenty times as long. */
function copyOf(summary: AttemptSummary): Draft {
  return {
    text: summary.text,
    terminal: summary.terminal,
    usage: summary.usage,
    tools: summary.tools,
    toolErrors: summary.toolErrors,
    retries: summary.retries,
    unknownLines: summary.unknownLines,
    limit: summary.limit,
    error: summary.error,
    sessionId: summary.sessionId,
    model: summary.model,
    empty: summary.empty,
  };
}

/** Who speaks again has not said its last word. */
function addWords(next: Draft, text: string): void {
  if (isBlank(text)) return;
  next.text = text.length > TEXT_CHARS ? text.slice(-TEXT_CHARS) : text;
  next.empty = false;
  next.terminal = null;
}

/** A turn that went well after all had nothing in its way. The text of a failed one is the CLI's, not the agent's. */
function addTurn(next: Draft, turn: Extract<AgentEvent, { type: 'turn.finished' }>): void {
  if (turn.ok) {
    addWords(next, turn.text);
    next.error = null;
    next.limit = null;
  }
  next.terminal = { ok: turn.ok, reason: turn.reason.slice(0, NAME_CHARS) };
}

/** A limit that was announced with its reset keeps it. */
function addError(next: Draft, kind: AgentErrorKind, message: string): void {
  next.error = { kind, message: message.slice(0, MESSAGE_CHARS) };
  if (kind === 'limit') next.limit ??= { resetsAtMs: null, window: null };
}

function usageIn({ type: _, ...usage }: Extract<AgentEvent, { type: 'usage' }>): Usage {
  return usage;
}

function isHopeless(kind: AgentErrorKind): boolean {
  return kind === 'auth' || kind === 'billing' || kind === 'model' || kind === 'fatal';
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
