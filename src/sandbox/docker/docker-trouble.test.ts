import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { deepIt } from '../../../test/support/deep.ts';
import { openDockerStage, runBehind } from '../../../test/support/sandbox-stand-in/docker-stage.ts';
import { onlyForRoot } from '../../../test/support/skip-loudly.ts';
import { until } from '../../../test/support/until.ts';
import { sandboxName } from './find-docker.ts';
import { openDockerSandbox } from './open-docker-sandbox.ts';

const unavailable = (message: RegExp, hint: RegExp) => ({
  name: 'OperatorError',
  code: 'sandbox-unavailable',
  exitCode: 4,
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
});

describe('a Docker that cannot be used (with a stand-in)', () => {
  it.each([
    ['sbx', { signedIn: false }, /Not authenticated/, /sbx login/],
    ['sbx', { engine: false }, /connection refused/, /sbx ls/],
    ['docker', { engine: false }, /connection refused/, /Docker Desktop/],
    ['sbx', { createFails: true }, /making it failed: .*no space left/, /sbx ls/],
    ['sbx', { emptyLists: 9 }, /says nothing that can be read/, /newer version/],
  ] as const)('%s with %j gives one clear error', async (flavour, switches, message, hint) => {
    await using stage = await openDockerStage(flavour);
    await stage.standIn.set(switches);
    await expect(openDockerSandbox(stage.options)).rejects.toMatchObject(unavailable(message, hint));
  });

  it('gives one clear error when it is no longer installed', async () => {
    await using stage = await openDockerStage('sbx');
    await expect(openDockerSandbox({ ...stage.options, env: { PATH: '/nowhere' } })).rejects.toMatchObject(unavailable(/ENOENT/, /no longer there/));
  });

  it('has no template for an unknown agent: sbx makes a plain machine, docker sandbox gives an error', async () => {
    await using old = await openDockerStage('docker');
    await expect(openDockerSandbox({ ...old.options, agentKind: 'command', template: null })).rejects.toMatchObject(
      unavailable(/no template .*"command"/, /sbx/),
    );
    expect(old.standIn.calls()).toEqual([]);
  });
});

