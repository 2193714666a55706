import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxCall } from '../../src/engine/ports/sandbox.ts';
import { openNoSandbox } from '../../src/sandbox/in-sandbox.ts';
import { copyFolderOf } from '../../src/workspace/copy/copy-folder.ts';
import { openCopy } from '../../src/workspace/copy/open-copy.ts';
import { openIsolated } from '../../src/workspace/isolated/isolated-around.ts';
import { rememberTouched } from '../../src/workspace/isolated/landed.ts';
import { pathsOf } from '../../src/workspace/isolated/tree-changes.ts';
import { openOwnGits } from '../../src/workspace/own-git/own-git-around.ts';
import { openSandboxStage } from './os-sandbox-stage.ts';

export type WorkspaceKind = 'isolated' | 'copy' | 'place';

interface IsolatedOptions {
  /** The work tree, if it is not the one of the stage: given that one. */
  readonly root?: (repo: string) => string;
  readonly live?: readonly string[];
  readonly before?: (git: (...words: readonly string[]) => string, path: string) => void | Promise<void>;
  /** isolated: behind the os sandbox. copy: without one. place: in the operator's files. */
  readonly kind?: WorkspaceKind;
}

/** A repository, and a wall behind which every process has its files and its git for itself; or none, and a copy of both. */
export async function openIsolatedStage({ live = [], before, root: given, kind = 'isolated' }: IsolatedOptions = {}) {
  const stage = await openSandboxStage();
  const { repo } = stage;
  await before?.(repo.git, repo.path);
  const told: string[] = [];
  const warned: string[] = [];
  const root = given?.(repo.path) ?? repo.path;
  const commonDir = join(repo.path, '.git');
  const runFolder = join(commonDir, 'ralph/runs/r1');
  const folder = join(runFolder, 'isolated');
  const env = { PATH: process.env['PATH'] ?? '', HOME: stage.home, GIT_CONFIG_NOSYSTEM: '1' };
  const onRefused = ({ target }: { readonly target: string }) => void told.push(target);
  const touches = (names: readonly string[]) => rememberTouched(runFolder, pathsOf(names));
  const copy = copyFolderOf({ topLevel: root, commonDir }, 'r1');
  const place = {
    root,
    commonDir,
    env,
    sealed: [],
    obeyed: ['.claude/settings.json', '.claude/hooks', '.mcp.json'],
    onRefused,
    warn: (line: string) => void warned.push(line),
  };
  const openInside = async () => {
    const isolated = openIsolated({ ...place, folder, live, keptBelow: 'refs/ralph/kept/r1/files' });
    const gits = openOwnGits({ commonDir, env, folder: join(runFolder, 'gits'), keptBelow: 'refs/ralph/kept/r1/git', areCopies: true, touches, onRefused });
    return { wall: await gits(stage.wall, await isolated.around(stage.wall)), close: () => isolated[Symbol.asyncDispose]() };
  };
  const openBeside = async () => {
    const opened = await openCopy({ ...place, runFolder, copy, runId: 'r1', viewFolder: join(root, '.ralph'), isShared: false });
    return { wall: await opened.around(openNoSandbox()), close: () => opened[Symbol.asyncDispose]() };
  };
  const openInPlace = async () => ({ wall: openNoSandbox(), close: async () => undefined });
  /** As a run does it that begins, or goes on. */
  const open = async () => {
    const opened = await { isolated: openInside, copy: openBeside, place: openInPlace }[kind]();
    const inside = stage.behind(opened.wall);
    return { ...opened, inside: (script: string, rest: Partial<SandboxCall> = {}) => inside(script, { cwd: root, ...rest }) };
  };
  const run = await open();
  return {
    ...{ ...stage, ...run, open, told, warned, commonDir, runFolder, folder },
    /** Where the files lie for us, and at which path for a process. */
    ...{ root, tree: { isolated: join(folder, 'tree'), copy, place: root }[kind], path: kind === 'copy' ? copy : root },
    isLeft: () => existsSync(folder) || existsSync(dirname(dirname(dirname(copy)))),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}
