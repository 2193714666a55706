import type { AgentErrorKind, AgentEvent } from '../journal/words/agent-event.ts';
import { openHeldFile } from '../kit/files/write.ts';
import { errorLineIn } from '../process/error-line.ts';
import type { Complaint, ParserClock } from './agent-definition.ts';
import { type Limit, limitInComplaint } from './limit-text.ts';

const END_BYTES = 64 * 1024;

/** Why an agent failed, in its own words, without its name in front. */
export function errorMessageIn(output: string): string | null {
  return errorLineIn(output)?.replace(/^(?:error|fatal)\s*:\s*/i, '') ?? null;
}

/** How programs of all kinds say that nobody is logged in. Only for the one line in which a failed program says why it failed. */
const loginWords = [
  /\bplease (?:run \S*\/login\b|log ?in\b|sign in\b)/i,
  /^(?:[\w ]{0,40}: )?(?:you(?:'re| are) )?not (?:logged|signed) in\b/i,
  /^(?:[\w ]{0,40}: )?(?:invalid|incorrect|missing) (?:x-)?api[ -]key\b/i,
  /\b401 unauthorized\b|\b401\b.{0,80}\bauthentication_error\b/i,
  /\b(?:oauth|access|refresh) token (?:has |is )?(?:expired|invalid|revoked)\b/i,
];
const overloadWords = /\boverloaded(?:_error)?\b|\bat capacity\b/i;

/**
 * The failure that a program explains on stderr only: a usage limit or a missing login, in the words of any program, or what its definition knows. Anything
 * else is a plain failure.
 */
export function complaintEvents(line: string, exitCode: number, known: readonly Complaint[], clock: ParserClock): readonly AgentEvent[] {
  const limit = limitInComplaint(line, clock);
  const kind = limit === null ? kindOfComplaint(line, known) : 'limit';
  const events: AgentEvent[] = [
    { type: 'error', kind, message: `the agent exited with code ${exitCode}: ${line}` },
    { type: 'turn.finished', ok: false, text: '', reason: 'exited' },
  ];
  return limit === null ? events : [rejected(limit), ...events];
}

const rejected = ({ resetsAtMs, window }: Limit): AgentEvent => ({
  ...{ type: 'rate_limit', status: 'rejected' },
  ...(resetsAtMs !== null && { resetsAtMs }),
  ...(window !== null && { window }),
});

/** The usage limit that an agent has logged and does not tell; empty if it is about something else. */
export function limitEvents(words: string, clock: ParserClock): readonly AgentEvent[] {
  const limit = limitInComplaint(words, clock);
  if (limit === null) return [];
  return [rejected(limit), { type: 'error', kind: 'limit', message: words }, { type: 'turn.finished', ok: false, text: '', reason: 'limit' }];
}

function kindOfComplaint(line: string, known: readonly Complaint[]): AgentErrorKind {
  const found = known.find(({ words }) => words.test(line));
  if (found !== undefined) return found.kind;
  if (loginWords.some((words) => words.test(line))) return 'auth';
  return overloadWords.test(line) ? 'overloaded' : 'other';
}

/** The last part of a file, whatever its size; empty for anything but a regular file. */
export function endOfFile(path: string): string {
  using file = openHeldFile(path);
  file.hold();
  return file.read('end', END_BYTES);
}

/** What an HTTP status of a model's API means for the loop. */
export function kindOfStatus(status: number | null): AgentErrorKind {
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 402) return 'billing';
  if (status === 404) return 'model';
  if (status === 429) return 'limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status === 408 || (status !== null && status >= 500) ? 'transient' : 'other';
}
