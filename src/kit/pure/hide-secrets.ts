import { HIDDEN, redact } from './redact.ts';
import { openReplacer } from './replace-any.ts';
import { spellingsOf } from './secret-spellings.ts';

/** Takes out of a text what nobody should read. */
export type HideSecrets = (text: string) => string;

/** What is shorter is no secret, only a word that others use too. */
const LEAST_CHARS = 8;

/** Takes out what nobody should read over the operator's shoulder: the given values, also where the text was cut inside one, and whatever looks like a key. */
export function openSecretHider(secrets: readonly string[]): HideSecrets {
  const values = knownValues(secrets);
  const withoutValues = openReplacer(values, LEAST_CHARS, HIDDEN);
  return (text) => redact(withoutCutValue(withoutValues(text), values));
}

/** The same for a text of many lines, each seen on its own: what comes of them does not depend on how many come at a time. */
export function openLinesHider(secrets: readonly string[]): HideSecrets {
  const withoutValues = openReplacer(knownValues(secrets), LEAST_CHARS, HIDDEN);
  return (text) => withoutValues(text).split('\n').map(redactedLine).join('\n');
}

/** A line that is written over again and again is seen as many. */
function redactedLine(line: string): string {
  return line.includes('\r') ? line.split('\r').map(redact).join('\r') : redact(line);
}

/** A secret of several lines is seen line by line. The longest first: one may be the beginning of another. */
function knownValues(secrets: readonly string[]): readonly string[] {
  const whole = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]).map((value) => value.trim());
  const spelled = whole.filter(mayBeSecret).flatMap(spellingsOf);
  return [...new Set(spelled.filter((value) => value.length >= LEAST_CHARS && !/[\r\n]/.test(value)))].sort((a, b) => b.length - a.length);
}

/** The marks around a key in PEM are no secret, and are needed to find what is between them. */
function mayBeSecret(value: string): boolean {
  return value.length >= LEAST_CHARS && !/^-----[^-\n]*-----$/.test(value);
}

/** Long lines were cut before they came here, and their dots may stand in the middle of a secret. */
function withoutCutValue(text: string, values: readonly string[]): string {
  const dots = /(?:\.\.\.|…)?$/.exec(text.slice(-3))?.[0] ?? '';
  const end = text.length - dots.length;
  const longest = values[0]?.length ?? 0;
  const last = text.slice(Math.max(0, end - longest), end);
  for (const value of values) {
    const begins = last.indexOf(value.slice(0, LEAST_CHARS));
    const cut = begins < 0 ? -1 : startOfCut(last, value, begins);
    if (cut >= 0) return `${text.slice(0, end - last.length + cut)}${HIDDEN}${dots}`;
  }
  return text;
}

/** Where the beginning of a value stands at the very end of a text; -1: nowhere. */
function startOfCut(text: string, value: string, from: number): number {
  for (let start = from; start >= 0 && start <= text.length - LEAST_CHARS; start = text.indexOf(value.slice(0, LEAST_CHARS), start + 1)) {
    if (value.startsWith(text.slice(start))) return start;
  }
  return -1;
}
