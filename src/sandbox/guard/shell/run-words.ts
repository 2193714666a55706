import { absolute, baseName } from '../paths.ts';
import { type Code, type Step, type Stream, textStream, UNKNOWN } from '../step.ts';
import { codeOf, type Running } from './code-of.ts';
import { commandLines, runsCommands } from './code-strings.ts';
import { takeEffect } from './effects.ts';
import { gatheredBy } from './gatherers.ts';
import { hiddenCommands } from './hidden-commands.ts';
import { asText, couldBe, HOLE, hasHole, isKnown, MADE, shown } from './holes.ts';
import { printedBy } from './printed.ts';
import { behindLinks } from './redirects.ts';
import { type Around, callScope, deeper, type Extras, innerScope, NO_EXTRAS, runLoosely, type Shell, spend } from './shell.ts';
import { ITSELF } from './walk.ts';
import { wrappedIn } from './wrappers.ts';

/** Commands that a name with holes or patterns is tested against. */
const FEARED = [
  'rm',
  'dd',
  'sh',
  'bash',
  'cat',
  'curl',
  'wget',
  'nc',
  'chmod',
  'chown',
  'shred',
  'sudo',
  'kill',
  'mkfs',
  'git',
  'python3',
  'perl',
  'find',
  'eval',
  'passwd',
];

/** Longer commands are shortened in findings. */
const LONGEST_PART = 300;

/** Judges a command whose words are resolved: records it as a step, walks the code that it runs, and returns what it prints. */
export function runWords(words: readonly string[], shell: Shell, around: Around, extras: Extras = NO_EXTRAS): Stream {
  if (!spend(shell)) return UNKNOWN;
  const [program = '', ...given] = words;
  const args = given.map((word) => behindLinks(word, around.scope, shell.place.home));
  const name = baseName(program);
  const running = codeOf({ name, program, args }, shell, around);
  const step = stepOf({ name, program, args, running, extras, named: namedTexts(args, shell, around) }, around);
  shell.steps.push(step);
  // A separate step for assignments and redirections, so that a list of allowed commands applies to the words only.
  if (name !== '' && extras.assigned.length + extras.redirects.length > 0) shell.steps.push({ ...step, name: '', program: '', args: [], code: null });
  const inner = deeper(shell, around);
  if (inner === null) return UNKNOWN;
  const suspects = isKnown(name) ? [] : suspectsFor(name, args);
  for (const suspect of suspects) shell.runWords([suspect, ...args], inner, extras);
  const out = runInner({ name, args, running, extras }, shell, inner);
  takeEffect(name, { args, around, shell });
  return out ?? printedBy(name, { args, input: around.input, scope: around.scope, place: shell.place });
}

/** A completely unknown name is suspected only if its arguments suggest it. */
function suspectsFor(name: string, args: readonly string[]): readonly string[] {
  if (name === HOLE || name === MADE) return args.some((word) => /^-[a-zA-Z]*[rRf]/.test(word)) ? ['rm'] : [];
  return FEARED.filter((feared) => couldBe(name, feared)).slice(0, 4);
}

interface Call {
  readonly name: string;
  readonly args: readonly string[];
  readonly running: Running | null;
  readonly extras: Extras;
}

function stepOf({ name, program, args, running, extras, named }: Call & Pick<Step, 'program' | 'named'>, around: Around): Step {
  const { scope, input, isDetached, isPiped, isEndless, into, isInFile, isElsewhere } = around;
  const assigned = extras.assigned.map((each) => `${each.name}=${each.value}`);
  const redirects = extras.redirects.map(({ isWrite, target }) => `${isWrite ? '>' : '<'} ${target}`);
  const part = shown([...assigned, program, ...args, ...redirects].join(' ').slice(0, LONGEST_PART)).trim();
  const code = running?.code ?? null;
  return { ...extras, name, program, args, input, named, code, cwd: scope.cwd, isDetached, isPiped, isEndless, into, isInFile, isElsewhere, part };
}

