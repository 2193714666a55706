import type { AgentErrorKind } from '../../journal/words/agent-event.ts';
import type { ParserClock } from '../agent-definition.ts';
import { kindOfStatus } from '../error-kinds.ts';
import { objectIn, parseObject, textIn } from '../json.ts';
import { resetTimeIn } from '../reset-time.ts';

export interface CodexFailure {
  readonly kind: AgentErrorKind;
  readonly message: string;
  readonly status: number | null;
  /** The end of a usage limit, where the message names it. */
  readonly resetsAtMs: number | null;
}

/** No message of codex's own is longer; what a gateway sends instead is not searched to its end. */
const MESSAGE_CHARS = 4000;

/** 0.166 writes a typographic apostrophe, earlier builds a plain one. */
const usageLimit = /^You['’]ve hit your usage limit/;
const tryAgainAt = /try again at ([^.]{1,60})\.?\s*$/i;
const httpStatus = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/;

const beginnings: readonly (readonly [RegExp, AgentErrorKind])[] = [
  [/^Quota exceeded/, 'billing'],
  [/^Your workspace is out of credits/, 'billing'],
  [/^You(?:['’]ve)? hit your spend cap/, 'billing'],
  [/^rate limit exceeded/, 'limit'],
  [/^Selected model is at capacity/, 'transient'],
  [/^We['’]re currently experiencing high demand/, 'transient'],
  [/^stream disconnected before completion/, 'transient'],
  [/^Connection failed/, 'transient'],
  [/^Codex ran out of room/, 'context'],
];

const codes: ReadonlyMap<string, AgentErrorKind> = new Map([
  ['context_length_exceeded', 'context'],
  ['insufficient_quota', 'billing'],
  ['invalid_api_key', 'auth'],
  ['model_not_found', 'model'],
]);

/** What codex means by the message of an `error` or `turn.failed` line. The reset is in the local zone of its process. */
export function failureIn(text: string, clock: ParserClock): CodexFailure {
  const provider = objectIn(parseObject(text)?.['error']);
  const message = (textIn(provider?.['message']) || text).slice(0, MESSAGE_CHARS);
  if (usageLimit.test(message)) {
    const reset = tryAgainAt.exec(message)?.[1];
    return { kind: 'limit', message, status: null, resetsAtMs: reset === undefined ? null : resetTimeIn(reset, clock) };
  }
  const found = httpStatus.exec(message)?.[1];
  const status = found === undefined ? null : Number(found);
  const kind = codes.get(textIn(provider?.['code'])) ?? beginnings.find(([pattern]) => pattern.test(message))?.[1] ?? kindOfStatus(status);
  return { kind, message, status, resetsAtMs: null };
}
