import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { resolvePath } from '../repository.ts';
import { anyOf, join, type Meeting, newMeeting, textOf } from './word-text.ts';

/** One program with its arguments, as a shell would start it. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Relative to the top; null if unknown. */
  readonly cwd: string | null;
  /** Assignments before the program, such as `NODE_OPTIONS=--require ./x.js`, and variables that were exported earlier. */
  readonly variables: ReadonlyMap<string, string>;
  /** What its output is combined with. */
  readonly meeting: Meeting;
  /** Whether its output goes into a file or a variable. */
  readonly isKept: boolean;
}

interface Walk {
  readonly found: ShellCommand[];
  readonly meetings: Set<Meeting>;
  /** Words for the files that are written. */
  readonly writes: { readonly word: string; readonly cwd: string | null }[];
  meeting: Meeting | null;
  isKept: boolean;
  readonly variables: Map<string, string>;
  /** The path of the script; empty for a command line. */
  readonly script: string;
  /** The bodies of its functions, by their names. */
  readonly functions: Map<string, string>;
  readonly text: string;
  cwd: string | null;
}

/** Longer than any gate; the rest is ignored. */
const MOST_CHARS = 200_000;
const MOST_COMMANDS = 2_000;

export interface ShellText {
  readonly commands: readonly ShellCommand[];
  readonly meetings: ReadonlySet<Meeting>;
  readonly writes: readonly { readonly word: string; readonly cwd: string | null }[];
}

/** All commands of a shell text in order, in all branches, since it is unknown which of them runs. */
export function shellCommands(given: string, cwd: string, script = '', functions = new Map<string, string>()): ShellText {
  const text = given.slice(0, MOST_CHARS).replaceAll('\r\n', '\n');
  const walk: Walk = { found: [], meetings: new Set(), writes: [], meeting: null, isKept: false, variables: new Map(), script, functions, text, cwd };
  visit(parse(text), walk);
  return { commands: walk.found, meetings: walk.meetings, writes: walk.writes };
}

function visit(node: SyntaxNode, walk: Walk): void {
  if (walk.found.length >= MOST_COMMANDS) return;
  const { cwd, meeting, isKept } = walk;
  enter(node, walk);
  forEachChild(node, (child) => {
    // The body of a case is not compared with its word.
    if (node.type === 'CaseItem' && child === node.body) walk.meeting = null;
    visit(child, walk);
  });
  Object.assign(walk, { meeting, isKept });
  // A subshell or a substitution changes the folder only for itself.
  if (node.type === 'Subshell' || node.type === 'CommandExpansion') walk.cwd = cwd;
}

function enter(node: SyntaxNode, walk: Walk): void {
  if (meets.has(node.type)) meetIn(walk);
  if (node.type === 'Function') walk.functions.set(node.name.value, walk.text.slice(node.body.pos, node.body.end));
  if (node.type === 'For' && node.wordlist !== undefined) walk.variables.set(node.name.value, anyOf(node.wordlist.map((word) => textOf(word, walk))));
  if (node.type === 'TestCommand' || node.type === 'Case') meetIn(walk).compares = true;
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') walk.isKept = true;
  if (node.type === 'Redirected') walk.meeting = redirect(node.redirects, walk);
  if (node.type === 'Command') take(node, walk);
}

const meets: ReadonlySet<SyntaxNode['type']> = new Set(['Pipeline', 'Command', 'TestCommand', 'Case', 'Redirected'] as const);

function meetIn(walk: Walk): Meeting {
  walk.meeting ??= newMeeting(walk.cwd);
  walk.meetings.add(walk.meeting);
  return walk.meeting;
}

/** A file that all commands of a loop read is combined with what they run. */
function redirect(redirects: readonly Redirection[], walk: Walk, isLoop = true): null {
  const meeting = meetIn(walk);
  for (const each of redirects) {
    if (each.type !== 'Redirect' || each.target === undefined) continue;
    const word = textOf(each.target, walk);
    if (each.operator === '<') meeting.reads.add(word);
    if (each.operator === '<' && isLoop) meeting.runs = true;
    if (each.operator.startsWith('>') && each.operator !== '>&') keep(word, walk.text.slice(each.pos, each.end), walk);
  }
  return null;
}

