import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openIsolated } from '../../src/workspace/isolated/isolated-around.ts';
import { openOwnGits } from '../../src/workspace/own-git/own-git-around.ts';
import { openWallStage } from './os-wall-stage.ts';

interface IsolatedOptions {
  /** The work tree, if it is not the one of the stage. */
  readonly root?: string;
  readonly live?: readonly string[];
  readonly before?: (git: (...words: readonly string[]) => string, path: string) => void | Promise<void>;
}

/** A repository, and a wall behind which every process has its files and its git for itself. */
export async function openIsolatedStage({ live = [], before, root: given }: IsolatedOptions = {}) {
  const stage = await openWallStage();
  const { repo } = stage;
  await before?.(repo.git, repo.path);
  const told: string[] = [];
  const warned: string[] = [];
  const root = given ?? repo.path;
  const commonDir = join(repo.path, '.git');
  const runFolder = join(commonDir, 'ralph/runs/r1');
  const folder = join(runFolder, 'isolated');
  const env = { PATH: process.env['PATH'] ?? '', HOME: stage.home, GIT_CONFIG_NOSYSTEM: '1' };
  const onRefused = ({ target }: { readonly target: string }) => void told.push(target);
  /** As a run does it that begins, or goes on. */
  const open = async () => {
    const isolated = openIsolated({
      root,
      commonDir,
      env,
      folder,
      sealed: [],
      live,
      keptBelow: 'refs/ralph/kept/r1/files',
      onRefused,
      warn: (line) => void warned.push(line),
    });
    const gits = openOwnGits({ commonDir, env, folder: join(runFolder, 'gits'), keptBelow: 'refs/ralph/kept/r1/git', areCopies: true, onRefused });
    const wall = await gits(stage.wall, await isolated.around(stage.wall));
    return { wall, inside: stage.behind(wall), close: () => isolated[Symbol.asyncDispose]() };
  };
  const run = await open();
  return {
    ...{ ...stage, ...run, open, told, warned, commonDir, runFolder, folder, tree: join(folder, 'tree') },
    isLeft: () => existsSync(folder),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}
