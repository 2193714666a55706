import type {
  AndOr,
  ArithmeticFor,
  Assignment,
  Command,
  CompoundList,
  For,
  Pipeline,
  PipelineNode,
  Redirection,
  Script,
  Select,
  Function as ShellFunction,
  Statement,
  While,
} from 'unbash';
import { joined, NOTHING, type Stream, UNKNOWN } from '../step.ts';
import { HOLE } from './holes.ts';
import { redirected, written } from './redirects.ts';
import { type Around, callScope, deeper, innerScope, lookUp, NO_EXTRAS, type Shell, spend, type Value } from './shell.ts';
import { resolveText, resolveWord, runInside } from './words.ts';
import { wordsOfLine } from './wrappers.ts';

/** Walks the commands of a script in order, without running them. */
export function walkScript({ commands, errors }: Script & { readonly errors?: readonly unknown[] | undefined }, shell: Shell, around: Around): Stream {
  if (errors !== undefined && errors.length > 0) shell.troubles.add('unreadable');
  return walkStatements(commands, shell, around);
}

function walkStatements(statements: readonly Statement[], shell: Shell, around: Around): Stream {
  let out = NOTHING;
  if (!spend(shell)) return UNKNOWN;
  for (const { command, background } of statements) out = joined(out, walkNode(command, shell, background ? { ...around, isDetached: true } : around));
  return out;
}

const walkList = ({ commands }: CompoundList, shell: Shell, around: Around) => walkStatements(commands, shell, around);

type Node = PipelineNode | AndOr | CompoundList;

/** Walks every branch, because it is unknown which one will be taken. */
function walkNode(node: Node, shell: Shell, around: Around): Stream {
  switch (node.type) {
    case 'Command':
      return walkCommand(node, shell, around);
    case 'Pipeline':
      return walkPipeline(node, shell, around);
    case 'AndOr':
      return inOrder(node.commands, shell, around);
    case 'CompoundList':
      return walkList(node, shell, around);
    case 'Subshell':
      return walkList(node.body, shell, { ...around, scope: innerScope(around.scope) });
    case 'BraceGroup':
      return walkList(node.body, shell, around);
    case 'Redirected':
      return walkRedirected(node.command, node.redirects, { shell, around });
    case 'If':
      return inOrder([node.clause, node.then, ...node.elif.flatMap((each) => [each.clause, each.then]), ...(node.else ? [node.else] : [])], shell, around);
    case 'While':
      return inOrder([node.clause, node.body], shell, turning(node, around));
    case 'For':
    case 'Select':
      return walkLoop(node, shell, around);
    case 'Function':
      return define(node, shell, around);
    case 'Coproc':
      return walkNode(node.body, shell, { ...around, isDetached: true, input: UNKNOWN });
    case 'Case':
      resolveWord(node.word, shell, around);
      for (const item of node.items) for (const pattern of item.pattern) resolveWord(pattern, shell, around);
      return inOrder(
        node.items.map((item) => item.body),
        shell,
        around,
      );
    case 'ArithmeticFor':
      runInside(node, shell, around);
      return walkList(node.body, shell, turning(node, around));
    case 'TestCommand':
    case 'ArithmeticCommand':
      runInside(node, shell, around);
      return NOTHING;
    default:
      return UNKNOWN;
  }
}

/** In an endless loop, the commands that it starts are judged, not the loop itself. */
const turning = (node: While | ArithmeticFor, around: Around): Around => (isEndless(node) ? { ...around, isEndless: true, isDetached: false } : around);

function inOrder(nodes: readonly Node[], shell: Shell, around: Around): Stream {
  let out = NOTHING;
  for (const node of nodes) out = joined(out, walkNode(node, shell, around));
  return out;
}

function walkPipeline({ commands }: Pipeline, shell: Shell, around: Around): Stream {
  if (commands.length === 1 && commands[0] !== undefined) return walkNode(commands[0], shell, around);
  let stream = around.input;
  for (const [at, command] of commands.entries()) {
    const into = writtenWords(commands[at + 1]);
    stream = walkNode(command, shell, { ...around, scope: innerScope(around.scope), input: stream, isPiped: true, into });
  }
  return stream ?? NOTHING;
}

function writtenWords(node: Pipeline['commands'][number] | undefined): readonly string[] {
  if (node?.type !== 'Command') return node === undefined ? [] : ['{'];
  return [node.name?.value ?? '', ...node.args.slice(0, MOST_TURNS).map((arg) => (arg.type === 'Word' ? arg.value : arg.text))];
}

/** The most turns of a loop that are walked one by one. */
const MOST_TURNS = 32;

function walkLoop({ name, wordlist, body }: For | Select, shell: Shell, around: Around): Stream {
  const items = wordlist?.flatMap((word) => resolveWord(word, shell, around)) ?? around.scope.args ?? [HOLE];
  const turns = items.length > MOST_TURNS ? [...items.slice(0, MOST_TURNS), HOLE] : items;
  const inner = deeper(shell, around);
  let out = NOTHING;
  for (const item of inner === null ? [] : turns) {
    if (!spend(shell)) return UNKNOWN;
    around.scope.variables.set(name.value, item);
    out = joined(out, walkList(body, shell, inner ?? around));
  }
  return out;
}

