import { assertNever } from '../kit/pure/assert-never.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import { HIDDEN } from '../kit/pure/redact.ts';
import type { AgentEvent } from './words/agent-event.ts';
import { maskWords } from './mask-texts.ts';

/** Deeper than any tool's input is. */
const MOST_DEPTH = 50;

/** What an agent says or does, without secrets in its texts. Names, ids, paths and numbers stay. */
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

/** All texts in it, however deep; a name may tell that its value is a secret. */
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
