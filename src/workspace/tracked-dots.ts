import { openGitCommand, type Variables } from './git/git-command.ts';

/** Of a repository that is somebody's home: what begins with a dot and is the project's all the same. Paths below its root. */
export async function trackedDots(topLevel: string, env: Variables): Promise<readonly string[]> {
  const { stdout } = await openGitCommand(topLevel, env)(['ls-files', '-z', '--', ':(top,glob).*', ':(top,glob).*/**']);
  return stdout.split('\0').filter(Boolean);
}
