import { globs, plainGlob } from '../globs.ts';
import { findFile, isProduct, isTestPlace, isWithin, nameOf, resolvePath } from '../repository.ts';
import type { Tool } from '../tools/tool.ts';
import type { Trail } from './trail.ts';
import type { Meeting } from './word-text.ts';

/** Names of files that output is compared with. */
const golden = /golden|expect|snapshot|approved|baseline|fixture|testdata|reference|(?:^|[/._-])(?:want|wanted|ref|answers?)(?:[/._-]|$)/i;
/** Names of lists of tolerated failures. */
const tolerated = /known|skip|quarantin|tolerat|flaky|xfail|allow(?:ed|list|_|-|\.|$)|exclu|failures|suppress/i;
const isGolden = (path: string) => golden.test(path) || tolerated.test(path) || isTestPlace(path);
const isProse = (path: string) => /\.(?:md|mdx|rst|html)$|(?:^|\/)(?:README|CHANGELOG|LICENSE)[^/]*$/.test(path);
const isScript = (path: string) => /\.(?:sh|bash|js|cjs|mjs|ts|py|rb|pl|php)$/.test(path);

/**
 * Notes the files that the output of a program is compared with. A file that is only compared with words of the gate itself is what the gate asks for, as is
 * prose or a source: it counts only if its name says that it is a measure.
 */
export function noteMeasures(trail: Trail, meeting: Meeting, isKept: boolean): void {
  const { runs, cwd } = meeting;
  const words = [...meeting.reads].filter((word) => word !== '-' && !word.startsWith('/dev/'));
  const found = words.map((word) => [...filesFor(trail, cwd, word), ...filesBelow(trail, cwd, word)]);
  // A file that does not exist yet is made by a program.
  const isMeasured = runs || found.some((paths, at) => paths.length === 0 && isPath(words[at] ?? ''));
  const input = runs && (meeting.compares || isKept) ? [...meeting.given].flatMap((word) => filesFor(trail, cwd, word)) : [];
  for (const path of [...found.flat(), ...input.filter((each) => !isScript(each))]) {
    if (isGolden(path) || (isMeasured && !isProduct(path) && !isProse(path))) note(trail, path);
  }
  if (isMeasured) noteCompared(trail, meeting, words);
}

function noteCompared(trail: Trail, { exact, cwd }: Meeting, words: readonly string[]): void {
  for (const word of words) noteGlob(trail, cwd, word);
  for (const path of [...exact].flatMap((word) => [...filesFor(trail, cwd, word), ...filesBelow(trail, cwd, word)])) {
    if (trail.measures.has(path)) trail.compared.add(path);
  }
}

function note(trail: Trail, path: string): void {
  if (!trail.named.has(path) && nameOf(path) !== 'package.json') trail.measures.add(path);
}

const isPath = (word: string) => /^[\w$./~-]/.test(word) && !/^\d+$/.test(word);

/** Files that are added later count too. */
function noteGlob(trail: Trail, cwd: string | null, word: string): void {
  const glob = globOf(cwd, word);
  if (glob !== null && isNarrow(glob) && !isProduct(glob)) trail.globs.measured.add(glob);
}

/** A glob that matches everything says nothing. */
const isNarrow = (glob: string) => /[^*/{},]/.test(glob.replace(/^[^/]*[*][^/]*$/, (name) => name.replace(/^\*+/, '')));

/** An unknown variable may be any part of a name, or a whole path at the start of a word. */
export function globOf(cwd: string | null, word: string): string | null {
  const open = word.replace(/(\$\([^()]*\)|\$\{[^{}]*\}|\$\w+|\$[@*#?])(\/?)/g, (_all, _variable, slash: string, at: number) => {
    if (at > 0) return `*${slash}`;
    return slash === '' ? '**/*' : '**/';
  });
  if (cwd === null || !/[*?{[]/.test(open) || open.includes('\n') || open.length > 1_000) return null;
  const glob = plainGlob(open);
  const path = glob === null ? null : resolvePath(cwd, glob);
  return path === '' || path === '*' ? null : path;
}

const MOST_FILES = 500;

/** `diff -r golden out` reads a whole folder. */
function filesBelow(trail: Trail, cwd: string | null, word: string): readonly string[] {
  const folder = cwd === null || word.length > 1_000 ? null : resolvePath(cwd, word);
  if (!folder || !trail.index.folders.has(folder)) return [];
  return trail.repository.paths.filter((path) => isWithin(path, folder)).slice(0, MOST_FILES);
}

/** The files of the tree that a word names, with or without wild cards. */
export function filesFor(trail: Trail, cwd: string | null, word: string): readonly string[] {
  if (cwd === null) return [];
  const glob = globOf(cwd, word);
  if (glob === null) {
    const path = fileAt(trail, cwd, word);
    return path === null ? [] : [path];
  }
  if (!isNarrow(glob)) return [];
  const pattern = globs([glob]);
  return trail.repository.paths.filter((path) => pattern.test(path)).slice(0, MOST_FILES);
}

/** Options of any program whose value is a file that it loads. */
const loading = new Set([
  ...['--config', '-c', '-p', '--project', '--require', '-r', '--import', '--loader', '--experimental-loader', '--env-file', '--rcfile', '--config-file'],
  ...['--configfile', '--configuration', '--settings', '--setup', '--init-file', '--script-shell', '--bootstrap', '--preset', '--rules', '-f', '--file'],
]);

const script = /\.(?:sh|bash|zsh|fish|js|cjs|mjs|ts|cts|mts|jsx|tsx|py|rb|pl|php|lua|awk|mk|ps1|bat|cmd)$/;
const configuration = /\.(?:json|jsonc|json5|toml|ya?ml|ini|cfg|conf|config|xml|properties|env|rc|opts)$|(?:^|\/)\.[\w.-]+$/;
/** The file that a word of a command names; null if there is none. */
export const fileAt = (trail: Trail, cwd: string, word: string): string | null => (word.includes('\n') ? null : findFile(trail.index, cwd, word));

interface Call {
  /** Null for an unknown program. */
  readonly tool: Tool | null;
  readonly cwd: string;
  readonly rest: readonly string[];
}

/** Notes the scripts, configurations and tests that a command names, but no data files. */
export function noteNamed(trail: Trail, call: Call): void {
  for (const [at, word] of call.rest.entries()) {
    const [option = '', inline] = word.startsWith('-') ? word.split(/=(.*)/s, 2) : [];
    const before = call.rest[at - 1] ?? '';
    if (inline !== undefined && isLoading(option, call)) noteLoaded(trail, call, inline);
    else if (!word.startsWith('-') && isLoading(before, call)) noteLoaded(trail, call, word);
    else if (!word.startsWith('-')) notePositional(trail, call, word);
  }
}

const isLoading = (option: string, { tool }: Call) => loading.has(option) || tool?.options?.includes(option) === true;

function noteLoaded(trail: Trail, { cwd }: Call, word: string): void {
  const path = fileAt(trail, cwd, word);
  if (path !== null && (script.test(path) || configuration.test(path))) trail.named.set(path, 'configuration');
}

function notePositional(trail: Trail, { tool, cwd }: Call, word: string): void {
  const path = fileAt(trail, cwd, word);
  if (path === null || trail.named.has(path)) return;
  if (tool === null) {
    if (script.test(path) && !isProduct(path)) trail.named.set(path, 'configuration');
  } else if (tool.tests.length > 0 && script.test(path)) trail.named.set(path, 'test');
}
