import { redact } from './redact.ts';

const HIDDEN = '[redacted]';
/** What is shorter is no secret, only a word that others use too. */
const LEAST_CHARS = 8;

/** Takes out of a line what nobody should read over the operator's shoulder: the given values, also where the line was cut inside one, and whatever looks like a key. */
export function openSecretHider(secrets: readonly string[]): (text: string) => string {
  const values = knownValues(secrets);
  return (text) => redact(values.reduce(withoutValue, text));
}

/** A secret of several lines is seen line by line, and one with quotes as JSON spells it. The longest first: one may be the beginning of another. */
function knownValues(secrets: readonly string[]): readonly string[] {
  const spelled = secrets.flatMap((secret) => [...secret.split(/\r?\n/), JSON.stringify(secret).slice(1, -1)]);
  const values = new Set(spelled.map((value) => value.trim()).filter((value) => value.length >= LEAST_CHARS));
  return [...values].sort((a, b) => b.length - a.length);
}

function withoutValue(text: string, value: string): string {
  // Nearly every line ends here.
  if (!text.includes(value.slice(0, LEAST_CHARS))) return text;
  return withoutCutValue(text.replaceAll(value, HIDDEN), value);
}

/** Long lines were cut before they came here, and their dots may stand in the middle of a secret. */
function withoutCutValue(text: string, value: string): string {
  const dots = /(?:\.\.\.|…)?$/.exec(text)?.[0] ?? '';
  const end = text.length - dots.length;
  for (let length = Math.min(value.length - 1, end); length >= LEAST_CHARS; length -= 1) {
    if (text.startsWith(value.slice(0, length), end - length)) return `${text.slice(0, end - length)}${HIDDEN}${dots}`;
  }
  return text;
}
