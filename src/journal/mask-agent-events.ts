import { assertNever } from '../kit/pure/assert-never.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import { HIDDEN, openKeyLinesHider } from '../kit/pure/redact.ts';
import { maskWords } from './mask-event.ts';
import type { AgentEvent } from './words/agent-event.ts';

/** Longer than any key that can be recognised by its form. */
const TAIL_CHARS = 4_096;
const MOST_WORDS = 40;

/** Masks the output of one agent while it works. The output comes in pieces, and a secret may begin in one and end in a later one. */
export function openAgentEventMask(hide: HideSecrets): (event: AgentEvent) => AgentEvent {
  const maskOf = { message: maskPieces(hide), reasoning: maskPieces(hide), raw: maskPieces(hide) };
  return (event) => {
    if (event.type === 'message' || event.type === 'reasoning') return { ...event, text: maskOf[event.type](event.text) };
    return event.type === 'raw' ? { ...event, line: maskOf.raw(event.line) } : maskAgentEvent(hide, event);
  };
}

function maskPieces(hide: HideSecrets): (piece: string) => string {
  const hideKeyLines = openKeyLinesHider();
  let tail = '';
  return (piece) => {
    const text = hideKeyLines(`${piece}\n`).slice(0, -1);
    const before = tail;
    tail = `${tail}${text}`.slice(-TAIL_CHARS);
    return hideAcrossPieces(hide, before, text);
  };
}

/** Removes secrets from the text, also the rest of one that began in an earlier piece. */
function hideAcrossPieces(hide: HideSecrets, before: string, text: string): string {
  const whole = hide(`${before}${text}`);
  if (whole === `${hide(before)}${hide(text)}`) return hide(text);
  const words = /\s*\S+/gy;
  for (let count = 0; count < MOST_WORDS && words.test(text); count += 1) {
    const end = words.lastIndex;
    const rest = hide(text.slice(end));
    if (`${hide(`${before}${text.slice(0, end)}`)}${rest}` === whole) return `${HIDDEN}${rest}`;
  }
  return HIDDEN;
}

/** Deeper than the input of any tool. */
const MOST_DEPTH = 50;

/** Removes secrets from the texts of an agent's event. Names, ids, paths and numbers stay. */
export function maskAgentEvent(hide: HideSecrets, event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'message':
    case 'reasoning':
    case 'note':
      return { ...event, text: hide(event.text) };
    case 'tool.started':
      return { ...event, input: maskInput(hide, event.input) };
    case 'tool.finished':
      return { ...event, output: hide(event.output) };
    case 'todo':
      return { ...event, items: event.items.map((item) => ({ ...item, text: hide(item.text) })) };
    case 'subagent.started':
      return event.description === undefined ? event : { ...event, description: hide(event.description) };
    case 'error':
      return { ...event, message: hide(event.message) };
    case 'turn.finished':
      return { ...event, text: hide(event.text), reason: hide(event.reason) };
    case 'raw':
      return { ...event, line: hide(event.line) };
    case 'session.started':
    case 'file.changed':
    case 'subagent.finished':
    case 'retry':
    case 'rate_limit':
    case 'usage':
      return event;
    default:
      return assertNever(event);
  }
}

/** Masks all texts in it, at any depth. A field's name may say that its value is a secret. */
function maskInput(hide: HideSecrets, input: unknown, depth = 0): unknown {
  if (typeof input === 'string') return hide(input);
  if (typeof input !== 'object' || input === null) return input;
  if (depth === MOST_DEPTH) return HIDDEN;
  if (isWords(input)) return maskWords(hide, input);
  if (Array.isArray(input)) return input.map((item) => maskInput(hide, item, depth + 1));
  const fields = Object.entries(input).map(([name, value]) => [name, isSecretByName(hide, name, value) ? HIDDEN : maskInput(hide, value, depth + 1)]);
  return Object.fromEntries(fields);
}

function isWords(input: object): input is readonly string[] {
  return Array.isArray(input) && input.every((item) => typeof item === 'string');
}

function isSecretByName(hide: HideSecrets, name: string, value: unknown): boolean {
  if (typeof value !== 'string' || hide(value) !== value) return false;
  const said = JSON.stringify({ [name]: value });
  return hide(said) !== said;
}
