import type { StoryMode } from '../../journal/words/story.ts';
import { splitWords } from '../../kit/pure/shell-words.ts';

const REASON =
  'Commit with the hooks of this project: leave --no-verify out. If a hook complains, repair what it complains about; if that is not yours to repair, end your turn with <promise>BLOCKED:what the hook says</promise>.';

/** Why a shell command that skips the project's commit hooks is refused; null: it does not skip them. Obfuscated commands are not detected here. */
export function commitsWithoutHooks(command: string): string | null {
  return simpleCommands(command).some(skipsHooks) ? REASON : null;
}

/** The commands of a line, each as a list of words: split where a shell would split outside of quotes. */
function simpleCommands(line: string): readonly (readonly string[])[] {
  const parts = line.match(/(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\n;&|()`{}])+/g) ?? [];
  return parts.map((part) => {
    const split = splitWords(part);
    return split.kind === 'words' ? split.words : part.split(/\s+/);
  });
}

/** Options of git itself that take a value in the next word. */
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix']);

function skipsHooks(words: readonly string[]): boolean {
  const git = words.findIndex((word) => word === 'git' || word.endsWith('/git'));
  if (git === -1) return false;
  let at = git + 1;
  while (words[at]?.startsWith('-')) at += WITH_VALUE.has(words[at] ?? '') ? 2 : 1;
  if (words[at] !== 'commit') return false;
  const options = words.slice(at + 1);
  const end = options.indexOf('--');
  return optionsOf(end === -1 ? options : options.slice(0, end)).some(isNoVerify);
}

/** The next word is its value and may be anything. */
const TAKES_NEXT = /^-[^-mFCct]*[mFCct]$|^--(message|file|author|date|template|trailer|fixup|squash|reuse-message|reedit-message|cleanup)$/;

const optionsOf = (words: readonly string[]) => words.filter((_word, index) => !TAKES_NEXT.test(words[index - 1] ?? ''));

/** Git accepts an unambiguous prefix of an option. Letters after an option letter that takes a value are that value. */
const isNoVerify = (word: string) => /^--no-ver(i(f(y)?)?)?$/.test(word) || /^-[^-mFCctuS]*n/.test(word);

/** A tool call that an agent is about to make. */
export interface ToolCall {
  readonly tool: string;
  /** All names of the file it writes, absolute and without links in the folders; empty: it does not name one. */
  readonly paths: readonly string[];
  readonly command: string | null;
}

/** What is protected while somebody works on stories. */
export interface GuardedPlace {
  /** The project's root, absolute and without links. */
  readonly root: string;
  /** `ralph`, relative to the root. */
  readonly folder: string;
  readonly mode: StoryMode | null;
  /** Ralph's own folders: the plugin's and the run's. */
  readonly ours: readonly string[];
}

const WRITING = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** Each returns why a shell command is refused, or null. */
const COMMAND_RULES: readonly ((command: string) => string | null)[] = [commitsWithoutHooks];

/** Why a call is denied and what to do instead; null: it is allowed. */
export function guardDecision({ tool, paths, command }: ToolCall, place: GuardedPlace): string | null {
  if (WRITING.has(tool)) return paths.length === 0 ? `${tool} does not say which file it writes. Name it, and try again.` : whyNotWritten(paths, place);
  if (command === null) return null;
  return COMMAND_RULES.map((rule) => rule(command)).find((why) => why !== null) ?? null;
}

function whyNotWritten(paths: readonly string[], place: GuardedPlace): string | null {
  const { root, folder, mode, ours } = place;
  const isOneOf = (file: string) => paths.some((path) => isSame(path, `${root}/${file}`));
  if (isOneOf(`${folder}/prd.md`)) {
    return `${folder}/prd.md says what is wanted, and is read-only while the loop runs. Work on your story as it stands; what does not fit goes into ${folder}/progress.txt, and a question into <promise>DECIDE:your question</promise>.`;
  }
  if (isOneOf(`${folder}/prompt.md`)) return `${folder}/prompt.md is what the loop tells every iteration, and only a person changes it. Go on with your story.`;
  if (isOneOf('.ralph-active')) return '.ralph-active belongs to the loop, which writes and removes it by itself. Leave it alone and go on with your story.';
  const own = paths.find((path) => ours.some((each) => isIn(path, each)) || IN_GIT.test(path));
  if (own !== undefined)
    return `${own} belongs to Ralph itself: it keeps its hooks and the record of this run there. Leave it alone and go on with your story.`;
  return mode === 'review'
    ? 'This is a review: it writes no file at all. Say in your last message what has to change, as the verdict you were asked for.'
    : null;
}

/** The folder of a run, also seen from a worktree. */
const IN_GIT = /(^|[/\\])[^/\\]*\.git[/\\]ralph([/\\]|$)/i;

/** Some disks ignore case, so names are compared without it. */
const plain = (path: string) => path.replaceAll('\\', '/').normalize('NFC').toLowerCase();

const isSame = (one: string, other: string) => plain(one) === plain(other);

const isIn = (path: string, folder: string) => plain(path).startsWith(`${plain(folder).replace(/\/+$/, '')}/`);
