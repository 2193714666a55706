import type { AgentErrorKind, AgentEvent, Usage } from '../model/agent-event.ts';
import type { AttemptVerdict, Ending } from '../model/events/attempt.ts';

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
  switch (event.type) {
    case 'session.started':
      return { ...summary, sessionId: event.sessionId.slice(0, NAME_CHARS), model: event.model?.slice(0, NAME_CHARS) ?? null };
    case 'message':
      return event.subagent === undefined ? addMessage(summary, event.text) : summary;
    case 'tool.started':
      return { ...summary, tools: summary.tools + 1, empty: false, terminal: event.subagent === undefined ? null : summary.terminal };
    case 'tool.finished':
      return event.ok ? summary : { ...summary, toolErrors: summary.toolErrors + 1 };
    case 'retry':
      return { ...summary, retries: summary.retries + 1 };
    case 'rate_limit':
      return addRateLimit(summary, event);
    case 'usage': {
      const { type: _, ...usage } = event;
      return { ...summary, usage };
    }
    case 'error':
      return addError(summary, event.kind, event.message);
    case 'turn.finished':
      return addTurn(summary, event);
    case 'raw':
      return { ...summary, unknownLines: summary.unknownLines + 1 };
    case 'reasoning':
    case 'file.changed':
    case 'todo':
    case 'subagent.started':
    case 'subagent.finished':
    case 'note':
      return summary;
  }
}

/**
 * One verdict of an attempt. An exit code alone says nothing: it went well if its last turn said so and it then exited with 0, or
 * stayed on in silence until we ended it, or we died before we saw it exit. What no later try can change, and what only needs waiting, is told from plain failure.
 */
export function judgeEnding(summary: AttemptSummary, ending: Ending): AttemptVerdict {
  if (ending.kind === 'never-started') return isMissing(ending.reason) ? 'fatal' : 'failed';
  if (summary.error !== null && isHopeless(summary.error.kind)) return 'fatal';
  if (summary.limit !== null) return 'limited';
  if (ending.kind === 'lost') return 'lost';
  if (!wasLeftInPeace(ending) || summary.terminal?.ok === false) return 'failed';
  if (summary.empty) return 'empty';
  return summary.terminal === null ? 'failed' : 'ok';
}

function isMissing(reason: string): boolean {
  return reason === 'not-found' || reason === 'not-executable';
}

/** It went by itself without a complaint, or had nothing more to do. */
function wasLeftInPeace(ending: Ending): boolean {
  return ending.kind === 'exited' ? ending.code === 0 : ending.kind === 'stopped' && ending.cause === 'lingered';
}

/** Who speaks again has not said its last word. */
function addMessage(summary: AttemptSummary, text: string): AttemptSummary {
  if (isBlank(text)) return summary;
  return { ...summary, text: text.slice(-TEXT_CHARS), empty: false, terminal: null };
}

/** A turn that went well after all had nothing in its way. The text of a failed one is the CLI's, not the agent's. */
function addTurn(summary: AttemptSummary, turn: Extract<AgentEvent, { type: 'turn.finished' }>): AttemptSummary {
  const terminal = { ok: turn.ok, reason: turn.reason.slice(0, NAME_CHARS) };
  if (!turn.ok) return { ...summary, terminal };
  const spoke = isBlank(turn.text) ? summary : addMessage(summary, turn.text);
  return { ...spoke, terminal, error: null, limit: null };
}

function addRateLimit(summary: AttemptSummary, event: Extract<AgentEvent, { type: 'rate_limit' }>): AttemptSummary {
  if (event.status !== 'rejected') return { ...summary, limit: null };
  return { ...summary, limit: { resetsAtMs: event.resetsAtMs ?? null, window: event.window?.slice(0, NAME_CHARS) ?? null } };
}

/** A limit that was announced with its reset keeps it. */
function addError(summary: AttemptSummary, kind: AgentErrorKind, message: string): AttemptSummary {
  const limit = kind === 'limit' ? (summary.limit ?? { resetsAtMs: null, window: null }) : summary.limit;
  return { ...summary, limit, error: { kind, message: message.slice(0, MESSAGE_CHARS) } };
}

function isHopeless(kind: AgentErrorKind): boolean {
  return kind === 'auth' || kind === 'billing' || kind === 'model';
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
