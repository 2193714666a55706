import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A list of stories is four levels deep. Much deeper JSON could be read, but writing it again would overflow the stack. */
const DEEPEST = 64;
const LONGEST_COMPLAINT = 160;

/** The object of a JSON text, or why it is not one. */
export function readJsonObject(text: string): { readonly value: JsonObject; readonly problem: null } | { readonly value: null; readonly problem: string } {
  const no = (problem: string) => ({ value: null, problem });
  if (isTooDeep(text)) return no(`tasks.json is nested more than ${DEEPEST} deep`);
  try {
    // An editor may have added a byte order mark.
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    return isJsonObject(value) ? { value: withoutProto(value), problem: null } : no('tasks.json is not a JSON object');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return no(`tasks.json is not valid JSON: ${truncateCodePoints(oneLine(why), LONGEST_COMPLAINT, '…')}`);
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes the key `__proto__`: copying such an object by assignment would change its prototype. */
export function withoutProto(value: JsonObject): JsonObject {
  return Object.hasOwn(value, '__proto__') ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__')) : value;
}

export function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
