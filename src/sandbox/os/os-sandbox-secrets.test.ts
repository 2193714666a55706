import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { definitionNamed } from '../../agents/find-definition.ts';

const missing = bubblewrapIsMissing();

const SECRET_OF = /ssh|gh\/|netrc/;

const SECRETS = [
  ...['.ssh/id_x', '.aws/credentials', '.gnupg/key', '.kube/config', '.docker/config.json', '.npmrc', '.netrc', '.pgpass', '.git-credentials', '.vault-token'],
  ...[
    '.config/gh/hosts.yml',
    '.config/gcloud/c.db',
    '.config/google-chrome-beta/Cookies',
    '.mozilla/x',
    '.local/share/keyrings/login',
    '.cargo/credentials.toml',
  ],
  ...[
    '.m2/settings.xml',
    '.gradle/gradle.properties',
    '.bash_history',
    '.psql_history',
    '.python_history',
    '.zsh_sessions/x',
    '.local/share/fish/fish_history',
  ],
  ...[
    '.codex/auth.json',
    '.gemini/oauth.json',
    '.local/share/opencode/auth.json',
    '.local/share/amp/secrets.json',
    '.config/amp/settings.json',
    '.aider.conf.yml',
  ],
];

describe.skipIf(missing)('a process in the os sandbox', () => {
  let stage: SandboxStage;
  beforeAll(async () => {
    stage = await openSandboxStage(({ home }) => ({ readable: [join(home, '.config/hub')] }));
    for (const name of [...SECRETS, '.claude/.credentials.json', '.config/hub', '.gitconfig', '.cargo/registry/x']) await stage.keep(name, 'the-secret\n');
    await mkdir(join(stage.repo.beside, 'elsewhere'));
    await writeFile(join(stage.repo.beside, 'elsewhere/token'), 'the-secret\n');
    await symlink(join(stage.repo.beside, 'elsewhere'), join(stage.home, '.azure'));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each([...SECRETS, '.azure/token'])('does not see ~/%s', async (name) => {
    expect((await stage.inside(`cat ~/${name}`)).said).not.toContain('the-secret');
    expect((await stage.outside(`cat ~/${name}`)).said).toContain('the-secret');
  });

  it('does not see the target of a hidden link under its own path', async () => {
    expect((await stage.inside('cat ../beside/elsewhere/token')).said).not.toContain('the-secret');
  });

  it('does not see the login of the agent if it is a gate', async () => {
    const script = 'cat ~/.claude/.credentials.json';
    expect((await stage.inside(script, { who: 'gate' })).said).not.toContain('the-secret');
    expect((await stage.inside(script, { who: 'agent' })).said).toContain('the-secret');
  });

  it('sees tools, git settings and what the operator shows', async () => {
    const { said } = await stage.inside('cat ~/.gitconfig ~/.cargo/registry/x ~/.config/hub');
    expect(said.match(/the-secret/g)).toHaveLength(3);
  });

  it('does not reach sockets of other programs, even in a folder it may read', async () => {
    const path = join(stage.repo.path, 'engine.sock');
    const server = createServer((client) => client.end('hello')).listen(path);
    const script = `curl -s --max-time 5 --http0.9 --unix-socket ${path} http://x/`;
    expect((await stage.inside(script)).said).not.toContain('hello');
    expect((await stage.outside(script)).said).toContain('hello');
    server.close();
  });

  it('does not see the runtime folder of a session, where a keyring and a container engine listen', async () => {
    const { said } = await stage.inside('ls -A /run /tmp /var/tmp /dev/shm');
    // Only the path to the stage itself, the folder of all tests and the socket of its own proxy are there.
    const others = said.split('\n').filter((line) => !/^(\/.*:|ralph-check-\w+)?$/.test(line) && !stage.repo.path.split('/').includes(line));
    expect(others).toEqual([expect.stringMatching(/^ralph-wall-.*\.sock$/)]);
  });
});

describe.skipIf(missing)('the login of an agent in the os sandbox', () => {
  it('can be renewed, but the agent can leave nothing in it that the host runs later', async () => {
    await using stage = await openSandboxStage();
    await stage.keep('.claude/settings.json', '{}');
    await stage.keep('.claude/.credentials.json', 'old');
    const { said } = await stage.inside(
      [
        'cd ~/.claude; echo new > .credentials.tmp && mv .credentials.tmp .credentials.json && echo renewed',
        'echo x > settings.json && echo hooked',
        'mv ../.claude ../c && echo moved',
      ].join('; '),
    );
    expect(said).toContain('renewed');
    expect(said).not.toMatch(/hooked|moved/);
    expect(await readFile(join(stage.home, '.claude/.credentials.json'), 'utf8')).toBe('new\n');
  });

  it('is reverted after an unexpected change, which is reported', async () => {
    await using stage = await openSandboxStage();
    await mkdir(join(stage.home, '.claude'));
    await writeFile(join(stage.repo.beside, 'mine.md'), 'mine');
    await symlink(join(stage.repo.beside, 'mine.md'), join(stage.home, '.claude/CLAUDE.md'));
    await stage.inside('mkdir ~/.claude/hooks && echo x > ~/.claude/hooks/evil; rm ~/.claude/CLAUDE.md; echo evil > ~/.claude/CLAUDE.md; touch .git/commondir');
    expect(existsSync(join(stage.home, '.claude/hooks'))).toBe(false);
    expect(await readFile(join(stage.home, '.claude/CLAUDE.md'), 'utf8')).toBe('mine');
    expect(existsSync(join(stage.repo.path, '.git/commondir'))).toBe(false);
    const planted = ['.claude/CLAUDE.md', '.claude/hooks'].map((name) => join(stage.home, name));
    for (const target of [...planted, join(stage.repo.path, '.git/commondir')]) expect(stage.refused).toContainEqual({ what: 'planted', target });
    expect(stage.refused).toHaveLength(3);
  });

  it('is a copy if it also contains commands to run', async () => {
    await using stage = await openSandboxStage();
    await stage.keep('.claude.json', '{"mcpServers":{}}');
    expect((await stage.inside('echo evil > ~/.claude.json; cat ~/.claude.json')).said).toContain('evil');
    expect((await stage.inside('cat ~/.claude.json')).said).toContain('evil');
    expect(await readFile(join(stage.home, '.claude.json'), 'utf8')).toBe('{"mcpServers":{}}');
  });

  it('gives codex a folder to unpack its skills, and keeps nothing of it', async () => {
    await using stage = await openSandboxStage(() => ({ login: definitionNamed('codex').login }));
    expect(await stage.inside('mkdir ~/.codex/skills/.system && echo evil > ~/.codex/skills/evil')).toMatchObject({ code: 0 });
    await stage.keep('.codex/skills/mine', 'mine');
    expect(await stage.inside('cat ~/.codex/skills/mine && echo evil > ~/.codex/skills/mine')).not.toMatchObject({ code: 0 });
    expect((await stage.outside('ls -A ~/.codex/skills; cat ~/.codex/skills/*')).said).toBe('mine\nmine');
    expect(stage.refused).toEqual([]);
  });

  it('may be in the folder that a variable names', async () => {
    await using stage = await openSandboxStage();
    const folder = join(stage.repo.beside, 'login');
    await mkdir(folder);
    await writeFile(join(folder, '.claude.json'), 'mine');
    const env = { PATH: process.env['PATH'] ?? '', HOME: stage.home, CLAUDE_CONFIG_DIR: folder };
    const { code } = await stage.inside('echo x > $CLAUDE_CONFIG_DIR/x && echo evil > $CLAUDE_CONFIG_DIR/.claude.json', { env });
    expect(code).toBe(0);
    expect(await readFile(join(folder, '.claude.json'), 'utf8')).toBe('mine');
  });

  it('may be missing, and so may the home', async () => {
    await using stage = await openSandboxStage(() => ({ home: null }));
    expect(await stage.inside('true', { env: { PATH: process.env['PATH'] ?? '' } })).toMatchObject({ code: 0 });
    await using other = await openSandboxStage(({ repo }) => ({ home: join(repo.beside, 'nowhere') }));
    expect(await other.inside('true')).toMatchObject({ code: 0 });
  });
});

describe.skipIf(missing)('a work tree in an unusual place', () => {
  it('may be the home itself, and its secrets are still hidden', async () => {
    await using stage = await openSandboxStage(({ home }) => {
      for (const name of ['.ssh/id_x', '.config/gh/hosts.yml', '.netrc', '.config/nvim/init.lua', '.github/ci.yml', '.eslintrc', '.nvm/bin/tool']) {
        mkdirSync(dirname(join(home, name)), { recursive: true });
        writeFileSync(join(home, name), SECRET_OF.test(name) ? 'the-secret' : 'no-secret\n');
      }
      return { commonDir: join(home, '.git'), tracked: ['.config/nvim', '.github/ci.yml', '.eslintrc'] };
    });
    await rename(join(stage.repo.path, '.git'), join(stage.home, '.git'));
    const { said } = await stage.inside(
      'echo x > new && git add new && git commit -qm x && echo done; cat .ssh/id_x .config/gh/hosts.yml .netrc; mv .config c && echo moved',
      { cwd: stage.home },
    );
    expect(said).toContain('done');
    const project = 'cat .config/nvim/init.lua .github/ci.yml .eslintrc .nvm/bin/tool && echo x > .eslintrc.new && echo x > .config/nvim/new';
    expect((await stage.inside(project, { cwd: stage.home })).said).toBe('no-secret\n'.repeat(4));
    expect((await stage.inside('cat .eslintrc.new .config/nvim/new', { cwd: stage.home })).said).toBe('x\nx\n');
    expect(said).not.toMatch(/the-secret|moved/);
  });

  it('may be in a hidden folder, and everything beside it is hidden', async () => {
    await using stage = await openSandboxStage();
    await stage.keep('.ssh/id_x', 'the-secret');
    const folder = join(stage.home, '.ssh/project');
    await mkdir(folder);
    const { said } = await stage.inside('echo x > new && echo wrote; cat ../id_x', { cwd: folder });
    expect(said).toContain('wrote');
    expect(said).not.toContain('the-secret');
    expect(await readFile(join(folder, 'new'), 'utf8')).toBe('x\n');
  });
});

describe.skipIf(missing)('the key that signs receipts', () => {
  const who = ['agent', 'gate'] as const;
  it.each(who)('is not visible to an %s in the home or in XDG_CONFIG_HOME, even if the folder around it is shown', async (each) => {
    await using stage = await openSandboxStage(({ repo, home }) => ({
      hidden: [join(home, '.config/ralph'), join(repo.beside, 'config/ralph'), join(home, 'nowhere')],
      readable: [join(home, '.config')],
    }));
    const inHome = await stage.keep('.config/ralph/receipt-key.pem', 'the-secret');
    await stage.keep('.config/other', 'for-all');
    const elsewhere = join(stage.repo.beside, 'config/ralph/receipt-key.pem');
    mkdirSync(dirname(elsewhere), { recursive: true });
    writeFileSync(elsewhere, 'the-secret');
    const script = `cat ${inHome} ${elsewhere} ~/.config/other; echo mine > ${inHome}; echo mine > ${elsewhere}`;
    const { said } = await stage.inside(script, { who: each });
    expect(said).toContain('for-all');
    expect(said).not.toContain('the-secret');
    expect((await stage.outside(`cat ${inHome} ${elsewhere}`)).said).toBe('the-secretthe-secret');
  });

  it('is not visible in a home of which nothing is shown', async () => {
    await using stage = await openSandboxStage();
    const file = await stage.keep('.config/ralph/receipt-key.pem', 'the-secret');
    expect((await stage.inside(`cat ${file}`)).said).not.toContain('the-secret');
  });
});
