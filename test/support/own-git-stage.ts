import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnGits } from '../../src/workspace/own-git/own-git-around.ts';
import { openSandboxStage } from './os-sandbox-stage.ts';

interface OwnGitOptions {
  readonly before?: (git: (...words: readonly string[]) => string, path: string) => void;
  readonly sealed?: readonly string[];
  /** The PATH of Ralph's own git. */
  readonly path?: (beside: string) => string;
}

/** A repository, and a wall behind which every process has one of its own. */
export async function openOwnGitStage(options: OwnGitOptions = {}) {
  const stage = await openSandboxStage();
  const { repo } = stage;
  options.before?.(repo.git, repo.path);
  const told: string[] = [];
  const commonDir = join(repo.path, '.git');
  const folder = join(commonDir, 'ralph', 'gits');
  await mkdir(folder, { recursive: true });
  const env = { PATH: options.path?.(repo.beside) ?? process.env['PATH'] ?? '', HOME: stage.home, GIT_CONFIG_NOSYSTEM: '1' };
  const open = () =>
    openOwnGits({ commonDir, env, folder, keptBelow: 'refs/ralph/kept/r1', sealed: options.sealed ?? [], onRefused: ({ target }) => void told.push(target) })(
      stage.wall,
    );
  const wall = await open();
  const refs = () => repo.git('for-each-ref', '--format=%(objectname) %(refname)');
  return { ...stage, wall, open, told, folder, commonDir, refs, inside: stage.behind(wall), [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}
