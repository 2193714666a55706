/** The first key that an object of a valid JSON text names twice, or null. `JSON.parse` keeps the last of them and drops the others without a word. */
export function duplicateKey(json: string): string | null {
  const open: Set<string>[] = [];
  let text = '';
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '{' || char === '[') open.push(new Set());
    else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = endOfText(json, at);
      text = json.slice(at, end + 1);
      at = end;
    } else if (char === ':') {
      // What stands before a colon is a key; two spellings of one key are told apart only once they are read.
      const key: string = JSON.parse(text);
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return null;
}

/** Of the closing quote. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
