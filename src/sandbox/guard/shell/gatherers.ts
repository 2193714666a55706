import type { Stream } from '../step.ts';
import { HOLE, MADE } from './holes.ts';
import { findStarts, isFindFiltered } from './printed.ts';

/** The most lines of input that are handled one by one. */
const MOST_LINES = 256;

/** The commands that `find`, `xargs` and `parallel` run with what they find or read. */
export function gatheredBy(name: string, args: readonly string[], input: Stream | null): readonly (readonly string[])[] {
  if (name === 'find') return foundCommands(args);
  if (name === 'xargs' || name === 'gxargs') return xargsCommands(args, input);
  return name === 'parallel' ? parallelCommands(args, input) : [];
}

/** Each `-exec … ;` with the paths it gets. */
function foundCommands(args: readonly string[]): readonly (readonly string[])[] {
  const starts = findStarts(args);
  const isFiltered = isFindFiltered(args);
  const found = starts.map((start) => (isFiltered ? `${start.replace(/\/$/, '')}/${MADE}` : start));
  const commands: string[][] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(args[at] ?? '')) continue;
    const end = args.findIndex((word, index) => index > at && (word === ';' || word === '+'));
    const command = args.slice(at + 1, end === -1 ? args.length : end);
    commands.push(command.flatMap((word) => (word === '{}' ? found : [word.replaceAll('{}', () => found[0] ?? MADE)])));
    at = end === -1 ? args.length : end;
  }
  return commands;
}

const XARGS_VALUES = /^-[InPLdsaE]$|^--(max-args|max-procs|max-lines|delimiter|arg-file|replace|max-chars|eof)$/;

function xargsCommands(args: readonly string[], input: Stream | null): readonly (readonly string[])[] {
  const { sign, command } = xargsWords(args);
  if (command.length === 0) return [];
  const given = itemsOf(input, sign === null);
  if (sign === null) return [[...command, ...given]];
  return given.map((item) => command.map((word) => word.replaceAll(sign, () => item)));
}

/** The command that xargs runs, and the placeholder for an item; null: items come last. */
function xargsWords(args: readonly string[]): { readonly sign: string | null; readonly command: readonly string[] } {
  let at = 0;
  let sign: string | null = null;
  while (args[at]?.startsWith('-')) {
    const word = args[at] ?? '';
    const next = args[at + 1] ?? '{}';
    sign = signOf(word, next) ?? sign;
    at += XARGS_VALUES.test(word) ? 2 : 1;
  }
  return { sign, command: args.slice(at) };
}

function signOf(word: string, next: string): string | null {
  if (word === '-I') return next;
  if (word.startsWith('-I')) return word.slice(2);
  return word === '-i' || word.startsWith('--replace') ? '{}' : null;
}

function parallelCommands(args: readonly string[], input: Stream | null): readonly (readonly string[])[] {
  const mark = args.findIndex((word) => /^:::/.test(word));
  const start = args.findIndex((word) => !word.startsWith('-') && !/^\d+$/.test(word));
  const command = args.slice(start === -1 ? 0 : start, mark === -1 ? args.length : mark);
  const given = mark === -1 ? itemsOf(input, false) : args.slice(mark + 1);
  const words = command.flatMap((word) => word.split(/\s+/));
  const takes = words.some((word) => word.includes('{}'));
  return given.slice(0, MOST_LINES).map((item) => (takes ? words.map((word) => word.replaceAll('{}', () => item)) : [...words, item]));
}

/** The input, split into words or lines. */
function itemsOf(input: Stream | null, asWords: boolean): readonly string[] {
  if (input === null) return [];
  if (input.text === null) return [MADE];
  const items = input.text.split(asWords ? /\s+/ : '\n').filter((item) => item !== '');
  return items.length > MOST_LINES ? [...items.slice(0, MOST_LINES), HOLE] : items;
}
