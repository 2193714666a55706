import { isDeepStrictEqual } from 'node:util';

/** Whether a text is JSON with this value, whatever its layout. */
export function isSameJson(text: string | null, value: unknown): boolean {
  if (text === null) return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
  } catch {
    return false;
  }
}
