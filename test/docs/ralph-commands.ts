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

/** What is said of Ralph, in messages that do not mean a command. */
const PROSE = new Set(['alone', 'canary', 'does', 'here', 'is', 'itself', 'knows', 'needs', 'on', 'says', 'that', 'to', 'version', 'was', 'wrote']);

/**
 * Every mention of a command in the strings of a source file, also in the middle of a sentence: `ralph`, a command, and what follows as long as it belongs
 * to a command line (flags and their values, subcommands, values to fill in). `isCommandWord` tells whether a lower-case word does.
 */
export function mentionsInSource(source: string, isCommandWord: IsCommandWord): readonly PrintedCommand[] {
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(text)) return [];
    return [...text.replace(/ \/\/ .*$/, '').matchAll(/(?<![\w./-])ralph (?=[a-z-])/g)].flatMap((match) => {
      const words = wordsOfMention(text.slice(match.index + match[0].length), isCommandWord);
      return words.length === 0 || PROSE.has(words[0] ?? '') ? [] : { line: index + 1, text: ['ralph', ...words, andSoOn].join(' ') };
    });
  });
}

type IsCommandWord = (before: readonly string[], word: string) => boolean;

function wordsOfMention(text: string, isCommandWord: IsCommandWord): readonly string[] {
  const words: string[] = [];
  for (const [token = ''] of text.matchAll(/(?:"[^"]*"|\$\{[^}]*\}|[^\s"'`\\])+|[^ ]/gs)) {
    const [, word = '', end = ''] = /^(.*?)([.;:,!?)]*)$/s.exec(token) ?? [];
    if (!goesOn(words, word, isCommandWord)) break;
    words.push(word);
    if (end !== '') break;
  }
  return words;
}

/** A dash alone is punctuation. */
function goesOn(before: readonly string[], word: string, isCommandWord: IsCommandWord): boolean {
  if (word === '' || word === '-' || (before.length > 0 && PROSE.has(word))) return false;
  return /^["<$A-Z-]/.test(word) || word === andSoOn || isCommandWord(before, word);
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
