import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv, openedGit } from '../../../../test/support/opened-git.ts';
import { never, nobody } from '../../../../test/support/process-request.ts';
import { openRepo } from '../../../../test/support/repo.ts';
import { openStoryStage } from '../../../../test/support/story-ground-stage.ts';
import type { SandboxCall, SandboxPort } from '../../../engine/ports/sandbox.ts';

/** A sandbox that records its calls and marks the environment. */
function recordingWall() {
  const calls: SandboxCall[] = [];
  let left = 0;
  const wall: SandboxPort = {
    mode: 'os',
    async enclose(call) {
      calls.push(call);
      return { file: 'env', args: ['BEHIND=the wall', call.file, ...call.args], cwd: call.cwd, env: call.env, stopDepth: 0, leave: async () => void left++ };
    },
  };
  return { wall, calls, left: () => left };
}

const HOOK = '#!/bin/sh\necho "$BEHIND $SECRET" > hooked\n';

describe('the hooks of a commit', () => {
  it('run inside the sandbox, with its environment, and leave it afterwards', async () => {
    await using repo = await openRepo();
    repo.git('config', 'core.hooksPath', '.husky');
    await repo.write('.husky/pre-commit', HOOK, 0o755);
    await repo.write('.gitignore', 'hooked\n');
    const git = await openedGit(repo.path);
    const { wall, calls, left } = recordingWall();
    const env = { ...gitEnv, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
    const { head, tree } = (await git.look()) ?? {};
    const words = ['git', '-c', 'user.name=a', '-c', 'user.email=a@b'];
    const request = {
      git: words,
      parent: head ?? '',
      flags: [],
      message: 'm',
      tree: tree ?? '',
      treeAfter: tree ?? '',
      marker: 'm/1',
      logFile: join(repo.beside, 'log'),
    };
    const answer = await git.guardedBy(nobody, { wall, env }).commit({ ...request, timeoutMs: 60_000 }, never);
    expect(answer).toMatchObject({ kind: 'made' });
    expect(await readFile(join(repo.path, 'hooked'), 'utf8')).toBe('the wall \n');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ who: 'gate', cwd: repo.path, file: 'git' });
    expect(left()).toBe(1);
  });

  it('run inside the sandbox for stories too', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'echo "$BEHIND" > ignored-by-nobody; mkdir -p ignored; echo "$BEHIND" > ignored/hooked; rm ignored-by-nobody');
    const { wall, calls, left } = recordingWall();
    await using ground = stage.again({ behind: { wall, env: gitEnv } });
    await stage.repo.write('src/a.ts', 'worked\n');
    await ground.settle(stage.wish);
    expect(await readFile(stage.at('ignored/hooked'), 'utf8')).toBe('the wall\n');
    expect([calls.length, left()]).toEqual([1, 1]);
  });

  it('run directly if there is no sandbox', async () => {
    await using stage = await openStoryStage();
    await stage.hook('pre-commit', 'mkdir -p ignored; echo "plain $BEHIND" > ignored/hooked');
    await stage.repo.write('src/a.ts', 'worked\n');
    await stage.settle();
    expect(await readFile(stage.at('ignored/hooked'), 'utf8')).toBe('plain \n');
  });
});
