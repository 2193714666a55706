/** Merges two JSON values: objects key by key; everything else, also arrays, is replaced. */
export function deepMerge(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  if (!isRecord(base) || !isRecord(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    Object.defineProperty(merged, key, {
      value: deepMerge(Object.hasOwn(base, key) ? base[key] : undefined, value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets the value at a key such as `agent.model`. */
export function setAt(target: Record<string, unknown>, key: string, value: unknown): void {
  const [group = '', inside] = key.split('.');
  target[group] = inside === undefined ? value : { ...Object(target[group]), [inside]: value };
}

/** The first key that an object of a valid JSON text names twice, or null. `JSON.parse` keeps the last of them and drops the others without a word. */
export function duplicateKey(json: string): string | null {
  const open: Set<string>[] = [];
  let before = '';
  for (const token of tokensOf(json)) {
    if (token === '{' || token === '[') open.push(new Set());
    if (token === '}' || token === ']') open.pop();
    if (token === ':') {
      // The text before a colon is a key. It is parsed, because one key can be written in several ways.
      const key: string = JSON.parse(before);
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
    before = token;
  }
  return null;
}

/** Quoted texts, brackets and colons. Not a regular expression, because a long text would overflow its stack. */
function* tokensOf(json: string): Generator<string> {
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    const end = char === '"' ? endOfText(json, at) : at;
    if ('"{}[]:'.includes(char)) yield json.slice(at, end + 1);
    at = end;
  }
}

/** The position of the closing quote. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
