/** A parsed YAML or JSON text with offsets, as much of it as plans need. `end` is behind the last character. */
export type Sheet = SheetText | SheetList | SheetMap;

interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface SheetText extends Stretch {
  readonly kind: 'text';
  readonly value: string | number | boolean | null;
  /** A number as it is written, so that the name 1.10 does not become 1.1. */
  readonly source: string;
}

export interface SheetList extends Stretch {
  readonly kind: 'list';
  readonly items: readonly Sheet[];
  /** Whether it is written in brackets. */
  readonly isFlow: boolean;
}

export interface SheetMap extends Stretch {
  readonly kind: 'map';
  readonly pairs: readonly SheetPair[];
  readonly isFlow: boolean;
}

export interface SheetPair extends Stretch {
  readonly key: string;
  /** The offset behind the colon. */
  readonly afterColon: number;
  readonly value: Sheet;
  /** False for pairs of another map, by a merge key. */
  readonly isOwn: boolean;
}

/** Deeper than any plan; the library's stack overflows far beyond it. */
export const DEEPEST = 50;

export function pairOf(map: SheetMap, key: string): SheetPair | null {
  for (const pair of map.pairs) if (pair.key === key) return pair;
  return null;
}

/** The value of the first of these keys that exists; null when there is none, or it is empty. */
export function valueAt(map: SheetMap, ...keys: readonly string[]): Sheet | null {
  for (const key of keys) {
    const value = pairOf(map, key)?.value;
    if (value !== undefined && !isNothing(value)) return value;
  }
  return null;
}

function isNothing(sheet: Sheet): boolean {
  return sheet.kind === 'text' && sheet.value === null;
}

/** Null for a list, a map, or an empty value. */
export function textOf(sheet: Sheet): string | null {
  if (sheet.kind !== 'text' || sheet.value === null) return null;
  return typeof sheet.value === 'string' ? sheet.value : sheet.source;
}
