import { splitWords } from '../../kit/pure/split-words.ts';

const REASON =
  'Commit with the hooks of this project: leave --no-verify out. If a hook complains, repair what it complains about; if that is not yours to repair, end your turn with <promise>BLOCKED:what the hook says</promise>.';

/** Why a shell command is refused that commits past the project's hooks, said in plain words; null: it is not one. What hides its words is not seen here. */
export function commitsWithoutHooks(command: string): string | null {
  return simpleCommands(command).some(skipsHooks) ? REASON : null;
}

/** The commands of a line, each as its words: cut wherever a shell would cut outside of quotes. */
function simpleCommands(line: string): readonly (readonly string[])[] {
  const parts = line.match(/(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\n;&|()`{}])+/g) ?? [];
  return parts.map((part) => {
    const split = splitWords(part);
    return split.kind === 'words' ? split.words : part.split(/\s+/);
  });
}

/** Options of git itself that take the next word along. */
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

/** The next word belongs to it, and may be anything. */
const TAKES_NEXT = /^-[^-mFCct]*[mFCct]$|^--(message|file|author|date|template|trailer|fixup|squash|reuse-message|reedit-message|cleanup)$/;

const optionsOf = (words: readonly string[]) => words.filter((_word, index) => !TAKES_NEXT.test(words[index - 1] ?? ''));

/** Git takes an unambiguous beginning for the whole; letters after one that takes a value are that value. */
const isNoVerify = (word: string) => /^--no-ver(i(f(y)?)?)?$/.test(word) || /^-[^-mFCctuS]*n/.test(word);
