import { OUR_FILES } from '../our-files.ts';
import { firstComplaint, type Git, type Variables } from './git-command.ts';

/**
 * Makes our own files in that index what HEAD has of them, be it nothing: whoever forced them into an index or a commit
 * makes no work of them. Null, or git's complaint.
 */
export async function putBackOurFiles(git: Git, own: Variables): Promise<string | null> {
  const found = await git(['diff', '--cached', '--quiet', '--no-renames', '--no-ext-diff', '--', ...PATHSPECS], own);
  if (found.code === 0) return null;
  const answer = found.code === 1 ? await git(['reset', '--quiet', '--', ...PATHSPECS], own) : found;
  return answer.code === 0 ? null : firstComplaint(answer);
}

const PATHSPECS = OUR_FILES.map(pathspecOf);

/** A .gitignore leaves out a whole folder by its name, and without a slash means every folder; a pathspec has to say so. */
function pathspecOf(pattern: string): string {
  const [magic, path] = pattern.startsWith('!') ? ['top,glob,exclude', pattern.slice(1)] : ['top,glob', pattern];
  return `:(${magic})${path.includes('/') ? '' : '**/'}${path.replace(/\/\*$/, '/**')}`;
}
