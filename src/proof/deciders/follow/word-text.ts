import { parse, type Word, type WordPart } from 'unbash';
import { folderOf } from '../repository.ts';

/** What is known at the place of a word. */
export interface Scope {
  readonly variables: ReadonlyMap<string, string>;
  /** The path of the script; empty for a command line. */
  readonly script: string;
  readonly cwd: string | null;
}

/** A word as the shell would see it, as far as that is known. For a loop variable it is a glob of all its values. */
export function textOf(word: Word, scope: Scope): string {
  return word.parts === undefined ? word.value : word.parts.map((part) => partText(part, scope)).join('');
}

function partText(part: WordPart, scope: Scope): string {
  switch (part.type) {
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((inner) => partText(inner, scope)).join('');
    case 'SimpleExpansion':
      return scope.variables.get(part.text.slice(1)) ?? known(part.text);
    case 'ParameterExpansion':
      return expanded(part, scope) ?? defaultOf(part) ?? known(part.text);
    case 'CommandExpansion':
      return substituted(part, scope);
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'ArithmeticExpansion':
    case 'BraceExpansion':
    case 'ExtendedGlob':
    case 'Glob':
    case 'ProcessSubstitution':
      return part.text;
  }
}

/** `${f}`, and the results of `%`, `#` and `/`. */
function expanded({ parameter, operation }: Extract<WordPart, { type: 'ParameterExpansion' }>, scope: Scope): string | null {
  const value = scope.variables.get(parameter);
  if (value === undefined) return null;
  if (operation?.type === 'Replace') return value.replace(textOf(operation.pattern, scope), () => textOf(operation.replacement, scope));
  if (operation?.type !== 'Remove') return value;
  const cut = textOf(operation.operand, scope);
  return operation.operator.startsWith('%') ? beforeEnd(value, cut) : behindStart(value, cut);
}

function beforeEnd(value: string, cut: string): string {
  if (cut.startsWith('.*')) return value.replace(/\.[^./]*$/, '');
  return cut === '/*' ? folderOf(value) : withoutEnd(value, cut);
}

function behindStart(value: string, cut: string): string {
  if (cut === '*/') return value.slice(value.lastIndexOf('/') + 1);
  return value.startsWith(cut) ? value.slice(cut.length) : value;
}

const withoutEnd = (text: string, end: string) => (end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text);

/** `${X:-x}` is x unless X is set. */
function defaultOf({ operation }: Extract<WordPart, { type: 'ParameterExpansion' }>): string | null {
  return operation?.type === 'Default' && operation.operator.endsWith('-') ? operation.operand.value : null;
}

/** PWD is the working folder; other variables stay as they are written. */
const known = (text: string) => (/^\$\{?PWD\}?$/.test(text) ? '.' : text);

