import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { openHostileStage, SECRET_VALUE, VARIABLE } from '../../support/hostile-stage.ts';
import { isMade } from '../../support/own-folder.ts';
import { processesOf } from '../../support/processes-of.ts';
import { until } from '../../support/until.ts';

const COMMITS = { scm: { command: 'git', tasks: ['commit'] } };
const OUTSIDE = 'echo x >"$HOME/../by-gate"';
const HOST = { sandbox: { gates: 'host' } };
const RUN = ['run', '-p', 'Do it.', '-m', '1', '--json', '--sandbox=os'];

describe.skipIf(bubblewrapIsMissing())('in the os sandbox', () => {
  it('a gate cannot write outside, and does on the host if the operator wants that, which the banner says', async () => {
    await using inside = await openHostileStage();
    const refused = await inside.ralph(...RUN, '--agent', 'echo DONE', '--guardrail', OUTSIDE);
    expect({ code: refused.code, made: existsSync(join(inside.home, '../by-gate')) }, refused.stderr).toEqual({ code: 1, made: false });
    expect(refused.stderr).not.toContain('on the host');

    await using onHost = await openHostileStage({ settings: HOST });
    const run = await onHost.ralph(...RUN, '--agent', 'echo DONE', '--guardrail', OUTSIDE);
    expect({ code: run.code, made: existsSync(join(onHost.home, '../by-gate')) }, run.stderr).toEqual({ code: 0, made: true });
    expect(run.stderr).toContain('checks and hooks run on the host, outside the sandbox');
    expect(run.result?.sandbox).toMatchObject({ mode: 'os', gates: 'host' });
  });

  it.each([
    ['nothing of the operator', {}, false],
    ['what env.pass names', { env: { pass: ['DEPLOY_*'] } }, true],
    ['everything on the host', HOST, true],
  ])('a gate finds %s in its environment', async (_, settings, isFound) => {
    await using stage = await openHostileStage({ settings });
    const { code, stderr } = await stage.ralph(...RUN, '--agent', 'echo DONE', '--guardrail', 'env >gate.env');
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(stage.repo.path, 'gate.env'), 'utf8').includes(`${VARIABLE}=${SECRET_VALUE}`)).toBe(isFound);
  });

  it.each([
    ['inside', {}, false],
    ['on the host', HOST, true],
  ])('a hook of a commit runs %s', async (_, more, isMade) => {
    await using stage = await openHostileStage({ settings: { ...COMMITS, ...more } });
    const hook = `#!/bin/sh\n: >ran\necho x >"$HOME/by-hook" || true\n`;
    await chmod(await stage.repo.write('.husky/pre-commit', hook), 0o755);
    stage.repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'hook');
    const { code, stderr, result } = await stage.ralph(...RUN, '--agent', "sh -c 'cat >/dev/null; echo x >work.txt; echo DONE'", '--guardrail', 'true');
    expect({ code, commits: result?.commits }, stderr).toEqual({ code: 0, commits: 1 });
    expect([existsSync(join(stage.repo.path, 'ran')), existsSync(join(stage.home, 'by-hook'))]).toEqual([true, isMade]);
  });

  it('the setup of a worktree cannot write outside', async () => {
    const setup = 'echo x >"$HOME/by-setup"; env >set-up.env';
    await using stage = await openHostileStage({ settings: { worktree: { setup } } });
    const words = [
      'loop',
      'Do it.',
      '--agent',
      'echo COMPLETE',
      '--check',
      'test -e set-up.env',
      '--max-iterations',
      '1',
      '--worktree',
      '--json',
      '--sandbox=os',
    ];
    const { stderr } = await stage.ralph(...words);
    const root = `${stage.repo.path}.ralph`;
    const env = readFileSync(join(root, readdirSync(root)[0] ?? '', 'set-up.env'), 'utf8');
    expect(env, stderr).not.toContain(SECRET_VALUE);
    expect(existsSync(join(stage.home, 'by-setup'))).toBe(false);
  });

  it('an agent hears Ctrl-C and may clean up, and nothing is left', async () => {
    await using stage = await openHostileStage();
    await stage.repo.write('agent.sh', "trap 'echo INT >heard; exit 0' INT\n: >busy\nwhile :; do sleep 0.1; done\n");
    const running = stage.begin('run', '-p', 'Do it.', '--agent', 'sh agent.sh', '--guardrail', 'true', '--sandbox=os');
    await until('the agent is at work', () => isMade(stage.repo.path, 'busy'));
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    expect({ code, heard: readFileSync(join(stage.repo.path, 'heard'), 'utf8') }).toEqual({ code: 130, heard: 'INT\n' });
    expect(processesOf(dirname(stage.repo.path))).toEqual([]);
  });
});