function keep(word: string, text: string, walk: Walk): void {
  walk.writes.push({ word, cwd: walk.cwd });
  if (word !== '/dev/null' && !/^[2-9]>/.test(text)) walk.isKept = true;
}

function take(command: Command, walk: Walk): void {
  const own = assigned(command.prefix, walk);
  // `export A=b`, and a line with only assignments.
  for (const [name, value] of assigned(command.args, walk)) walk.variables.set(name, value);
  if (command.name === undefined) for (const [name, value] of own) walk.variables.set(name, value);
  const words = [command.name, ...command.args].flatMap((word) => (word?.type === 'Word' ? [textOf(word, walk)] : []));
  const folder = words[0] === 'cd' || words[0] === 'pushd' ? words.slice(1).find((word) => !word.startsWith('-')) : undefined;
  redirect(command.redirects, walk, false);
  readInto(words, command, walk);
  const meeting = meetIn(walk);
  join(meeting, words);
  copyTo(words, walk);
  if (meeting.compares) meetVariables(words, walk);
  if (folder !== undefined) walk.cwd = walk.cwd === null ? null : resolvePath(walk.cwd, folder);
  else walk.found.push({ words, cwd: walk.cwd, variables: new Map([...walk.variables, ...own]), meeting, isKept: walk.isKept });
}

/** The last word of such a command is a file that it writes. */
function copyTo([name = '', ...rest]: readonly string[], walk: Walk): void {
  if (/^(?:tee|cp|mv|install)$/.test(name)) walk.writes.push({ word: rest.at(-1) ?? '', cwd: walk.cwd });
}

/** `read -r want < expected.txt` is `want=$(cat expected.txt)`. */
function readInto(words: readonly string[], { redirects }: Command, walk: Walk): void {
  if (!/^(?:read|mapfile|readarray)$/.test(words[0] ?? '')) return;
  const from = redirects.find((each) => each.type === 'Redirect' && each.operator === '<');
  const target = from?.type === 'Redirect' && from.target !== undefined ? textOf(from.target, walk) : null;
  const names = words.slice(1).filter((word) => /^\w+$/.test(word));
  if (target !== null) for (const name of names) walk.variables.set(name, `$(cat ${shellQuote(target)})`);
  if (target !== null) walk.meeting?.reads.delete(target);
}

/** What a variable got from a command counts as compared. */
function meetVariables(words: readonly string[], walk: Walk): void {
  const nested = words.slice(1).filter((word) => word.includes('$(') && word.length < 2_000);
  const { meeting, variables, script, functions, cwd } = walk;
  if (nested.length === 0 || meeting === null) return;
  const inner: Walk = {
    ...{ found: [], meetings: new Set(), writes: [], meeting, isKept: true, script, functions },
    variables: new Map(variables),
    text: '',
    cwd,
  };
  for (const word of nested) for (const [, line = ''] of word.matchAll(/\$\(([^()]*)\)/g)) visit(parse(line), inner);
}

/** The body of a function, called with these arguments; `shift` drops the first ones for the text after it. */
export function calledWith(body: string, args: readonly string[]): string {
  let from = 0;
  return body.replace(/\bshift\b(?:[ \t]+(\d))?|"?\$\{?(?:([1-9])|[@*])\}?"?/g, (all, count: string | undefined, index: string | undefined) => {
    if (all.startsWith('shift')) {
      from += Number(count ?? 1);
      return ':';
    }
    return index === undefined ? args.slice(from).map(shellQuote).join(' ') : shellQuote(args[from + Number(index) - 1] ?? '');
  });
}

function assigned(parts: Command['prefix'] | Command['args'], walk: Walk): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const each of parts) if (each.type === 'Assignment' && each.value.type === 'Word') found.set(each.name, textOf(each.value, walk));
  return found;
}
