import { OperatorError } from '../kit/pure/operator-error.ts';
import type { Captured } from '../process/capture.ts';
import { firstComplaint, type Git, headOf } from './git/git-command.ts';

/** Commits only these paths and leaves everything else staged as it is. Returns null if they are already committed or all ignored. */
export async function commitPaths(git: Git, wanted: readonly string[], message: string): Promise<string | null> {
  const paths = await notIgnored(git, wanted);
  if (paths.length === 0) return null;
  await must(git(['--literal-pathspecs', 'add', '--all', '--', ...paths], {}));
  const changed = await must(git(['--literal-pathspecs', 'status', '--porcelain', '--', ...paths]));
  if (changed.stdout === '') return null;
  await must(git(['--literal-pathspecs', 'commit', '--quiet', '--only', '--message', message, '--', ...paths], {}));
  return await headOf(git);
}

async function notIgnored(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  const codes = await Promise.all(paths.map(async (path) => (await git(['check-ignore', '--quiet', '--', path])).code));
  return paths.filter((_, index) => codes[index] !== 0);
}

async function must(asked: Promise<Captured>): Promise<Captured> {
  const answer = await asked;
  if (answer.code === 0) return answer;
  throw new OperatorError('archive-not-committed', `the plan is archived, but git cannot commit it: ${firstComplaint(answer)}`, {
    hint: 'Nothing is lost. See to it, then do it again: ralph plan archive goes on where it stopped.',
    exitCode: 4,
  });
}
