import { openKeyLinesHider } from '../kit/pure/hide-key-lines.ts';
import type { HideSecrets } from '../kit/pure/hide-secrets.ts';
import { HIDDEN } from '../kit/pure/redact.ts';
import type { AgentEvent } from './words/agent-event.ts';
import { maskAgentEvent } from './mask-agent-event.ts';

/** Longer than any key that tells by its looks what it is. */
const TAIL_CHARS = 4_096;
const MOST_WORDS = 40;

/** Masks what one agent says while it works. What it says comes in pieces, and a secret may begin in one and end in a later one. */
export function openToldMask(hide: HideSecrets): (event: AgentEvent) => AgentEvent {
  const maskOf = { message: openPieces(hide), reasoning: openPieces(hide), raw: openPieces(hide) };
  return (event) => {
    if (event.type === 'message' || event.type === 'reasoning') return { ...event, text: maskOf[event.type](event.text) };
    return event.type === 'raw' ? { ...event, line: maskOf.raw(event.line) } : maskAgentEvent(hide, event);
  };
}

function openPieces(hide: HideSecrets): (piece: string) => string {
  const hideKeyLines = openKeyLinesHider();
  let tail = '';
  return (piece) => {
    const text = hideKeyLines(`${piece}\n`).slice(0, -1);
    const before = tail;
    tail = `${tail}${text}`.slice(-TAIL_CHARS);
    return hiddenBehind(hide, before, text);
  };
}

/** The text without secrets, also without the rest of one that begins in what was said before. */
function hiddenBehind(hide: HideSecrets, before: string, text: string): string {
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
