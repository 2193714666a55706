/** Enough to see list markers, a fence or a quote sign; what follows cannot change what a line is. */
const headChars = 200;

/**
 * A quote sign or a fence. Agents put both under list items, so any indentation and any list markers may come first; but tildes only count at the
 * line's start, for compilers underline their errors with indented ones.
 */
const opener = /^(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(>|`{3,})|(~{3,}))/;
const onlyFence = /^(?:`{3,}|~{3,})$/;

/**
 * Tells, line by line and in order, whether a line is quoted: in a block quote (`>`), or in a fenced code block with its fences. A fence that is
 * never closed reaches to the end. Indentation alone is no code: agents indent under list items, and wrappers indent whole logs.
 */
export function openQuotedLines(): (line: string) => boolean {
  let fence: string | null = null;
  return (line) => {
    if (fence !== null) {
      if (closes(line, fence)) fence = null;
      return true;
    }
    const sign = openingSign(line);
    if (sign !== '>') fence = sign;
    return sign !== null;
  };
}

/** `>`, or the fence that begins here. A line that holds the fence's character again is inline code or a banner, not the start of a block. */
function openingSign(line: string): string | null {
  const found = opener.exec(line.slice(0, headChars));
  const sign = found?.[1] ?? found?.[2];
  if (found === null || sign === undefined) return null;
  return sign !== '>' && line.includes(sign.charAt(0), found[0].length) ? null : sign;
}

function closes(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.startsWith(fence) && bare.length <= headChars && onlyFence.test(bare);
}
