/** What a text of YAML or JSON says, and where: as much of it as plans need. Offsets are of the text; `end` is behind the last character. */
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
  /** Behind the colon. */
  readonly afterColon: number;
  readonly value: Sheet;
  /** False for what another map has lent by a merge key. */
  readonly isOwn: boolean;
}

/** Deeper than any plan goes; far below it the library would run out of stack. */
export const DEEPEST = 50;

export function pairOf(map: SheetMap, key: string): SheetPair | null {
  for (const pair of map.pairs) if (pair.key === key) return pair;
  return null;
}

/** What the first of these keys that is there says; null when there is none of them, or nothing behind it. */
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

/** Null for a list or a map, and where nothing is said. */
export function textOf(sheet: Sheet): string | null {
  if (sheet.kind !== 'text' || sheet.value === null) return null;
  return typeof sheet.value === 'string' ? sheet.value : sheet.source;
}
