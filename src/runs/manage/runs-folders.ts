import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { foldersIn } from '../../kit/files/read.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { taskRunsFolder } from '../../store/lock-task-folder.ts';
import { foldersOfProject, runsFolderOf } from '../../store/run-home.ts';
import { TASKS_ROOT } from '../../store/task-place.ts';
import { plainRepository } from '../../workspace/git/plain-repository.ts';

/** Limits the search to the task folders below a root, of a project, or of one task. Null means no limit. */
export interface RunFilter {
  readonly root: string | null;
  readonly project: string | null;
  readonly task: string | null;
}

const EVERYWHERE: RunFilter = { root: null, project: null, task: null };

/** Every folder with runs that can be found from here: of the repository, of the task folders of this directory and of the top of its project, and of the root in which the calling agent works. */
export async function runsFolders(cwd: string, where: RunFilter = EVERYWHERE): Promise<readonly string[]> {
  const env = environment();
  const plain = plainRepository(cwd, env);
  if (plain !== null) return await runsFoldersAround(cwd, { git: plain, env }, where);
  const { openGitCli } = await import('../../workspace/git/git-cli.ts');
  await using git = await openGitCli(cwd, env);
  return await runsFoldersAround(cwd, { git, env }, where);
}

interface Around {
  readonly git: { readonly gitDir: string; readonly commonDir: string } | null;
  readonly env: Readonly<Record<string, string>>;
}

/** The same for a repository that is open already. */
export async function runsFoldersAround(cwd: string, { git, env }: Around, where: RunFilter = EVERYWHERE): Promise<readonly string[]> {
  const places = [cwd, foldersOfProject(cwd).at(-1) ?? cwd];
  const roots = where.root === null ? [...places.map((place) => join(place, TASKS_ROOT)), ...rootOfAgent(env)] : [resolve(cwd, where.root)];
  const ofTasks = roots.flatMap((root) => runsFoldersOfTasks(root, where));
  const isNarrowed = where.root !== null || where.project !== null || where.task !== null;
  return await withoutDoubles([...(isNarrowed ? [] : places.map((place) => runsFolderOf(place, git))), ...ofTasks]);
}

/** An agent finds the runs folder of its task in its environment: `<root>/<project>/<task>/runs`. */
function rootOfAgent(env: Readonly<Record<string, string>>): readonly string[] {
  const runs = env['RALPH_RUNS_DIR'];
  return runs !== undefined && basename(runs) === 'runs' ? [dirname(dirname(dirname(resolve(runs))))] : [];
}

/** Does not follow links: they lead to tasks with a place of their own, or out of the root. */
function runsFoldersOfTasks(root: string, { project, task }: RunFilter): readonly string[] {
  const projects = foldersIn(root).filter((name) => project === null || name === project);
  return projects.flatMap((inRoot) => {
    const tasks = foldersIn(join(root, inRoot)).filter((name) => task === null || name === task);
    return tasks.map((inProject) => taskRunsFolder(join(root, inRoot, inProject)));
  });
}

async function withoutDoubles(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return [...new Set(real)];
}
