import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../../test/support/repo.ts';
import { skipLoudly } from '../../../test/support/skip-loudly.ts';
import { capture } from '../../process/capture.ts';
import { openDockerCommands } from './docker-commands.ts';
import { createArgs, execArgs, removeArgs, SBX, sbxAllowArgs, sbxCheckArgs, stopArgs } from './docker-grammar.ts';
import { findDocker } from './find-docker.ts';

const wanted = process.env['RALPH_E2E_SBX'] === '1';
const isLeftOut = skipLoudly(wanted ? null : 'the Docker sandbox on a real sbx, which needs RALPH_E2E_SBX=1, a virtual machine and a Docker login', 'skip');

describe.skipIf(isLeftOut)('a real sbx', () => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: homedir() };

  it('lists every flag that Ralph uses in its own help', async () => {
    const helpOf = async (...words: readonly string[]) => (await capture({ file: 'sbx', args: [...words, '--help'], cwd: '/', env, timeoutMs: 30_000 })).stdout;
    expect(await helpOf('create')).toContain('--name');
    for (const flag of ['--interactive', '--env-file', '--user', '--workdir']) expect(await helpOf('exec')).toContain(flag);
    expect(await helpOf('rm')).toContain('--force');
    expect(await helpOf('ls')).toContain('--json');
    expect(await helpOf('policy', 'allow', 'network')).toContain('--sandbox');
    expect(await helpOf('policy', 'check', 'network')).toContain('--json');
  });

  it('creates, runs, lists, stops and removes a sandbox with our command lines', { timeout: 20 * 60_000 }, async () => {
    await using repo = await openRepo({ 'a.txt': 'one\n' });
    expect(await findDocker(env, repo.path)).toEqual(SBX);
    const commands = openDockerCommands(SBX, env, repo.path);
    const name = `ralph-e2e-${process.pid}`;
    await commands.must('making it', createArgs(SBX, { name, template: 'shell', paths: [repo.path], readOnly: [] }), { timeoutMs: 15 * 60_000 });
    try {
      expect((await commands.list()).find((row) => row.name === name)?.workspaces).toContain(repo.path);
      await commands.must('its policy', sbxAllowArgs(name, ['example.com:443']));
      expect((await commands.ask(sbxCheckArgs(name, 'example.com:443'))).stdout).toContain('"allowed"');
      expect(await commands.must('reading', execArgs(SBX, { name, cwd: repo.path, command: ['cat', 'a.txt'] }))).toContain('one');
      await commands.must('stopping', stopArgs(SBX, name));
      expect((await commands.list()).find((row) => row.name === name)?.status).toBe('stopped');
    } finally {
      await commands.must('removing', removeArgs(SBX, name));
    }
    expect((await commands.list()).some((row) => row.name === name)).toBe(false);
  });
});
