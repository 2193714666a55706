import { splitWords } from '../../kit/pure/shell-words.ts';
import type { ScmSpec } from './run-settings.ts';

/** Whether commits are made by git, which can be told exactly what to commit and asked later whether it did. */
export function commitsByGit(scm: ScmSpec | null): boolean {
  if (scm === null) return false;
  return scm.tasks.some(isCommit) && isGit(scm);
}

export function isGit({ command }: ScmSpec): boolean {
  const [file = ''] = wordsIn(command);
  return /(^|[\\/])git(\.exe)?$/i.test(file);
}

/** `commit`, with flags of the operator's own if they want some. */
export const isCommit = (task: string) => wordsIn(task)[0] === 'commit';

/** Settings whose quotes are not closed were refused at the start. */
export function wordsIn(text: string): readonly string[] {
  const split = splitWords(text);
  return split.kind === 'words' ? split.words : [text];
}
