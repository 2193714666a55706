import { type ParsedScript, parse } from 'unbash';
import type { GuardLists } from '../../settings/schema/sandbox-spec.ts';
import { CATEGORIES, type CategoryNumber, type GuardFinding, type GuardPlace, type Objection, type Rule, type Verdict, verdictOf } from './rule.ts';
import { GENERAL_RULES, rulesFor } from './rules/all-rules.ts';
import { shown, withoutSigns } from './shell/holes.ts';
import { runWords } from './shell/run-words.ts';
import { type Around, openScope, type Shell, type Trouble } from './shell/shell.ts';
import { walkScript } from './shell/walk.ts';
import { type Step, UNKNOWN } from './step.ts';

const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The most findings reported for one line. */
const MOST_FINDINGS = 20;

/**
 * Judges whether a command line may run: reads it as a shell would, and judges each simple command in it. Never throws, and takes time in proportion to the
 * line's length.
 */
export function judgeCommand(line: string, place: GuardPlace): Verdict {
  const shell = openShell(place, line.length);
  shell.runText(withoutSigns(line), aroundOf(place));
  const lists = readLists(place.lists);
  const findings = new Map<string, GuardFinding>();
  for (const step of shell.steps) {
    for (const finding of findingsOf(step, place, lists)) findings.set(`${finding.rule} ${finding.part}`, finding);
    if (findings.size >= MOST_FINDINGS) break;
  }
  return verdictOf([...[...shell.troubles].map((trouble) => troubleFinding(trouble, line)), ...findings.values()]);
}

function openShell(place: GuardPlace, length: number): Shell {
  const shell: Shell = {
    place,
    steps: [],
    troubles: new Set(),
    budget: 4_000 + 4 * length,
    runText(text, around) {
      const script = parseLine(text);
      if (script !== null) return walkScript(script, shell, around);
      shell.troubles.add('unreadable');
      return UNKNOWN;
    },
    runScript: (script, around) => walkScript(script, shell, around),
    runWords: (words, around, extras) => runWords(words, shell, around, extras),
  };
  return shell;
}

function aroundOf({ cwd, home }: GuardPlace): Around {
  // PPID counts as process 1: an agent must not end the process that started it.
  const variables = { PPID: '1', HOME: home ?? '/root', SHELL: '/bin/bash', BASH: '/bin/bash', IFS: ' \t\n', TMPDIR: '/tmp', PATH: USUAL_PATH };
  return {
    scope: openScope(cwd, variables),
    input: null,
    isDetached: false,
    isPiped: false,
    isEndless: false,
    into: [],
    isInFile: false,
    isElsewhere: false,
    depth: 0,
    calling: [],
  };
}

function findingsOf(step: Step, place: GuardPlace, lists: ReadLists): readonly GuardFinding[] {
  const word = listWordFor(step, lists);
  if (word === 'allow') return [];
  if (word === 'deny') return [finding(LISTED, step, { level: 'block', why: 'The operator of this project does not allow this command; do it another way.' })];
  if (word === 'warn') return [finding(LISTED, step, { level: 'warn', why: 'The operator of this project wants this command used with care.' })];
  return [...rulesFor(step.name), ...GENERAL_RULES].flatMap((rule) => {
    const objection = rule.look(step, place);
    return objection === null ? [] : [finding(rule, step, objection)];
  });
}

const LISTED = { id: 'listed-by-the-project', category: 0 } as const;

function finding({ id, category }: Pick<Rule, 'id' | 'category'>, { part }: Step, { level, why }: Objection): GuardFinding {
  return { level, category, name: CATEGORIES[category], rule: id, why, part };
}

const TROUBLES: Readonly<Record<Trouble, string>> = {
  unreadable: 'This cannot be read as a shell would read it; write it more plainly, or into a script, and run that.',
  'too-deep': 'This is nested so deep that nobody can say what it does; write it as plain steps.',
  'too-much': 'This does more than can be looked at; do it in smaller steps.',
};

function troubleFinding(trouble: Trouble, line: string): GuardFinding {
  const category: CategoryNumber = 12;
  return { level: 'block', category, name: CATEGORIES[category], rule: `${trouble}-line`, why: TROUBLES[trouble], part: shown(line.slice(0, 200)) };
}

/** Longer lines are not parsed, because nobody could say what they do. */
const LONGEST_LINE = 128 * 1024;

/** Braces side by side cost the parser their number times their length. */
const MOST_BRACE_WORK = 40_000_000;
const MOST_HERE_DOCUMENTS_A_LINE = 200;

/** Parses a text as a shell would; null when it is too long or too complex to parse in time. Never throws. */
function parseLine(text: string): ParsedScript | null {
  if (text.length > LONGEST_LINE || isTangled(text)) return null;
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function isTangled(text: string): boolean {
  let work = 0;
  for (const run of text.matchAll(/\S+/g)) {
    const [word] = run;
    if (word.length > 200) work += word.length * countOf(word, '{');
    if (work > MOST_BRACE_WORK) return true;
  }
  return text.split('\n').some((line) => line.length > MOST_HERE_DOCUMENTS_A_LINE && line.split('<<').length > MOST_HERE_DOCUMENTS_A_LINE);
}

const countOf = (word: string, letter: string) => word.split(letter).length - 1;

/** What the operator's lists say about a command; null when no list names it. */
export type ListWord = 'deny' | 'allow' | 'warn' | null;

/** The entries of each list, split into words once for a whole command line. */
export type ReadLists = Readonly<Record<'deny' | 'allow' | 'warn', readonly (readonly string[])[]>>;

function readLists({ allow, deny, warn }: GuardLists): ReadLists {
  const words = (lines: readonly string[]) => lines.map((line) => line.split(/\s+/).filter((word) => word !== '')).filter((line) => line.length > 0);
  return { allow: words(allow), deny: words(deny), warn: words(warn) };
}

/** Matches the words of the simple command, never the text of the line: a command that is joined to an allowed one is not allowed with it. */
function listWordFor(step: Step, lists: ReadLists): ListWord {
  if (step.name === '') return null;
  const isIn = (list: readonly (readonly string[])[]) => list.some((line) => begins(step, line));
  if (isIn(lists.deny)) return 'deny';
  if (isIn(lists.allow)) return 'allow';
  return isIn(lists.warn) ? 'warn' : null;
}

function begins({ name, program, args }: Step, line: readonly string[]): boolean {
  return matches([name, ...args], line) || (program !== name && matches([program, ...args], line));
}

/** A `*` alone stands for any number of words; in a word, for any characters. The entry may end before the command does. */
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
