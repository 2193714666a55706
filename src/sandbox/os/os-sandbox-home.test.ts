import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { addWorktree, openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';

const missing = bubblewrapIsMissing();
const PATH = process.env['PATH'] ?? '';

describe.skipIf(missing)('a secret that appears while a process is in the os sandbox', () => {
  /** Runs the script inside once the host has done something in the meantime, and returns the script's output. */
  async function meanwhile(stage: SandboxStage, script: string, host: () => Promise<void>): Promise<string> {
    const [begun, go] = ['begun', 'go'].map((name) => join(stage.repo.path, name));
    const inside = stage.inside(`touch begun; until [ -e go ]; do sleep 0.02; done; ${script}`);
    while (!existsSync(`${begun}`)) await new Promise((resolve) => setTimeout(resolve, 20));
    await host();
    await writeFile(`${go}`, '');
    return (await inside).said;
  }

  it('is not visible when it is created later', async () => {
    await using stage = await openSandboxStage();
    const said = await meanwhile(stage, 'cat ~/.netrc ~/.ssh/id_x ~/notes.txt', async () => {
      for (const name of ['.netrc', '.ssh/id_x', 'notes.txt']) await stage.keep(name, 'the-secret');
    });
    expect(said).not.toContain('the-secret');
    expect((await stage.outside('cat ~/.netrc')).said).toContain('the-secret');
  });

  it('is not visible when it is replaced by a rename, which removes a mount on it', async () => {
    await using stage = await openSandboxStage();
    const file = await stage.keep('.netrc', 'the-secret');
    const said = await meanwhile(stage, 'cat ~/.netrc', async () => {
      await writeFile(`${file}.new`, 'the-secret');
      await rename(`${file}.new`, file);
    });
    expect(said).not.toContain('the-secret');
  });

  it.each(['home', '/tmp', '/run/user'])('is not reachable when it is a socket created in %s', async (place) => {
    await using stage = await openSandboxStage();
    const base = place === 'home' ? stage.home : place;
    await mkdir(base, { recursive: true }).catch(() => undefined);
    const folder = await mkdtemp(join(base, 'ralph-test-')).catch(() => mkdtemp('/tmp/ralph-test-'));
    const path = join(folder, 's.sock');
    const script = `curl -s --max-time 5 --http0.9 --unix-socket ${path} http://x/`;
    const server = createServer((client) => client.end('hello'));
    const said = await meanwhile(stage, script, async () => {
      await new Promise<void>((resolve) => void server.listen(path, resolve));
      expect((await stage.outside(script)).said).toContain('hello');
    });
    server.close();
    await rm(folder, { recursive: true, force: true });
    expect(said).not.toContain('hello');
  });
});

describe.skipIf(missing)('a socket of another program', () => {
  it('may vanish with its folder at any time without failing a start', async () => {
    await using stage = await openSandboxStage();
    // Outside /tmp if possible, because /tmp is empty inside anyway.
    const folder = await mkdtemp('/opt/ralph-test-').catch(() => mkdtemp(join(stage.repo.beside, 'service-')));
    const path = join(folder, 'db.sock');
    const server = createServer((client) => client.end('hello'));
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    const script = `curl -s --max-time 5 --http0.9 --unix-socket ${path} http://x/`;
    expect((await stage.outside(script)).said).toContain('hello');
    expect((await stage.inside(script)).said).not.toContain('hello');
    const others = `ls -A ${dirname(folder)} | grep -v '^ralph-test-\\|^service-'`;
    expect((await stage.inside(others)).said).toBe((await stage.outside(others)).said);
    const call = { who: 'agent' as const, file: 'echo', args: ['started'], cwd: stage.repo.path, env: { PATH, HOME: stage.home } };
    const gone = {
      ...stage.wall,
      // The folder vanishes between Ralph's check and the mount.
      async enclose() {
        const enclosed = await stage.wall.enclose(call);
        server.close();
        await rm(folder, { recursive: true, force: true });
        return enclosed;
      },
    };
    expect(await stage.behind(gone)('')).toEqual({ code: 0, said: 'started\n' });
  });
});

describe.skipIf(missing)('a home in the os sandbox', () => {
  let stage: SandboxStage;
  beforeAll(async () => {
    stage = await openSandboxStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("has git's settings, with the files they include", async () => {
    await stage.keep(
      'dotfiles/gitconfig',
      '[user]\n\tname = Ada\n[includeIf "gitdir:/"]\n\tpath = ~/office/.gitconfig # at the office\n[core]\n\texcludesFile = ~/.ignored\n',
    );
    await stage.keep('office/.gitconfig', '[user]\n\temail = ada@office.example\n');
    await stage.keep('office/secret', 'the-secret');
    await stage.keep('.ignored', '*.bak\n');
    await symlink('dotfiles/gitconfig', join(stage.home, '.gitconfig'));
    const env = { PATH, HOME: stage.home };
    const script = 'touch a.bak; git config user.name; git config user.email; git check-ignore a.bak; cat ~/office/secret';
    expect((await stage.inside(script, { env })).said).toMatch(/^Ada\nada@office\.example\na\.bak\ncat: .*No such file/);
  });

  it('does not show a file that git includes because of a file an agent can write', async () => {
    await using own = await openSandboxStage();
    await own.keep('.ssh/id_x', 'the-secret');
    await own.keep('.gitconfig', `[include]\n\tpath = ${own.repo.path}/shared.gitconfig\n`);
    await own.repo.write('shared.gitconfig', '[include]\n\tpath = ~/.ssh/id_x\n[user]\n\tname = Ada\n');
    const lane = await addWorktree(own);
    for (const cwd of [own.repo.path, lane]) expect((await own.inside('cat ~/.ssh/id_x', { cwd })).said).not.toContain('the-secret');
    expect((await own.outside('cat ~/.ssh/id_x')).said).toContain('the-secret');
  });

  it('has a login that is stored elsewhere behind a link', async () => {
    const elsewhere = join(stage.repo.beside, 'claude-of-ada');
    await mkdir(elsewhere);
    await rm(join(stage.home, '.claude'), { recursive: true, force: true });
    await symlink(elsewhere, join(stage.home, '.claude'));
    expect(await stage.inside('echo new > ~/.claude/.credentials.json')).toMatchObject({ code: 0 });
    expect((await stage.outside('cat ~/.claude/.credentials.json')).said).toBe('new\n');
    expect(await stage.inside('cat ~/.claude/.credentials.json', { who: 'gate' })).not.toMatchObject({ code: 0 });
    await rm(join(stage.home, '.claude'));
  });

  it('may contain the work tree, and shows nothing else', async () => {
    const folder = join(stage.home, 'projects/mine');
    await mkdir(folder, { recursive: true });
    await stage.keep('projects/other/.env', 'the-secret');
    const { said } = await stage.inside('echo x > new && ls -A ~ ~/projects; cat ../other/.env', { cwd: folder });
    expect(said).not.toMatch(/the-secret|other$/m);
    expect(said).toContain('mine');
    expect(existsSync(join(folder, 'new'))).toBe(true);
  });

  it('is shown as a whole, and writable through a link, if the operator says so', async () => {
    await using own = await openSandboxStage(({ home, repo }) => {
      mkdirSync(join(repo.beside, 'out'));
      symlinkSync('../out', join(home, 'out'));
      return { readable: [home], writable: [join(home, 'out')] };
    });
    await own.keep('notes.txt', 'mine\n');
    expect((await own.inside('cat ~/notes.txt; echo x > ~/out/x; echo x > ~/x')).said).toMatch(/^mine\nsh: .*Read-only file system\n$/);
    expect(existsSync(join(own.repo.beside, 'out/x'))).toBe(true);
  });

  it('shows a folder behind a link if the operator opens it', async () => {
    await using own = await openSandboxStage(({ home, repo }) => {
      mkdirSync(join(repo.beside, 'out'));
      symlinkSync('../out', join(home, 'out'));
      return { writable: [join(home, 'out')] };
    });
    expect(await own.inside('echo x > ~/out/x')).toMatchObject({ code: 0 });
    expect(existsSync(join(own.repo.beside, 'out/x'))).toBe(true);
  });

  it('may be reached through a link', async () => {
    const link = join(stage.repo.beside, 'home-link');
    await symlink(stage.home, link);
    await stage.keep('.ssh/id_x', 'the-secret');
    const { said } = await stage.inside('echo x > ~/x && cat ~/x; cat ~/.ssh/id_x', { env: { PATH, HOME: link } });
    expect(said).toMatch(/^x\ncat: /);
    expect(existsSync(join(stage.home, 'x'))).toBe(false);
  });

  it.each(['/', '/usr'])('may be %s without hiding the system', async (home) => {
    await using odd = await openSandboxStage(() => ({ home }));
    expect(await odd.inside('ls /usr/bin >/dev/null && node -p 1 && echo x > new', { who: 'gate', env: { PATH, HOME: home } })).toEqual({
      code: 0,
      said: '1\n',
    });
  });

  it('may be that of the user who runs the tests, with its tools', async () => {
    const home = await realpath(process.env['HOME'] ?? '/root');
    await using own = await openSandboxStage(() => ({ home }));
    const tools = ['node', 'git', 'python3', 'cargo', 'go', 'npm'];
    const script = `for t in ${tools.join(' ')}; do command -v $t >/dev/null && { case $t in go) go version;; *) $t --version;; esac >/dev/null 2>&1 && echo $t; }; done; true`;
    const env = { PATH, HOME: home };
    const outside = await own.outside(script, { env });
    expect(outside.said).toContain('node\ngit\n');
    expect((await own.inside(script, { env })).said).toBe(outside.said);
  });
});
