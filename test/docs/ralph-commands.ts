import { splitMarkdown } from './markdown.ts';
import { shellCommands } from './shell-words.ts';

export interface PrintedCommand {
  readonly line: number;
  readonly text: string;
}

/** A value the reader is to fill in; the parser takes it for any value. */
export const placeholder = '\u00abvalue\u00bb';
/** "and so on": what follows is left to the reader, so nothing may be missing there. */
export const andSoOn = '…';

const shells = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);
const begins = /^(?:\w+=\S*\s+)*(?:(?:npx|setsid)\s+)?ralph\s/;

/**
 * The `ralph …` commands a page shows: lines of shell blocks (only those after `$ ` if the block has such lines, for the rest is output)
 * and inline code that begins with `ralph `. Lines that end in a backslash go on.
 */
export function commandsInMarkdown(markdown: string): readonly PrintedCommand[] {
  const { prose, blocks } = splitMarkdown(markdown);
  const inBlocks = blocks.filter((block) => shells.has(block.language)).flatMap(({ lines }) => commandsInShell(lines));
  const inProse = prose.flatMap(({ number, text }) => codeSpansOf(text).map((span) => ({ line: number, text: span })));
  return [...inBlocks, ...inProse.filter(({ text }) => begins.test(text))].toSorted((a, b) => a.line - b.line);
}

interface Line {
  readonly number: number;
  readonly text: string;
}

function commandsInShell(lines: readonly Line[]): readonly PrintedCommand[] {
  const whole = joinContinued(lines);
  const isTyped = whole.some(({ text }) => text.trimStart().startsWith('$ '));
  const typed = whole.flatMap(({ number, text }) => {
    const trimmed = text.trimStart();
    if (isTyped && !trimmed.startsWith('$ ')) return [];
    return { line: number, text: trimmed.replace(/^\$ /, '') };
  });
  return typed.filter(({ text }) => shellCommands(text).some((words) => begins.test(`${words.join(' ')} `)));
}

function joinContinued(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = [];
  let open = false;
  for (const { number, text } of lines) {
    const last = joined.at(-1);
    if (open && last) joined[joined.length - 1] = { number: last.number, text: `${last.text} ${text.trim().replace(/\\$/, '')}` };
    else joined.push({ number, text: text.replace(/\\$/, '') });
    open = text.endsWith('\\');
  }
  return joined;
}

const codeSpansOf = (text: string) => [...text.matchAll(/(`+)(.+?)\1(?!`)/g)].map((match) => (match[2] ?? '').trim());

/** The commands a source file shows people: code spans in its strings. Comments are for us and may look ahead. */
export function commandsInSource(source: string): readonly PrintedCommand[] {
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(text)) return [];
    return [...text.matchAll(/\\?`(ralph\s[^`\\]+)\\?`/g)].map((match) => ({ line: index + 1, text: match[1] ?? '' }));
  });
}

/**
 * What a printed command stands for, as arguments without `ralph` itself. `<id>`, `${id}` and BARE CAPITALS are values to fill in,
 * `[x]` is read both with and without x, `a|b` as a and as b, `…` and `...` as "and so on".
 */
export function readingsOf(text: string): readonly (readonly string[])[] {
  const plain = text.replaceAll(/\$\{[^}]*\}|<[A-Za-z][^<>|]*>/g, placeholder).replaceAll(/<([A-Za-z][^<>]*\|[^<>]*)>/g, '$1');
  const spelled = withAndWithout(plain).flatMap((reading) => shellCommands(reading.replaceAll('...', andSoOn)).map(withoutPrefix));
  const readings = spelled.flatMap((words) => (words === null ? [] : choices(words.flatMap(spell))));
  return [...new Map(readings.map((words) => [words.join(' '), words])).values()];
}

function withAndWithout(text: string): readonly string[] {
  const innermost = /\[([^[\]]*)\]/.exec(text);
  if (!innermost) return [text];
  const [before, after] = [text.slice(0, innermost.index), text.slice(innermost.index + innermost[0].length)];
  return [...withAndWithout(`${before}${innermost[1]}${after}`), ...withAndWithout(`${before}${after}`)];
}

function withoutPrefix(words: readonly string[]): readonly string[] | null {
  const start = words.findIndex((word) => !/^\w+=/.test(word) && word !== 'npx' && word !== 'setsid');
  return words[start] === 'ralph' ? words.slice(start + 1) : null;
}

/** One printed word as the words it stands for; `<file>…` is a value and more of them. */
function spell(word: string): readonly string[] {
  if (word !== andSoOn && word.endsWith(andSoOn)) return [...spell(word.slice(0, -1)), andSoOn];
  return [/^[A-Z][A-Z0-9_-]*$/.test(word) ? placeholder : word];
}

function choices(words: readonly string[]): readonly (readonly string[])[] {
  const [first, ...rest] = words;
  if (first === undefined) return [[]];
  const heads = /^[\w-]+(?:\|[\w-]+)+$/.test(first) ? first.split('|') : [first];
  return heads.flatMap((head) => choices(rest).map((tail) => [head, ...tail]));
}