function runInner({ name, args, running, extras }: Call, shell: Shell, inner: Around): Stream | null {
  if (running !== null) return runCode(running, shell, inner);
  for (const line of hiddenCommands(name, args, { shell, around: inner })) runLoosely(shell, asText(line), inner);
  const gathered = gatheredBy(name, args, inner.input);
  for (const command of gathered) shell.runWords(command, inner);
  if (gathered.length > 0) return UNKNOWN;
  if (name === 'command' && /^-[vV]/.test(args[0] ?? '')) return textStream(`${args[1] ?? ''}\n`);
  const wrapped = wrappedIn(name, args);
  if (wrapped === null) return null;
  const there = wrapped.isElsewhere ? { ...inner, isElsewhere: true } : inner;
  if (wrapped.kind === 'words') return shell.runWords(wrapped.words, there, { ...NO_EXTRAS, assigned: wrappedAssignments(name, args, extras) });
  for (const text of wrapped.texts) shell.runText(asText(text), there);
  return UNKNOWN;
}

/** `env X=1 command` is the same as `X=1 command`. */
function wrappedAssignments(name: string, args: readonly string[], { assigned }: Extras): Extras['assigned'] {
  if (!/^(env|sudo|doas|cross-env|env-cmd)$/.test(name)) return assigned;
  const given = args.flatMap((word) => (/^[A-Za-z_]\w*=/.test(word) ? [word] : []));
  return given.map((word) => ({ name: word.slice(0, word.indexOf('=')), value: word.slice(word.indexOf('=') + 1) }));
}

/** The paths in a word: the word itself, or the part after an option or a sign. */
function pathsIn(word: string): readonly string[] {
  const inner = word.startsWith('--') ? word.slice(word.indexOf('=') + 1) : word.startsWith('-') ? word.slice(2) : word.replace(/^@/, '');
  return [word, ...(inner === word ? [] : [inner]), ...inner.split(/\s+/).slice(1, MOST_WORDS)];
}

const MOST_WORDS = 16;
/** How much text costs as much of the budget as one command. */
const TEXT_FOR_ONE = 64;

/** The texts of files that this line has written and these words name. */
function namedTexts(args: readonly string[], shell: Shell, { scope }: Around): readonly string[] {
  if (scope.files.size === 0) return [];
  const texts = args.flatMap(pathsIn).flatMap((path) => scope.files.get(absolute(path, { cwd: scope.cwd, home: shell.place.home }))?.text ?? []);
  return texts.filter((text) => spend(shell, Math.ceil(text.length / TEXT_FOR_ONE)));
}

/** Walks code without running it, and returns what it prints; null when the command itself tells that better. */
function runCode(running: Running, shell: Shell, inner: Around): Stream | null {
  const { code, script } = running;
  const { text, origin } = code.stream;
  if (script !== null && inner.calling.includes(script.path)) return shell.runWords([ITSELF, script.called], inner);
  if (text === null || /^\s*[\uE000\uE001\uE004]\s*$/.test(text)) return { text: null, origin };
  const calling = script === null ? inner.calling : [...inner.calling, script.path];
  const there = { ...inner, calling, input: code.by === 'stdin' ? null : inner.input, isInFile: inner.isInFile || code.isOnDisk };
  return code.language === 'sh' ? runShell(running, text, { shell, around: there }) : runOther(code, text, { shell, around: there });
}

interface Where {
  readonly shell: Shell;
  readonly around: Around;
}

function runShell({ code, args, isApart, script, called }: Running, text: string, { shell, around }: Where): Stream {
  const scope = isApart ? callScope(innerScope(around.scope), args) : around.scope;
  // Scripts find their own folder by these variables. A sourced script has no `$0` of its own.
  if (script !== null) scope.variables.set('BASH_SOURCE', [script.called]);
  if (isApart && called !== null) scope.variables.set('0', called);
  if (!code.isOnDisk) return shell.runText(asText(text), { ...around, scope });
  runLoosely(shell, asText(text), { ...around, scope });
  return UNKNOWN;
}

function runOther({ language, stream }: Code, text: string, { shell, around }: Where): Stream | null {
  const lines = runsCommands(text) ? commandLines(text, language) : [];
  for (const line of lines.filter((each) => !hasHole(each))) runLoosely(shell, line, { ...around, input: null });
  return language === 'awk' ? null : { text: null, origin: stream.origin };
}
