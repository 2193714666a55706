import { plainValue } from '../sheet/plain-value.ts';

export type FieldValue = string | number | boolean | null | readonly string[];

/** What any reader of YAML, also an old one, takes for nothing but a text. */
const PLAIN = /^[\p{L}_(][\p{L}\p{N} _./()+=;…–-]*$/u;
const MEANT_BY_OLD_YAML = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Characters that JSON leaves as they are and YAML does not print. */
const UNPRINTED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** In one line, for brackets as well. */
export function inYaml(value: FieldValue): string {
  if (typeof value === 'string') return isPlain(value) ? value : quoted(value);
  return typeof value === 'object' && value !== null ? `[${value.map(inYaml).join(', ')}]` : String(value);
}

export function inJson(value: FieldValue): string {
  return typeof value === 'object' && value !== null ? `[${value.map((text) => JSON.stringify(text)).join(', ')}]` : JSON.stringify(value);
}

export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(UNPRINTED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text of several lines as people write it; null when it has to be quoted. */
export function inLines(text: string, indent: number): readonly string[] | null {
  const lines = text.split('\n');
  const isOdd = lines.length < 2 || text.trim() !== text || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff]/u.test(lines.join(''));
  return isOdd ? null : ['|-', ...lines.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`))];
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(' ') && !MEANT_BY_OLD_YAML.test(text) && plainValue(text) === text;
}
