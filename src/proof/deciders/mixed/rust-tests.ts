/** The test modules of a Rust source, and the rest. */
export interface RustParts {
  readonly tests: string;
  readonly rest: string;
}

const heading = /^#\[cfg\(test\)\]\s*(?:#\[[^\]\n]{0,200}\]\s*)*(?:pub\s+)?mod\s+\w+\s*\{/gm;
const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\br(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\[^'\n]{1,10}|\\')'|[{}]/g;

/** Cuts `#[cfg(test)] mod tests { … }` out of a source: unit tests are beside the code that they test. */
export function rustParts(text: string): RustParts {
  const tests: string[] = [];
  let rest = '';
  let from = 0;
  for (const found of text.matchAll(heading)) {
    if (found.index < from) continue;
    const end = endOfBlock(text, found.index + found[0].length);
    tests.push(text.slice(found.index, end));
    rest += text.slice(from, found.index);
    from = end;
  }
  return { tests: tests.join('\n\n'), rest: rest + text.slice(from) };
}

/** The position after the brace that closes the block, or the end of the text. */
function endOfBlock(text: string, start: number): number {
  let depth = 1;
  token.lastIndex = start;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '{') depth += 1;
    if (found[0] === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return text.length;
}
