import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { isRunning, runningWithCommand } from '../../../test/support/live-processes.ts';
import { openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { until } from '../../../test/support/until.ts';

describe.skipIf(bubblewrapIsMissing())('a process in the os sandbox', () => {
  let stage: SandboxStage;
  let sleeper: ReturnType<typeof spawn>;
  beforeAll(async () => {
    stage = await openSandboxStage();
    await stage.keep('.ssh/id_x', 'the-secret');
    sleeper = spawn('sleep', ['600'], { env: { THE_VARIABLE: 'the-secret', PATH: process.env['PATH'] ?? '' } });
  });
  afterAll(async () => {
    sleeper.kill('SIGKILL');
    await stage[Symbol.asyncDispose]();
  });

  it('cannot see or end a process of the host', async () => {
    expect((await stage.inside(`kill -0 ${process.pid}; ls /proc/${sleeper.pid}`)).code).not.toBe(0);
    expect((await stage.outside(`kill -0 ${process.pid} && ls /proc/${sleeper.pid}`)).code).toBe(0);
    const { said } = await stage.inside('ls -d /proc/[0-9]* | wc -l');
    expect(Number(said)).toBeLessThan(8);
    await stage.inside('kill -9 -1');
    expect(isRunning(sleeper.pid ?? 0)).toBe(true);
  });

  it('cannot read the environment of a process of the host', async () => {
    const script = (pid: string) => `tr '\\0' '\\n' < /proc/${pid}/environ`;
    expect((await stage.outside(script(String(sleeper.pid)))).said).toContain('the-secret');
    expect((await stage.inside('cat /proc/[0-9]*/environ')).said).not.toContain('the-secret');
  });

  it('cannot outlive its run with its own session and two forks', async () => {
    const mark = `ralph-outlives-${process.pid}`;
    const daemon = `(setsid bash -c "(exec -a ${mark} sleep 600) & disown" >/dev/null 2>&1 &)`;
    const { said } = await stage.inside(`bash -c '${daemon}'; until grep -q ${mark} /proc/[0-9]*/cmdline; do sleep 0.05; done; echo it runs`);
    expect(said).toContain('it runs');
    await until('nothing is left', () => runningWithCommand(mark).length === 0);
  });

  it('cannot undo mounts to see hidden files', async () => {
    for (const script of [
      'umount ~/.ssh',
      'unshare -Urm umount ~/.ssh',
      'unshare -Urm sh -c "umount -l ~/.ssh; cat ~/.ssh/id_x"',
      'unshare -m true',
      'mount -o remount,rw /',
      'mount --bind / /tmp',
    ]) {
      const { code, said } = await stage.inside(`${script} && cat ~/.ssh/id_x`);
      expect(code, script).not.toBe(0);
      expect(said).not.toContain('the-secret');
    }
  });

  it('cannot create a device, or gain rights with a setuid program', async () => {
    expect((await stage.inside('mknod disk b 8 0')).code).not.toBe(0);
    const { said } = await stage.inside('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status');
    expect(said).toMatch(/CapEff:\s+0{16}\n.*CapBnd:\s+0{16}\n.*NoNewPrivs:\s+1/s);
  });

  it('cannot find hidden files through the processes around it', async () => {
    const { said } = await stage.inside('for p in /proc/[0-9]*; do cat $p/root$HOME/.ssh/id_x $p/cwd/../beside/home/.ssh/id_x; done');
    expect(said).not.toContain('the-secret');
  });

  it('cannot use files that were open when Ralph was started', async () => {
    const secret = await stage.keep('.ssh/open', 'the-secret');
    const fd = openSync(secret, 'r');
    const enclosed = await stage.wall.enclose({
      who: 'agent',
      file: 'sh',
      args: ['-c', 'cat <&9; ls /proc/self/fd'],
      cwd: stage.repo.path,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const stdio = ['ignore', 'pipe', 'pipe', ...Array.from({ length: 6 }, () => 'ignore' as const), fd] as const;
    const outside = spawnSync('bash', ['-c', 'cat <&9'], { stdio: [...stdio], encoding: 'utf8' });
    const again = openSync(secret, 'r');
    const inside = spawnSync(enclosed.file, [...enclosed.args], {
      cwd: enclosed.cwd,
      env: { ...enclosed.env },
      stdio: [...stdio.slice(0, 9), again],
      encoding: 'utf8',
    });
    for (const each of [fd, again]) closeSync(each);
    expect(outside.stdout).toBe('the-secret');
    expect(inside.stdout).not.toContain('the-secret');
  });

  it('cannot reach a terminal', async () => {
    expect((await stage.inside('exec 3</dev/tty')).code).not.toBe(0);
  });

  it('cannot change a setting of the kernel, not even as root', async () => {
    const script = 'cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && : >> /proc/sys/kernel/core_pattern';
    expect((await stage.inside(script)).code).not.toBe(0);
    if (process.getuid?.() === 0) expect((await stage.outside(script)).code).toBe(0);
  });
});
