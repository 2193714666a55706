import type { CST } from 'yaml';

/** Where the first list or map stands that has too many around it; null when none has. Without recursion: how deep it goes is the question. */
export function tooDeep(tokens: readonly CST.Token[], most: number): number | null {
  let level = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return level[0]?.offset ?? 0;
    level = level.flatMap(insideOf);
  }
  return null;
}

function insideOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value]).filter((inside) => inside !== undefined && inside !== null);
}