/** The substitutions with which scripts find their own folder, the top of the project, and the files of a loop. */
function substituted({ text }: Extract<WordPart, { type: 'CommandExpansion' }>, scope: Scope): string {
  if (text.includes('dirname') && scope.script !== '') return upFrom(scope.cwd ?? '', folderOf(scope.script));
  if (text.includes('rev-parse --show-toplevel')) return upFrom(scope.cwd ?? '', '');
  if (/^\$\(pwd( -P)?\)$/.test(text)) return '.';
  return (/^\$\((?:basename|ls|find)\s/.test(text) ? listed(wordsIn(text.slice(2, -1), scope)) : null) ?? text;
}

/** The result of `basename`, `ls` or `find`, as far as names tell. */
function listed([name, ...rest]: readonly string[]): string | null {
  const [first, second = '', ...more] = rest.filter((word) => !word.startsWith('-'));
  if (name === 'find') return `${first ?? '.'}/**/${rest[rest.findIndex((word) => /^-i?name$/.test(word)) + 1] ?? '*'}`;
  if (first === undefined) return null;
  return name === 'ls' ? anyOf([first, second, ...more].filter((word) => word !== '')) : withoutEnd(first.slice(first.lastIndexOf('/') + 1), second);
}

/** The words of the first command only. */
function wordsIn(line: string, scope: Scope): readonly string[] {
  const command = parse(line).commands[0]?.command;
  const first = command?.type === 'Pipeline' ? command.commands[0] : command;
  if (first?.type !== 'Command') return [];
  return [first.name, ...first.args].flatMap((word) => (word?.type === 'Word' ? [textOf(word, scope)] : []));
}

/** One glob for many words. */
export const anyOf = (words: readonly string[]): string => (words.length === 1 ? (words[0] ?? '') : `{${words.join(',')}}`);

/** The path of a folder below the top, relative to another one. */
function upFrom(cwd: string, folder: string): string {
  const up = cwd === '' ? [] : cwd.split('/').map(() => '..');
  return [...up, folder === '' ? '.' : folder].join('/');
}

/** Commands whose texts are compared or combined: those of a pipeline, or a test with everything that is substituted into its words. */
export interface Meeting {
  /** Whether one of them compares. */
  compares: boolean;
  /** Whether one of them is a program, so that its output is one of the texts. */
  runs: boolean;
  /** Words for the files that are among the texts. */
  readonly reads: Set<string>;
  /** Words for the files that are compared character by character. */
  readonly exact: Set<string>;
  /** Words for files that a program gets as arguments. */
  readonly given: Set<string>;
  /** Relative to the top; null if unknown. */
  cwd: string | null;
}

export const newMeeting = (cwd: string | null): Meeting => ({ compares: false, runs: false, reads: new Set(), exact: new Set(), given: new Set(), cwd });

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const comparers = words('diff cmp comm sdiff wdiff colordiff join grep egrep fgrep zgrep rg test [');
const exact = words('diff cmp comm sdiff wdiff colordiff');
const checksums = /^(?:sha\d*|md5|b2|shasum|ck)sum$|^shasum$/;
const readers = words('cat head tail sort uniq cut sed awk gawk mawk wc jq yq paste nl tac rev od xxd hexdump base64 column fold fmt expand');
/** Their first word is a pattern or a program, unless an option provides it. */
const scripted = words('grep egrep fgrep zgrep rg sed awk gawk mawk jq yq');
/** These neither compare nor run anything of the project. */
const silent = words(
  'true false : echo printf tr ls cd pushd popd pwd set export unset local readonly declare trap wait sleep mkdir rm cp mv touch chmod find git exit return shift read mapfile readarray which type ulimit umask date tee kill mktemp basename dirname xargs break continue let seq',
);

/** Their first word is the program that they run, not its input. */
const interpreters = /^(?:[bdkz]?a?sh|node|tsx|python[\d.]*|ruby|perl|php|deno|bun)$/;

/** A list of checksums names its files: what a program has made of them is the other text. */
const isCheck = (name: string, rest: readonly string[]) => checksums.test(name) && rest.some((word) => /^-\w*c\w*$|^--check$/.test(word));

const reads = (name: string) => comparers.has(name) || readers.has(name) || checksums.test(name);

/** Adds a command to a meeting. */
export function join(meeting: Meeting, words: readonly string[]): void {
  const [name = '', ...rest] = words.includes('--no-index') ? words.slice(words.indexOf('diff')) : words;
  if (name === '' || silent.has(name)) return;
  const isReader = reads(name);
  meeting.compares ||= comparers.has(name) || isCheck(name, rest);
  meeting.runs ||= !isReader || isCheck(name, rest);
  const named = isReader ? filesAmong(name, rest) : givenTo(name, rest);
  const places = [isReader ? meeting.reads : meeting.given, ...(exact.has(name) ? [meeting.exact] : [])];
  for (const place of places) for (const word of named) place.add(word);
}

const givenTo = (name: string, rest: readonly string[]) => rest.filter((word) => !word.startsWith('-')).slice(interpreters.test(name) ? 1 : 0);

function filesAmong(name: string, rest: readonly string[]): readonly string[] {
  if (name === 'test' || name === '[') return [];
  if (!scripted.has(name)) return rest.filter((word) => !word.startsWith('-'));
  const isFile = (at: number) => /^-\w*f$|^--(?:file|from-file)$/.test(rest[at - 1] ?? '');
  const isPattern = (at: number) => /^-\w*e$|^--(?:regexp|expression|arg)$/.test(rest[at - 1] ?? '');
  const hasPattern = rest.some((_, at) => isFile(at) || isPattern(at));
  const plain = rest.filter((word, at) => !word.startsWith('-') && !isFile(at) && !isPattern(at));
  return [...rest.filter((_, at) => isFile(at)), ...plain.slice(hasPattern ? 0 : 1)];
}
