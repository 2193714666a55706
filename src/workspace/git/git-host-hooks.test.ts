import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv, openedGit } from '../../../test/support/opened-git.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';

/** A repository that can be pushed, with a pre-push hook that leaves a file. */
async function pushable(hooks: string): Promise<Repo> {
  const repo = await openRepo();
  repo.git('init', '-q', '--bare', join(repo.beside, 'remote'));
  repo.git('remote', 'add', 'origin', join(repo.beside, 'remote'));
  await repo.write(`${hooks}/pre-push`, `#!/bin/sh\ntouch '${join(repo.beside, 'ran')}'\n`, 0o755);
  return repo;
}

const push = (repo: Repo, env: Readonly<Record<string, string>>) => execFileSync('git', ['push', '-q', 'origin', 'main'], { cwd: repo.path, env });
const hasRun = (repo: Repo) => existsSync(join(repo.beside, 'ran'));

describe('a push outside the sandbox', () => {
  it.each(['.husky', '.husky/_'])('runs no hook of %s, which an agent may have written, and reports that', async (folder) => {
    await using repo = await pushable(folder);
    repo.git('config', 'core.hooksPath', folder);
    const { env, silenced } = await (await openedGit(repo.path)).outside({
      ...gitEnv,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'a.b',
      GIT_CONFIG_VALUE_0: 'c',
    });
    expect(silenced).toBe(join(repo.path, folder));
    push(repo, env);
    expect(hasRun(repo)).toBe(false);
    expect(repo.git('ls-remote', 'origin', 'main')).not.toBe('');
    push(repo, gitEnv);
    expect(hasRun(repo)).toBe(true);
  });

  it("runs the hooks in git's own folder, which are the operator's", async () => {
    await using repo = await pushable('.git/hooks');
    const { env, silenced } = await (await openedGit(repo.path)).outside(gitEnv);
    expect(silenced).toBeNull();
    push(repo, env);
    expect(hasRun(repo)).toBe(true);
  });
});
