import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../bubblewrap.ts';
import { openRepo } from '../repo.ts';
import { until } from '../until.ts';
import { openStandIn } from './open-stand-in.ts';

async function openComputer() {
  const repo = await openRepo({ 'a.txt': 'one\n' });
  const folder = join(repo.path, '..');
  await mkdir(join(folder, 'state'));
  const standIn = await openStandIn(folder, 'sbx', 'docker');
  await standIn.set({ newFileMs: 0, syncMs: 100 });
  return { repo, folder, standIn, [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose]() };
}

describe('the fake sbx and docker sandbox', () => {
  it('refuses command lines that the real ones would refuse', async () => {
    await using computer = await openComputer();
    const { standIn, repo } = computer;
    await standIn.say(['sbx', 'policy', 'init', 'deny-all']);
    await standIn.say(['sbx', 'create', '--name', 'box', 'claude', repo.path]);
    await standIn.say(['docker', 'sandbox', 'create', '--name', 'old', 'claude', repo.path]);
    repo.git('worktree', 'add', '-q', '../tree', '-b', 'other');

    const wrong: readonly (readonly [why: RegExp, ...words: string[]])[] = [
      [/unknown command/, 'sbx', 'sandbox', 'ls'],
      [/unknown command/, 'docker', 'ps'],
      [/unknown command/, 'docker', 'sandbox', 'policy', 'init', 'deny-all'],
      [/unknown flag: --workspace/, 'sbx', 'create', '--workspace', repo.path, '--name', 'b', 'claude'],
      [/needs an argument: --name/, 'sbx', 'create', 'claude', repo.path, '--name'],
      [/unknown agent "amp"/, 'sbx', 'create', '--name', 'b', 'amp', repo.path],
      [/invalid sandbox name/, 'sbx', 'create', '--name', 'with_underscore', 'claude', repo.path],
      [/invalid sandbox name/, 'docker', 'sandbox', 'create', '--name', 'with/slash', 'claude', repo.path],
      [/already exists/, 'sbx', 'create', '--name', 'box', 'claude', repo.path],
      [/no absolute path/, 'sbx', 'create', '--name', 'b', 'claude', 'repo'],
      [/does not exist/, 'sbx', 'create', '--name', 'b', 'claude', join(repo.path, 'nowhere')],
      [/--clone cannot be used/, 'sbx', 'create', '--clone', '--name', 'b', 'claude', join(repo.path, '../tree')],
      [/requires at least 2/, 'docker', 'sandbox', 'create', '--name', 'b', 'claude'],
      [/detached mode/, 'sbx', 'exec', '-d', 'box', 'true'],
      [/not a TTY/, 'sbx', 'exec', '-it', 'box', 'true'],
      [/not found/, 'sbx', 'exec', 'nobody', 'true'],
      [/requires at least 2/, 'sbx', 'exec', 'box'],
      [/is not absolute/, 'sbx', 'exec', '-w', 'repo', 'box', 'true'],
      [/no such file/, 'sbx', 'exec', '--env-file', '/nowhere', 'box', 'true'],
      [/not a terminal/, 'sbx', 'rm', 'box'],
      [/unknown flag: --force/, 'docker', 'sandbox', 'rm', '--force', 'old'],
      [/needs a terminal/, 'sbx', 'run', '--name', 'box'],
      [/already initialized/, 'sbx', 'policy', 'init', 'deny-all'],
      [/invalid policy/, 'docker', 'sandbox', 'network', 'proxy', 'old', '--policy', 'maybe'],
      [/accepts 0/, 'sbx', 'ls', 'box'],
    ];
    for (const [why, ...words] of wrong) {
      const { code, stderr } = await standIn.say(words);
      expect({ words, code, stderr }).toEqual({ words, code: 1, stderr: expect.stringMatching(why) });
    }
    expect(standIn.calls().filter(({ refused }) => refused !== null)).toHaveLength(wrong.length);
  });
});

describe.skipIf(bubblewrapIsMissing())('a command in the fake sandbox', () => {
  it('sees the files of the host at their paths and its own home, and its output and exit code are passed on', async () => {
    await using computer = await openComputer();
    const { standIn, repo } = computer;
    await standIn.say(['docker', 'sandbox', 'create', '--name', 'box', 'claude', repo.path]);
    const said = await standIn.say(
      ['docker', 'sandbox', 'exec', '-i', '-w', repo.path, '-e', 'X=1', 'box', 'sh', '-c', 'cat a.txt -; echo "$HOME $X"; echo no >&2; exit 7'],
      'in\n',
    );
    expect(said).toEqual({ code: 7, stdout: 'one\nin\n/home/agent 1\n', stderr: 'no\n' });
    const merged = await standIn.say(['docker', 'sandbox', 'exec', 'box', 'cat'], 'nobody reads this');
    expect(merged).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('is synced like in Docker: changes go out after a while; only new files come in, until it is stopped', async () => {
    await using computer = await openComputer();
    const { standIn, repo } = computer;
    const inside = async (script: string) => (await standIn.say(['docker', 'sandbox', 'exec', '-w', repo.path, 'box', 'sh', '-c', script])).stdout;
    await standIn.say(['docker', 'sandbox', 'create', '--name', 'box', 'claude', repo.path]);
    await inside('echo from inside >b.txt');
    await until('the file is on the host', async () => (await readFile(join(repo.path, 'b.txt'), 'utf8').catch(() => '')) === 'from inside\n');

    await writeFile(join(repo.path, 'a.txt'), 'two\n');
    await writeFile(join(repo.path, 'new.txt'), 'new\n');
    expect(await inside('cat a.txt new.txt')).toBe('one\nnew\n');

    await standIn.say(['docker', 'sandbox', 'stop', 'box']);
    expect(await inside('cat a.txt new.txt')).toBe('two\nnew\n');
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('two\n');
  });
});
