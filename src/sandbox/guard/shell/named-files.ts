import { absolute } from '../paths.ts';
import { type Around, type Shell, spend } from './shell.ts';

/** A word names a file as it is, or behind an option, a sign, or a word of its own. */
function pathsIn(word: string): readonly string[] {
  const inner = word.startsWith('--') ? word.slice(word.indexOf('=') + 1) : word.startsWith('-') ? word.slice(2) : word.replace(/^@/, '');
  return [word, ...(inner === word ? [] : [inner]), ...inner.split(/\s+/).slice(1, MOST_WORDS)];
}

const MOST_WORDS = 16;
/** As much text as one command costs. */
const TEXT_FOR_ONE = 64;

/** What stands in the files that this line has written and these words name. */
export function namedTexts(args: readonly string[], shell: Shell, { scope }: Around): readonly string[] {
  if (scope.files.size === 0) return [];
  const texts = args.flatMap(pathsIn).flatMap((path) => scope.files.get(absolute(path, { cwd: scope.cwd, home: shell.place.home }))?.text ?? []);
  return texts.filter((text) => spend(shell, Math.ceil(text.length / TEXT_FOR_ONE)));
}
