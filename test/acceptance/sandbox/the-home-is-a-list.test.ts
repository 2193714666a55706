import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { giveTo, openTemporary, users } from '../../support/ordinary-user.ts';
import { CLI } from '../../support/ralph.ts';
import { runBinary } from '../../support/run-binary.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const KEYCTL = process.arch === 'x64' ? 250 : 219;

const SECRETS = [
  ...['.ssh/id_ed25519', '.aws/credentials', '.config/gh/hosts.yml', '.netrc', '.npmrc', '.git-credentials', '.cargo/credentials.toml', '.docker/config.json'],
  ...['.mozilla/firefox/x/logins.json', '.config/google-chrome/Default/Cookies', '.bash_history', '.zsh_history', '.local/share/keyrings/login.keyring'],
  ...['.codex/auth.json', '.claude/.credentials.json', '.gemini/oauth_creds.json', '.local/share/opencode/auth.json', '.aider.conf.yml'],
  ...['.some-tool-of-tomorrow/token', 'passwords.txt', 'projects/other/.env', '.bashrc'],
];

/** Looks at all it can, and tells in a file of the project. */
const AGENT = `#!/bin/sh
{ for f in ${SECRETS.map((name) => `"$HOME/${name}"`).join(' ')}; do cat "$f"; done
  ls -A "$HOME"; cat "$(dirname "$0")/../lib/part"; echo mine > "$HOME/x" && cat "$HOME/x"
  git config user.name; git config user.email
  perl -e 'syscall(${KEYCTL}, 0, -3, 1, 0, 0); print "keyring: $!\\n"'
} > seen.txt 2>&1
git add seen.txt && git commit -qm "by the agent" && echo DONE
`;

interface Wishes {
  readonly before: readonly string[];
  /** Below the home. */
  readonly tree: string;
  readonly settings?: object;
  readonly env?: (home: string) => Readonly<Record<string, string>>;
}

/** A home as people have it, and a run of an agent that lies in it. */
async function runIn(base: string, { before, tree, settings = {}, env = (home) => ({ HOME: home }) }: Wishes) {
  const home = join(base, 'home');
  const keep = (name: string, text: string) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  for (const name of SECRETS) keep(name, `the-secret in ${name}\n`);
  keep('.nvm/versions/node/v20/bin/agent', AGENT);
  keep('.nvm/versions/node/v20/lib/part', 'its part\n');
  chmodSync(join(home, '.nvm/versions/node/v20/bin/agent'), 0o755);
  keep('.gitconfig', `[user]\n\tname = Ada\n[includeIf "gitdir:${base}/"]\n\tpath = ~/.gitconfig-work\n`);
  keep('.gitconfig-work', '[user]\n\temail = ada@work.example\n');
  const cwd = join(home, tree);
  keep(join(tree, '.ralph/settings.json'), JSON.stringify(settings));
  keep(join(tree, 'readme.txt'), 'hello\n');
  giveTo(before, base);
  const asWho = (words: readonly string[]) => [...before, ...words] as unknown as readonly [string, ...string[]];
  const variables = { PATH: `${home}/.nvm/versions/node/v20/bin:${PATH}`, ...env(home) };
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', 'readme.txt', '.ralph/settings.json'],
    ['commit', '-qm', 'first'],
  ]) {
    const [file, ...args] = asWho(['git', ...words]);
    execFileSync(file, args, { cwd, env: { ...variables, HOME: home } });
  }
  const words = [process.execPath, CLI, 'run', '-p', 'Do it.', '-m', '1', '--agent', 'agent', '--guardrail', 'test -s seen.txt', '--sandbox=os'];
  const [file, ...args] = asWho(words);
  const { code, stderr } = await runBinary({ file, args, cwd, env: variables, stdin: '', withinMs: 60_000 });
  expect(code, stderr).toBe(0);
  return {
    home,
    stderr,
    seen: readFileSync(join(cwd, 'seen.txt'), 'utf8'),
    subject: () => execFileSync('git', ['-c', `safe.directory=${cwd}`, 'log', '-1', '--format=%s %ae'], { cwd, encoding: 'utf8' }).trim(),
  };
}

describe.skipIf(bubblewrapIsMissing()).each(users())('in the sandbox %s', (_who, before) => {
  it('sees no secret of the home, known or unknown, and all that is needed to work', async () => {
    await using temporary = await openTemporary();
    const { home, seen, subject, stderr } = await runIn(temporary.path, { before, tree: 'projects/mine' });
    expect(seen).not.toContain('the-secret');
    expect(seen).toMatch(/its part\nmine\nAda\nada@work\.example\nkeyring: Operation not permitted\n$/);
    expect(existsSync(join(home, 'x'))).toBe(false);
    expect(subject()).toBe('by the agent ada@work.example');
    expect(stderr).toContain('your home is empty except for');
  });

  it('sees what the settings name', async () => {
    await using temporary = await openTemporary();
    const settings = { sandbox: { readable: ['~/.some-tool-of-tomorrow', '~/passwords.txt'] } };
    const { seen } = await runIn(temporary.path, { before, tree: 'mine', settings });
    expect(seen.match(/the-secret in .*/g)).toEqual(['the-secret in .some-tool-of-tomorrow/token', 'the-secret in passwords.txt']);
  });

  it('sees no secret where the work tree is the home itself', async () => {
    await using temporary = await openTemporary();
    const { seen, subject } = await runIn(temporary.path, { before, tree: '' });
    expect(seen.match(/the-secret in .*/g)).toEqual(['the-secret in passwords.txt', 'the-secret in projects/other/.env']);
    expect(subject()).toContain('by the agent');
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['nobody says where it is', {}],
    ['it is the whole machine', { HOME: '/' }],
  ])('can work where there is no home of its own: %s', async (_how, variables) => {
    await using temporary = await openTemporary();
    const author = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'a@b.c' };
    const ours = { XDG_CACHE_HOME: join(temporary.path, 'home/cache'), XDG_CONFIG_HOME: join(temporary.path, 'home/config') };
    const env = () => ({ ...ours, ...author, ...variables });
    const { subject } = await runIn(temporary.path, { before, tree: 'mine', env });
    expect(subject()).toBe('by the agent a@b.c');
  });

  it('sees no secret where the home is reached through a link', async () => {
    await using temporary = await openTemporary();
    const env = (home: string) => {
      if (!existsSync(`${home}-link`)) symlinkSync(home, `${home}-link`);
      return { HOME: `${home}-link` };
    };
    const { seen } = await runIn(temporary.path, { before, tree: 'mine', env });
    expect(seen).not.toContain('the-secret');
    expect(seen).toContain('its part\nmine\nAda\n');
  });
});
