import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { addWorktree, openSandboxStage } from '../../../test/support/os-sandbox-stage.ts';

const missing = bubblewrapIsMissing();
const PATH = process.env['PATH'] ?? '';

/** Prints where it is, and what is beside it in its package. */
const PROGRAM = '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")"); echo "runs with $(cat "$here/../lib/part")"\n';

function program(path: string, part = 'its part'): void {
  for (const [file, text] of [[path, PROGRAM] as const, [join(dirname(path), '../lib/part'), part] as const]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  chmodSync(path, 0o755);
}

describe.skipIf(missing)('a tool in the home', () => {
  const tool = async (at: string, { onPath = dirname(at), links = {} }: { readonly onPath?: string; readonly links?: Record<string, string> } = {}) => {
    await using stage = await openSandboxStage();
    program(join(stage.home, at));
    for (const [link, to] of Object.entries(links)) {
      await mkdir(dirname(join(stage.home, link)), { recursive: true });
      await symlink(to, join(stage.home, link));
    }
    const env = { PATH: `${join(stage.home, onPath)}:${PATH}`, HOME: stage.home };
    return (await stage.inside('', { file: 'tool', args: [], env })).said;
  };

  it.each<[string, string, Parameters<typeof tool>[1]]>([
    ['of nvm', '.nvm/versions/node/v20/bin/tool', {}],
    ['behind a link to the current version', '.versions/v2/bin/tool', { onPath: '.versions/now/bin', links: { '.versions/now': 'v2' } }],
    [
      'behind a link in ~/.local/bin',
      '.local/share/claude/versions/2/bin/tool',
      { onPath: '.local/bin', links: { '.local/bin/tool': '../share/claude/versions/2/bin/tool' } },
    ],
    ['behind two links', 'opt/tool-2/bin/tool', { onPath: '.local/bin', links: { '.local/bin/tool': '../../opt/now/bin/tool', 'opt/now': 'tool-2' } }],
    [
      'of npm',
      '.npm-global/lib/node_modules/tool/bin/tool',
      { onPath: '.npm-global/bin', links: { '.npm-global/bin/tool': '../lib/node_modules/tool/bin/tool' } },
    ],
    ['of cargo', '.cargo/bin/tool', {}],
    ['of rustup', '.rustup/toolchains/stable/bin/tool', { onPath: '.cargo/bin', links: { '.cargo/bin/tool': '../../.rustup/toolchains/stable/bin/tool' } }],
    ['of an unknown tool manager', '.strange/bin/tool', {}],
    ['in a folder without a dot', 'sdk/bin/tool', {}],
  ])('%s is found and has its parts', async (_who, at, place) => {
    // Files beside the `bin` of cargo are not shown: a token is there.
    if (at.startsWith('.cargo')) expect(await tool(at, place)).toContain('runs with');
    else expect(await tool(at, place)).toBe('runs with its part\n');
  });

  it.each(['/tmp', '/dev/shm'])('may be named by its path, in the home and in %s', async (ofAll) => {
    await using stage = await openSandboxStage();
    const folder = await mkdtemp(join(ofAll, 'ralph-test-'));
    for (const file of [join(stage.home, 'agents/bin/tool'), join(folder, 'bin/tool')]) {
      program(file);
      expect((await stage.inside('', { file, args: [] })).said).toBe('runs with its part\n');
    }
    await rm(folder, { recursive: true });
  });

  it('does not show a token beside it', async () => {
    await using stage = await openSandboxStage();
    for (const name of ['.cargo/credentials.toml', '.rye/credentials', '.stack/upload/credentials.json', '.pub-cache/credentials.json', '.gem/credentials']) {
      await stage.keep(name, 'the-secret');
      expect((await stage.outside(`cat ~/${name}`)).said).toBe('the-secret');
      expect([name, (await stage.inside(`cat ~/${name}`)).said]).toEqual([name, expect.stringContaining('No such file')]);
    }
  });

  it('is read-only, and so are its downloads', async () => {
    await using stage = await openSandboxStage();
    for (const name of ['.cargo/registry/x', '.rustup/toolchains/x', 'go/pkg/mod/x', '.m2/repository/x', '.gradle/caches/x']) {
      await stage.keep(name, 'fetched');
      expect((await stage.inside(`cat ~/${name}`)).said).toBe('fetched');
      expect(await stage.inside(`echo x > ~/${name}`)).not.toMatchObject({ code: 0 });
    }
  });

  it('shows no secret beside it, and none behind a link in it', async () => {
    await using stage = await openSandboxStage();
    program(join(stage.home, '.strange/bin/tool'));
    for (const name of ['.cargo/credentials.toml', '.strange/token', '.ssh/id_x', '.gradle/gradle.properties']) await stage.keep(name, 'the-secret');
    await stage.keep('.cargo/bin/cargo', '');
    await symlink('../../.ssh/id_x', join(stage.home, '.strange/bin/key'));
    await symlink('../../.ssh', join(stage.home, '.strange/bin/keys'));
    await symlink('.ssh', join(stage.home, '.nvm'));
    await symlink(stage.home, join(stage.home, '.strange/bin/all'));
    const env = { PATH: `${stage.home}/.strange/bin:${stage.home}/.cargo/bin:${stage.home}/.strange/bin/all:${PATH}`, HOME: stage.home };
    const script = 'cat ~/.cargo/credentials.toml ~/.strange/token ~/.ssh/id_x ~/.strange/bin/key ~/.strange/bin/keys/* ~/.gradle/gradle.properties';
    expect((await stage.inside(script, { env })).said).not.toContain('the-secret');
    expect((await stage.outside(script, { env })).said).toContain('the-secret');
  });

  it('is not shown if an agent could have created the link to it', async () => {
    await using stage = await openSandboxStage();
    await stage.keep('.vault/bin/unlock-vault', 'the-secret');
    await chmod(join(stage.home, '.vault/bin/unlock-vault'), 0o755);
    const bin = join(stage.repo.path, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(stage.home, '.vault/bin/unlock-vault'), join(bin, 'unlock-vault'));
    const env = { PATH: `${bin}:${PATH}`, HOME: stage.home };
    expect((await stage.inside('cat ~/.vault/bin/unlock-vault', { env })).said).not.toContain('the-secret');
    expect(await stage.inside('', { env, file: 'unlock-vault', args: [] })).toMatchObject({ code: 127 });
    expect((await stage.inside('', { env, file: join(bin, 'unlock-vault'), args: [] })).said).not.toContain('the-secret');
    const lane = await addWorktree(stage);
    expect((await stage.inside('', { env, cwd: lane, file: 'unlock-vault', args: [] })).said).not.toContain('the-secret');
  });
});

describe.skipIf(missing)('npm', () => {
  it('has a cache for the project, which is kept', async () => {
    await using stage = await openSandboxStage();
    await stage.repo.write('pkg/package.json', '{"name":"a-package-of-ours","version":"1.0.0"}');
    expect(await stage.inside('npm pack --silent ./pkg && npm cache add ./a-package-of-ours-1.0.0.tgz')).toMatchObject({ code: 0 });
    expect((await stage.inside('npm cache ls')).said).toContain('a-package-of-ours-1.0.0.tgz');
    expect(existsSync(join(stage.home, '.npm'))).toBe(false);
  });
});
