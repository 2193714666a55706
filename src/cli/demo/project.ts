import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { capture } from '../../process/capture.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { projectFiles } from './project-files.ts';

/** A git repository with failing tests, gone with the block that opened it unless it is to be kept. */
export interface DemoProject extends AsyncDisposable {
  readonly path: string;
  /** What has changed since it was made, as `git diff --stat` says it. */
  changes(): Promise<string>;
}

const TIMEOUT_MS = 60_000;

/** Nothing of the operator's own git set-up may have a say: no hooks, no signing, no template. */
const OWN_WAYS = ['user.name=Ralph demo', 'user.email=demo@localhost', 'commit.gpgsign=false', 'core.hooksPath=/dev/null', 'init.defaultBranch=main'];

export async function openDemoProject(env: Readonly<Record<string, string>>, keep: boolean): Promise<DemoProject> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'ralph-demo-')));
  const git = gitIn(path, env);
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5 });
  try {
    await fill(path);
    await git('init', '--quiet', '--template=');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'A module, and tests that fail');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    path,
    changes: () => git('diff', '--stat', 'HEAD'),
    [Symbol.asyncDispose]: async () => (keep ? undefined : await remove()),
  };
}

async function fill(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(projectFiles)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

function gitIn(cwd: string, env: Readonly<Record<string, string>>): (...args: readonly string[]) => Promise<string> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  const ways = OWN_WAYS.flatMap((setting) => ['-c', setting]);
  return async (...args) => {
    const { code, stdout, stderr } = await capture({ file: 'git', args: [...ways, ...args], cwd, env: own, timeoutMs: TIMEOUT_MS });
    if (code === 0) return stdout;
    throw new OperatorError('demo-needs-git', `the demo could not make its repository: git ${args[0]} failed: ${stderr.trim().split('\n')[0]}`, {
      hint: 'Install git, or repair it: `git --version` must work.',
      exitCode: 4,
    });
  };
}