describe.skipIf(bubblewrapIsMissing())('a Docker sandbox with a problem (with a stand-in)', () => {
  it('is refused before an agent starts if its version ignores --env-file', async () => {
    await using stage = await openDockerStage('sbx');
    await stage.standIn.set({ ignoresEnvFile: true });
    await expect(openDockerSandbox(stage.options)).rejects.toMatchObject(unavailable(/--env-file/, /0\.37/));
  });

  it('is refused if the policy of the machine allows every host, and opens with a warning if it allows more than the run needs', async () => {
    await using open = await openDockerStage('sbx');
    await open.standIn.say(['sbx', 'policy', 'init', 'allow-all']);
    await expect(openDockerSandbox(open.options)).rejects.toMatchObject(unavailable(/allows every host/, /deny-all/));

    await using balanced = await openDockerStage('sbx');
    await balanced.standIn.say(['sbx', 'policy', 'init', 'balanced']);
    await using _ = await openDockerSandbox(balanced.options);
    expect(balanced.warnings).toEqual([expect.stringContaining('more than the hosts of this run')]);
  });

  it('is not touched when its name belongs to another project', async () => {
    await using stage = await openDockerStage('sbx');
    await stage.standIn.say(['sbx', 'policy', 'init', 'deny-all']);
    await stage.standIn.say(['sbx', 'create', '--name', sandboxName(stage.options.cli, stage.repo.path), 'claude', stage.repo.beside]);
    await expect(openDockerSandbox(stage.options)).rejects.toMatchObject(unavailable(/another project, .*beside/, /sbx rm --force ralph-/));
    expect(stage.said('stop')).toEqual([]);
  });

  it('that lacks a folder is reported, with the command to create it again', async () => {
    await using stage = await openDockerStage('docker');
    await using _ = await openDockerSandbox(stage.options);
    await expect(openDockerSandbox({ ...stage.options, extraPaths: [stage.repo.beside] })).rejects.toMatchObject(
      unavailable(/made without .*beside/, /docker sandbox rm/),
    );
  });

  it('for an unknown agent is a plain machine with another name', async () => {
    await using stage = await openDockerStage('sbx');
    await using _ = await openDockerSandbox({ ...stage.options, agentKind: 'command', template: null });
    expect(stage.said('create')[0]?.slice(1, 4)).toEqual(['--name', sandboxName(stage.options.cli, stage.repo.path, 'shell'), 'shell']);
  });

  deepIt('each starts several machines of the stand-in')('that is removed during the run is created again, with the same setup', async () => {
    await using stage = await openDockerStage('sbx');
    await using wall = await openDockerSandbox(stage.options);
    await runBehind(wall, stage, 'echo two >a.txt');
    await stage.standIn.say(['sbx', 'rm', '--force', sandboxName(stage.options.cli, stage.repo.path)]);
    expect((await runBehind(wall, stage, 'cat a.txt; git config user.name')).text).toBe('two\nRalph Loop');
    expect(stage.warnings).toContainEqual(expect.stringContaining('made again'));
  });

  it('whose engine stops during the run gives one clear error, and the command does not run unsandboxed', async () => {
    await using stage = await openDockerStage('docker');
    await using wall = await openDockerSandbox(stage.options);
    await stage.standIn.set({ engine: false });
    await expect(runBehind(wall, stage, 'true')).rejects.toMatchObject(unavailable(/connection refused/, /Docker Desktop/));
  });

  it('refuses to work in a folder it does not have', async () => {
    await using stage = await openDockerStage('sbx');
    await using wall = await openDockerSandbox(stage.options);
    await expect(runBehind(wall, stage, 'true', { cwd: stage.repo.beside })).rejects.toMatchObject(unavailable(/does not have the folder/, /It has .*repo/));
  });

  deepIt('each starts several machines of the stand-in')('that other runs use is not stopped, and still sees what the loop has written', async () => {
    await using stage = await openDockerStage('sbx');
    await using wall = await openDockerSandbox({ ...stage.options, alone: false });
    await runBehind(wall, stage, 'true');
    await writeFile(join(stage.repo.path, 'a.txt'), 'two\n');
    stage.repo.git('commit', '-qam', 'by the loop');
    expect((await runBehind(wall, stage, 'cat a.txt')).text).toBe('two');
    expect(stage.said('stop')).toEqual([]);
    expect(stage.warnings).toContainEqual(expect.stringContaining('only after all agents'));
  });

  deepIt('each starts several machines of the stand-in')('has no process left after a call whose client was killed', async () => {
    if (onlyForRoot('what is left running in the stand-in')) return;
    await using stage = await openDockerStage('sbx');
    await using wall = await openDockerSandbox(stage.options);
    const script = 'setsid sh -c "while :; do sleep 1; done" & trap "" TERM; while :; do sleep 1; done';
    const enclosed = await wall.enclose({ who: 'agent', file: 'sh', args: ['-c', script], cwd: stage.repo.path, env: {} });
    const client = spawn(enclosed.file, [...enclosed.args], { cwd: enclosed.cwd, env: enclosed.env, stdio: 'ignore' });
    const mark = /^RALPH_INSIDE=.*$/m.exec(await readFile(enclosed.args[enclosed.args.indexOf('--env-file') + 1] ?? '', 'utf8'))?.[0] ?? '';
    await until('both run inside', async () => (await carriersOf(mark)) >= 2);
    client.kill('SIGKILL');
    await once(client, 'exit');
    expect(await carriersOf(mark)).toBeGreaterThanOrEqual(2);
    await enclosed.leave();
    expect(await carriersOf(mark)).toBe(0);
  });
});

/** The host's processes that have the marker. */
async function carriersOf(mark: string): Promise<number> {
  const found = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''));
  return (await Promise.all(found)).filter((environ) => mark !== '' && environ.split('\0').includes(mark)).length;
}
