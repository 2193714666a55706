import { splitWords } from '../../kit/pure/shell-words.ts';
import type { ScmSpec } from './run-settings.ts';

/** Whether files that were dirty before the start stay out of the commits. */
export const leavesDirtOut = (scm: ScmSpec | null): boolean => commitsByGit(scm) && scm?.allowDirty === false;

/** Whether git makes the commits. Only with git can Ralph say exactly what to commit, and find out later whether it did. */
export function commitsByGit(scm: ScmSpec | null): boolean {
  if (scm === null) return false;
  return scm.tasks.some(isCommit) && isGit(scm);
}

export function isGit({ command }: ScmSpec): boolean {
  const [file = ''] = wordsIn(command);
  return /(^|[\\/])git(\.exe)?$/i.test(file);
}

/** `commit`, possibly with flags of the operator. */
export const isCommit = (task: string) => wordsIn(task)[0] === 'commit';

/** Settings with an open quote were refused at the start. */
export function wordsIn(text: string): readonly string[] {
  const split = splitWords(text);
  return split.kind === 'words' ? split.words : [text];
}
