import { nameOf, type Repository } from '../repository.ts';
import type { Tool } from '../tools/tool.ts';

export interface NewSuppression {
  readonly path: string;
  readonly word: string;
  /** The claimed text without it; null if it cannot be cut out. */
  readonly text: string | null;
}

interface Trees {
  readonly base: Repository;
  readonly claimed: Repository;
  readonly tools: readonly Tool[];
}

/** One line with a suppression. */
interface Suppression {
  readonly line: string;
  /** Includes the next line if the suppression is alone on its line, because it applies to that line. */
  readonly whole: string;
}

/**
 * The files with a new suppression that a tool obeys. An old suppression may move within its file; from another file it may come only together with the line
 * it applies to.
 */
export async function newSuppressions(changes: readonly { readonly path: string }[], { base, claimed, tools }: Trees): Promise<readonly NewSuppression[]> {
  const wordsFor = obeyedBy(tools);
  const found: { readonly path: string; readonly text: string; readonly words: readonly string[]; readonly fresh: readonly Suppression[] }[] = [];
  const lost = new Map<string, number>();
  for (const { path } of changes) {
    const words = wordsFor(path);
    if (words.length === 0) continue;
    // Files of any size: tools also obey a suppression at the end of a large file.
    const text = (await claimed.read(path)) ?? '';
    const before = suppressionsIn((await base.read(path)) ?? '', words);
    const after = suppressionsIn(text, words);
    count(
      lost,
      without(before, after).map(({ whole }) => whole),
    );
    found.push({ path, text, words, fresh: without(after, before) });
  }
  return found.flatMap(({ path, text, words, fresh }) => {
    const lines = fresh.filter(({ whole }) => !taken(lost, whole)).map(({ line }) => line);
    const word = words.find((each) => lines[0]?.includes(each));
    return word === undefined ? [] : [{ path, word: word.replace(/^[#/*![ ]+|[\]( ]+$/g, ''), text: withoutSuppressions(text, words, lines) }];
  });
}

/** The suppressions that the second list does not have, counted as often as they occur. */
function without(some: readonly Suppression[], others: readonly Suppression[]): readonly Suppression[] {
  const open = new Map<string, number>();
  count(
    open,
    others.map(({ line }) => line),
  );
  return some.filter(({ line }) => !taken(open, line));
}

function count(lines: Map<string, number>, more: readonly string[]): void {
  for (const line of more) lines.set(line, (lines.get(line) ?? 0) + 1);
}

function taken(lines: Map<string, number>, line: string): boolean {
  const left = lines.get(line) ?? 0;
  if (left > 0) lines.set(line, left - 1);
  return left > 0;
}

/** The suppressions that the tools of a gate obey in a file; empty if no tool reads it. */
function obeyedBy(tools: readonly Tool[]): (path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const name = nameOf(path);
    const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
    const words = known.get(ending) ?? [...new Set(tools.filter((tool) => tool.endings?.includes(ending)).flatMap((tool) => tool.suppressions ?? []))];
    known.set(ending, words);
    return words;
  };
}

function suppressionsIn(text: string, words: readonly string[]): readonly Suppression[] {
  if (!words.some((word) => text.includes(word))) return [];
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const found = placeIn(line, words);
    if (found === null) return [];
    const isAlone = /^[\s{]*(?:\/\/|\/\*|\*|#|<!--)/.test(line) || line.slice(0, found.at).trim() === '';
    return [{ line: line.trim(), whole: isAlone ? `${line.trim()}\n${lines[at + 1]?.trim() ?? ''}` : line.trim() }];
  });
}

interface InLine {
  readonly word: string;
  readonly at: number;
}

/** The first suppression of a line: after a comment sign, alone on its line, or an attribute. In doubt it counts as one. */
function placeIn(line: string, words: readonly string[]): InLine | null {
  const sign = line.search(/\/\/|\/\*|#|<!--|--/);
  for (const word of words) {
    // Before the first comment sign it is a string or a name, however often it occurs.
    const at = /^[#/]/.test(word) || sign === -1 ? line.indexOf(word) : line.indexOf(word, sign);
    if (at !== -1 && (sign !== -1 || /^[\s*]*$/.test(line.slice(0, at)))) return { word, at };
  }
  return null;
}

/** The text without these suppressions; each line is given as often as it has to be cut. Null if one cannot be cut out of its line. */
function withoutSuppressions(text: string, words: readonly string[], fresh: readonly string[]): string | null {
  const open = new Map<string, number>();
  count(open, fresh);
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const cut = taken(open, line.trim()) ? cutLine(line, words) : line;
    if (cut === null) return null;
    if (cut === line || cut.trim() !== '') lines.push(cut);
  }
  return lines.join('\n');
}

/** The line without comments and attributes that suppress; null if one has no clear end. */
function cutLine(line: string, words: readonly string[]): string | null {
  let rest: string | null = line;
  for (let turn = 0; rest !== null && turn < 10; turn += 1) {
    const found = placeIn(rest, words);
    if (found === null) return rest;
    rest = cutOnce(rest, found);
  }
  return null;
}

function cutOnce(line: string, found: InLine): string | null {
  if (/^#!?\[/.test(found.word)) return cutAttribute(line, found.at);
  const start = startOfComment(line, found);
  if (start === -1) return null;
  if (!/^(?:\{?\/\*|<!--)/.test(line.slice(start))) return line.slice(0, start).trimEnd() + (line.endsWith('\r') ? '\r' : '');
  const sign = line.startsWith('<!--', start) ? '-->' : '*/';
  const close = line.indexOf(sign, found.at);
  // A comment that continues on the next line is not cut.
  if (close === -1) return null;
  const rest = line.slice(close + sign.length);
  return line.slice(0, start).trimEnd() + (line.startsWith('{', start) ? rest.replace(/^\s*\}/, '') : rest);
}

/** The start of the comment that contains the word: the last comment sign before it. */
function startOfComment(line: string, { word, at }: InLine): number {
  if (/^[#/]/.test(word)) return at;
  const before = line.slice(0, at);
  const start = Math.max(before.lastIndexOf('//'), before.lastIndexOf('/*'), before.lastIndexOf('#'), before.lastIndexOf('<!--'));
  return start > 0 && before.charAt(start - 1) === '{' && before.startsWith('/*', start) ? start - 1 : start;
}

function cutAttribute(line: string, at: number): string | null {
  const close = line.indexOf(']', at);
  return close === -1 ? null : line.slice(0, at) + line.slice(close + 1).trimStart();
}
