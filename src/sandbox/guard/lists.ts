import type { GuardLists } from '../../settings/schema/wall.ts';
import type { Step } from './step.ts';

/** What the operator's lists say of a command; null: nothing. */
export type ListWord = 'deny' | 'allow' | 'warn' | null;

/** A line of words each, read once for a whole command line. */
export type ReadLists = Readonly<Record<'deny' | 'allow' | 'warn', readonly (readonly string[])[]>>;

export function readLists({ allow, deny, warn }: GuardLists): ReadLists {
  const words = (lines: readonly string[]) => lines.map((line) => line.split(/\s+/).filter((word) => word !== '')).filter((line) => line.length > 0);
  return { allow: words(allow), deny: words(deny), warn: words(warn) };
}

/** By the words of the simple command, never by the text of the line: what is joined to an allowed command is not allowed with it. */
export function listWordFor(step: Step, lists: ReadLists): ListWord {
  if (step.name === '') return null;
  const isIn = (list: readonly (readonly string[])[]) => list.some((line) => begins(step, line));
  if (isIn(lists.deny)) return 'deny';
  if (isIn(lists.allow)) return 'allow';
  return isIn(lists.warn) ? 'warn' : null;
}

function begins({ name, program, args }: Step, line: readonly string[]): boolean {
  return matches([name, ...args], line) || (program !== name && matches([program, ...args], line));
}

/** A `*` alone stands for any number of words, in a word for any letters. The line may end before the words do. */
function matches(words: readonly string[], line: readonly string[]): boolean {
  let at = 0;
  let of = 0;
  let back: { readonly of: number; at: number } | null = null;
  while (of < line.length) {
    const wanted = line[of] ?? '';
    if (wanted === '*') {
      back = { of, at };
      of += 1;
    } else if (at < words.length && isLike(words[at] ?? '', wanted)) {
      at += 1;
      of += 1;
    } else if (back !== null && back.at < words.length) {
      back = { of: back.of, at: back.at + 1 };
      at = back.at;
      of = back.of + 1;
    } else return false;
  }
  return true;
}

function isLike(word: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return word === pattern;
  if (!word.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest.slice(0, -1)) {
    const found = word.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = rest.at(-1) ?? '';
  return word.length - last.length >= at && word.endsWith(last);
}