/** A function is walked where it is defined, with unknown arguments, and again where it is called. */
function define({ name, body }: ShellFunction, shell: Shell, around: Around): Stream {
  around.scope.functions.set(name.value, body);
  const inner = deeper(shell, around);
  if (inner !== null) walkNode(body, shell, { ...inner, scope: innerScope(around.scope, null), calling: [...around.calling, name.value] });
  return NOTHING;
}

/** The name of a step for a function that calls itself. */
export const ITSELF = ' itself';

function callOf(words: readonly string[], shell: Shell, around: Around): Stream | null {
  const [name = '', ...args] = words;
  if (around.calling.includes(name)) return shell.runWords([ITSELF, name], around);
  const body = lookUp(around.scope, 'functions', name);
  const inner = body === undefined ? null : deeper(shell, around);
  if (body === undefined || inner === null) return null;
  return walkNode(body, shell, { ...inner, scope: callScope(around.scope, args), calling: [...around.calling, name] });
}

function walkRedirected(node: Node, redirects: readonly Redirection[], { shell, around }: { readonly shell: Shell; readonly around: Around }): Stream {
  const { input, extras } = redirected(redirects, shell, around);
  const inner = { ...around, input };
  if (extras.redirects.length > 0) shell.runWords([], inner, extras);
  return written(walkNode(node, shell, inner), extras.redirects, { shell, around });
}

function walkCommand(node: Command, shell: Shell, around: Around): Stream {
  if (!spend(shell)) return UNKNOWN;
  const { input, extras } = redirected(node.redirects, shell, around);
  const assigned = node.prefix.flatMap((each) => (each.type === 'Assignment' ? [assign(each, shell, around)] : []));
  const before = shell.steps.length;
  const words = node.name === undefined ? [] : [...resolveWord(node.name, shell, around), ...node.args.flatMap((arg) => argument(arg, shell, around))];
  if (words.length === 0) for (const { name, value } of assigned) keep(around, name, value);
  const inner = { ...around, input };
  const texts = {
    assigned: assigned.map(({ name, value }) => ({ name, value: typeof value === 'string' ? value : value.join(' ') })),
    redirects: extras.redirects,
    printers: words[0] === 'eval' ? shell.steps.slice(before).map((step) => step.name) : [],
  };
  const out = aliased(words, shell, inner) ?? callOf(words, shell, inner) ?? shell.runWords(words, inner, texts);
  return written(out, extras.redirects, { shell, around });
}

const keep = ({ scope }: Around, name: string, value: Value) => scope.variables.set(name, value);

function argument(arg: Command['args'][number], shell: Shell, around: Around): readonly string[] {
  if (arg.type === 'Word') return resolveWord(arg, shell, around);
  const { name, value } = assign(arg, shell, around);
  return [`${name}=${typeof value === 'string' ? value : value.join(' ')}`];
}

interface Given {
  readonly name: string;
  readonly value: Value;
}

function assign({ name, value, append, index }: Assignment, shell: Shell, around: Around): Given {
  const before = lookUp(around.scope, 'variables', name);
  if (value.type === 'ArrayValue') {
    const elements = value.elements.flatMap((word) => resolveWord(word, shell, around));
    return { name, value: append && before !== undefined ? [before, elements].flat() : elements };
  }
  const text = resolveText(value, shell, around);
  if (index !== undefined) return { name, value: [before ?? [], text].flat() };
  return { name, value: append && typeof before === 'string' ? before + text : text };
}

/** Resolves an alias that the same line defines. A shell without aliases would not find the command at all. */
function aliased(words: readonly string[], shell: Shell, around: Around): Stream | null {
  const [name = '', ...rest] = words;
  const alias = lookUp(around.scope, 'aliases', name);
  const inner = alias === undefined ? null : deeper(shell, around);
  if (alias === undefined || inner === null || alias.split(' ', 1)[0] === name) return null;
  return shell.runWords([...wordsOfLine(alias), ...rest], inner, NO_EXTRAS);
}

/** Whether a loop runs forever without a pause, so that it starts new processes before the earlier ones have ended. */
function isEndless(node: While | ArithmeticFor): boolean {
  const goesOn = node.type === 'While' ? isAlways(node.clause, node.kind) : node.test === undefined;
  return goesOn && !node.body.commands.some((each) => RESTS.has(nameOf(each) ?? ''));
}

const RESTS = new Set(['wait', 'sleep', 'read', 'break', 'exit', 'return', 'inotifywait', 'fswatch']);
const ALWAYS: Readonly<Record<While['kind'], ReadonlySet<string>>> = { while: new Set(['true', ':', 'yes']), until: new Set(['false']) };

function isAlways({ commands }: CompoundList, kind: While['kind']): boolean {
  const [only, ...others] = commands;
  return only !== undefined && others.length === 0 && ALWAYS[kind].has(nameOf(only) ?? '');
}

function nameOf({ command, background }: Statement): string | undefined {
  if (background) return undefined;
  const node = command.type === 'Pipeline' && command.commands.length === 1 ? command.commands[0] : command;
  return node?.type === 'Command' ? node.name?.value : undefined;
}
