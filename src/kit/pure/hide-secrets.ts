import { HIDDEN, redact } from './redact.ts';

/** Removes secrets from a text. */
export type HideSecrets = (text: string) => string;

/** Shorter values are common words, not secrets. */
const LEAST_CHARS = 8;

/** Hides the given values, even if the text was cut inside one, and everything that looks like a key. */
export function openSecretHider(secrets: readonly string[]): HideSecrets {
  const values = knownValues(secrets);
  const withoutValues = openReplacer(values, LEAST_CHARS, HIDDEN);
  return (text) => redact(withoutCutValue(withoutValues(text), values));
}

/** The same for a text of many lines, handled one by one. The result does not depend on how many lines come at a time. */
export function openLinesHider(secrets: readonly string[]): HideSecrets {
  const withoutValues = openReplacer(knownValues(secrets), LEAST_CHARS, HIDDEN);
  return (text) => withoutValues(text).split('\n').map(redactedLine).join('\n');
}

/** A line with carriage returns is handled as several lines. */
function redactedLine(line: string): string {
  return line.includes('\r') ? line.split('\r').map(redact).join('\r') : redact(line);
}

/** A secret of several lines is searched line by line. Longest first, because one may be the beginning of another. */
function knownValues(secrets: readonly string[]): readonly string[] {
  const whole = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]).map((value) => value.trim());
  const spelled = whole.filter(mayBeSecret).flatMap(spellingsOf);
  return [...new Set(spelled.filter((value) => value.length >= LEAST_CHARS && !/[\r\n]/.test(value)))].sort((a, b) => b.length - a.length);
}

/** PEM markers are not secret, and they are needed to find the key between them. */
function mayBeSecret(value: string): boolean {
  return value.length >= LEAST_CHARS && !/^-----[^-\n]*-----$/.test(value);
}

/** Long lines were cut before, and the dots of the cut may be in the middle of a secret. */
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

/** Where a text ends with the beginning of a value; -1 if it does not. */
function startOfCut(text: string, value: string, from: number): number {
  for (let start = from; start >= 0 && start <= text.length - LEAST_CHARS; start = text.indexOf(value.slice(0, LEAST_CHARS), start + 1)) {
    if (value.startsWith(text.slice(start))) return start;
  }
  return -1;
}

const TABLE = 1 << 16;

/**
 * Replaces many values in one pass over a text; where several begin, the longest. Each has at least `least` characters, two or more. It compares
 * pairs of characters from the end and skips ahead if a pair is in no value, so the time hardly depends on the number of values.
 */
export function openReplacer(values: readonly string[], least: number, by: string): (text: string) => string {
  if (values.length === 0) return (text) => text;
  const skips = new Uint8Array(TABLE).fill(Math.min(least - 1, 255));
  const ending = new Map<number, string[]>();
  for (const value of [...values].sort((a, b) => b.length - a.length)) {
    for (let at = 1; at < least; at += 1) {
      const pair = pairAt(value, at);
      skips[pair] = Math.min(skips[pair] ?? 0, least - 1 - at);
    }
    const last = pairAt(value, least - 1);
    ending.set(last, [...(ending.get(last) ?? []), value]);
  }
  const valueAt = (text: string, pair: number, start: number) => ending.get(pair)?.find((value) => text.startsWith(value, start));

  return (text) => {
    let replaced = '';
    let done = 0;
    let at = least - 1;
    while (at < text.length) {
      const pair = pairAt(text, at);
      const skip = skips[pair] ?? 0;
      const start = at - least + 1;
      const found = skip > 0 ? undefined : valueAt(text, pair, start);
      if (found === undefined) {
        at += Math.max(1, skip);
        continue;
      }
      replaced += `${text.slice(done, start)}${by}`;
      done = start + found.length;
      at = done + least - 1;
    }
    return done === 0 ? text : replaced + text.slice(done);
  };
}

/** Two pairs may have the same hash; that only costs an extra comparison. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 251 + text.charCodeAt(at)) & (TABLE - 1);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Other spellings of a secret: in JSON, in JSON inside JSON, in a URL, and in base64 at any offset. */
function spellingsOf(secret: string): readonly string[] {
  const wellFormed = secret.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  const bytes = asBytes(wellFormed);
  const json = quoted(secret);
  const inBase64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  return [secret, json, quoted(json), encodeURIComponent(wellFormed), bytes, ...inBase64, ...inBase64.map(urlSafe)];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Its UTF-8 with one character per byte, as it appears in output that is not valid UTF-8. */
function asBytes(text: string): string {
  return encodeURIComponent(text).replaceAll(/%([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Only the base64 characters that do not depend on the neighbours: three bytes become four characters, so there are three offsets. */
function base64Within(bytes: string, before: number): string {
  const all = base64('\0'.repeat(before) + bytes);
  return all.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

function base64(bytes: string): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const three = (bytes.charCodeAt(at) << 16) | ((bytes.charCodeAt(at + 1) || 0) << 8) | (bytes.charCodeAt(at + 2) || 0);
    for (const shift of [18, 12, 6, 0]) text += ALPHABET[(three >> shift) & 63];
  }
  return text;
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}
