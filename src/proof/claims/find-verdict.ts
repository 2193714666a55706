import { truncateCodePoints } from '../../kit/pure/text.ts';

/** A reviewer's decision about the story it was shown, in the words of seed 003. */
export interface SpokenVerdict {
  readonly decision: 'approved' | 'changes_requested';
  readonly feedback: string;
  readonly notes: string;
}

/** Matches only unescaped quotes: an escaped decision inside a string of the verdict is a quotation. */
const DECISION = /"decision"\s*:\s*"(approved|changes_requested)"/g;
/** A word for the loop may follow it. */
const PROMISES = /(?:\s*<promise>[^<]*<\/promise>)+\s*$/;
const MOST_CHARS = 50_000;
const MOST_TRIES = 1_000;
const FIELDS: ReadonlySet<string> = new Set(['decision', 'feedback', 'notes']);

/**
 * The only verdict at the end of a last message, bare or in a code block. Null if there is none, if something follows it, or if there are two: a reviewer may
 * quote a verdict from the text it reviews, and that must not count.
 */
export function findVerdict(message: string): SpokenVerdict | null {
  const text = withoutFence(message.replace(PROMISES, '').trimEnd());
  const decisions = [...text.matchAll(DECISION)];
  const [only] = decisions;
  if (only === undefined || decisions.length > 1 || !text.endsWith('}')) return null;
  const read = lastObject(text, only.index);
  return read === null ? null : verdictIn(read, only[1] ?? '');
}

const withoutFence = (text: string) => (text.endsWith('```') ? text.slice(0, -3).trimEnd() : text);

/** From the brace before the decision, or an earlier one, to the very end. */
function lastObject(text: string, decisionAt: number): Readonly<Record<string, unknown>> | null {
  let at = text.lastIndexOf('{', decisionAt);
  for (let tries = 0; at !== -1 && tries < MOST_TRIES; tries += 1) {
    try {
      return JSON.parse(text.slice(at)) as Readonly<Record<string, unknown>>;
    } catch {
      at = at === 0 ? -1 : text.lastIndexOf('{', at - 1);
    }
  }
  return null;
}

/** A rejection must say what is wrong. */
function verdictIn(read: Readonly<Record<string, unknown>>, decision: string): SpokenVerdict | null {
  if (Object.keys(read).some((key) => !FIELDS.has(key)) || read['decision'] !== decision) return null;
  const [feedback, notes] = [textOf(read['feedback']), textOf(read['notes'])];
  if (feedback === null || notes === null || (decision !== 'approved' && decision !== 'changes_requested')) return null;
  return decision === 'changes_requested' && feedback.trim() === '' ? null : { decision, feedback, notes };
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? truncateCodePoints(value, MOST_CHARS, '…') : null;
}
