import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { openHostileStage } from '../../support/hostile-stage.ts';

/** A repository whose commits are signed by a key in the home, where no agent sees it. */
async function openSignedStage() {
  const stage = await openHostileStage({ settings: { scm: { command: 'git', tasks: ['commit'] } }, files: { a: 'a\n' } });
  const key = join(stage.home, '.ssh/signing');
  mkdirSync(join(stage.home, '.ssh'), { recursive: true });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  for (const [name, value] of [
    ['gpg.format', 'ssh'],
    ['user.signingKey', key],
    ['commit.gpgSign', 'true'],
  ] as const)
    stage.repo.git('config', name, value);
  await stage.repo.write('agent.sh', 'echo more >> a; echo b > b; git add b; git commit -qm "by the agent" || echo FAILED; echo DONE\n');
  stage.repo.git('add', '-A');
  stage.repo.git('commit', '-qm', 'before');
  const run = (...more: readonly string[]) =>
    stage.ralph('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--guardrail', 'true', '-m', '1', '--sandbox=os', '--json', ...more);
  return { ...stage, key, run, head: () => stage.repo.git('cat-file', 'commit', 'HEAD') };
}

describe.skipIf(bubblewrapIsMissing())('where commits are signed', () => {
  it('Ralph signs its own outside of the sandbox, with the author and the text it was made with, and an agent can commit without a key', async () => {
    await using stage = await openSignedStage();
    const { result, stderr } = await stage.run();
    expect(result?.done, stderr).toBe(true);
    expect(stderr).not.toContain('FAILED');
    expect(stage.head()).toMatch(/\ngpgsig -----BEGIN SSH SIGNATURE-----\n/);
    expect(stage.repo.git('log', '--format=%s', '-2').split('\n')[1]).toBe('by the agent');
    expect(stage.repo.git('status', '--porcelain')).toBe('');
    expect(stage.repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('nothing is committed that cannot be signed: branch and index are as before, and it is told', async () => {
    await using stage = await openSignedStage();
    await stage.repo.write('agent.sh', 'echo more >> a; echo DONE\n');
    stage.repo.git('commit', '-qam', 'another agent');
    await rm(stage.key);
    const before = stage.head();
    const refused = await stage.run();
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(/sign/) });
    const { stderr } = await stage.run('--no-preflight');
    expect(stderr).toMatch(/Not committed: it cannot be signed: /);
    expect(stage.head()).toBe(before);
    expect(stage.repo.git('status', '--porcelain')).toBe('M a');
  });
});
