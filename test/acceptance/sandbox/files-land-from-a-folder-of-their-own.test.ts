import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { deepRows } from '../../support/deep.ts';
import { type HostileStage, openHostileStage } from '../../support/hostile-stage.ts';
import { ownFolderIn } from '../../support/own-folder.ts';

const COMMITS = { scm: { command: 'git', tasks: ['commit'] } };
const words = (recipe: 'run' | 'loop', agent: string) =>
  recipe === 'run'
    ? ['run', '-p', 'Do it.', '--agent', agent, '--guardrail', 'true', '-m', '2', '--json']
    : ['loop', 'Do it.', '--agent', agent, '--check', 'true', '--max-iterations', '2', '--json'];

/** What makes a git outside run a command, and what the operator does then. */
const ATTACKS: readonly (readonly [name: string, agent: string, operator: string])[] = [
  ['a repository with a file monitor', 'mkdir -p app && cd app && git init -q && git config core.fsmonitor "touch $MARK; :"', 'cd app && git status'],
  [
    'a repository whose settings lie elsewhere',
    'mkdir -p app/.g && git init -q --bare app/.g/x && git -C app/.g/x config core.fsmonitor "touch $MARK; :" && git -C app/.g/x config core.bare false && echo "gitdir: .g/x" > app/.git && git -C app/.g/x config core.worktree ../..',
    'cd app && git status',
  ],
  [
    'a repository with a filter',
    'mkdir -p app && cd app && git init -q && git config filter.e.clean "touch $MARK; cat" && echo "* filter=e" > .gitattributes && echo x > x',
    'cd app && git add -A; git status',
  ],
  ['a command that the operator’s own filter runs', 'printf "#!/bin/sh\\ntouch $MARK\\ncat\\n" > clean.sh; echo y >> a.x', 'git add -A'],
];

async function attacked(attack: string, ...flags: readonly string[]): Promise<HostileStage & { readonly mark: string; readonly said: string }> {
  const stage = await openHostileStage({ settings: COMMITS, files: { 'clean.sh': '#!/bin/sh\ncat\n', 'a.x': 'a\n', '.gitattributes': '*.x filter=own\n' } });
  execFileSync('chmod', ['755', join(stage.repo.path, 'clean.sh')]);
  stage.repo.git('config', 'filter.own.clean', './clean.sh');
  const mark = join(stage.repo.beside, 'escaped');
  await stage.repo.write('agent.sh', `MARK=${mark}\n(${attack})\necho made > made.txt\necho DONE\n`);
  stage.repo.git('add', '-A');
  stage.repo.git('commit', '-qm', 'before');
  const { stderr } = await stage.ralph(...words('run', 'sh agent.sh'), ...flags);
  return { ...stage, mark, said: stderr };
}

describe.skipIf(bubblewrapIsMissing()).concurrent('an agent that leaves', () => {
  it.each(deepRows('what git would run in a work tree is not in the work tree, whatever it is', ATTACKS, 3))(
    '%s: nothing of it runs outside, although it does where agents work in the operator’s files',
    async (_name, attack, operator) => {
      await using naive = await attacked(attack, '--no-sandbox');
      execFileSync('sh', ['-c', operator], { cwd: naive.repo.path, stdio: 'ignore' });
      expect(existsSync(naive.mark), naive.said).toBe(true);
      await using stage = await attacked(attack, '--sandbox=os');
      expect(readFileSync(join(stage.repo.path, 'made.txt'), 'utf8'), stage.said).toBe('made\n');
      execFileSync('sh', ['-c', `${operator}; true`], { cwd: stage.repo.path, stdio: 'ignore' });
      expect(existsSync(stage.mark), stage.said).toBe(false);
    },
  );
});

it.skipIf(bubblewrapIsMissing())('Ralph commits although the settings that `ralph init` has written are not in git yet', async () => {
  await using stage = await openHostileStage({ settings: COMMITS, files: { a: 'a\n' } });
  stage.repo.git('rm', '-rq', '--cached', '.ralph');
  stage.repo.git('commit', '-qm', 'before the settings');
  await stage.repo.write('agent.sh', 'echo more > a\necho DONE\n');
  const { result, stderr } = await stage.ralph(...words('run', 'sh agent.sh'), '--sandbox=os');
  expect(result?.done, stderr).toBe(true);
  expect(stage.repo.git('show', 'HEAD:a'), stderr).toBe('more');
});

describe.skipIf(bubblewrapIsMissing()).concurrent('what Ralph obeys in the folder where it was started', () => {
  it.each(['isolated', 'place'])('is planted by no agent that works in %s', async (workspace) => {
    const below = 'packages/a';
    await using stage = await openHostileStage({
      below,
      files: {
        [`${below}/.ralph/settings.json`]: JSON.stringify({ workspace }),
        [`${below}/agent.sh`]: 'echo evil | tee ralph.yaml ralph.yml > .ralph/settings.json; echo made > made.txt; echo DONE\n',
      },
    });
    const before = readFileSync(join(stage.repo.path, below, '.ralph/settings.json'), 'utf8');
    const { result, stderr } = await stage.ralph(...words('run', 'sh agent.sh'), '--sandbox=os');
    expect(result?.sandbox.workspace, stderr).toBe(workspace);
    expect(readFileSync(join(stage.repo.path, below, 'made.txt'), 'utf8')).toBe('made\n');
    expect(['ralph.yaml', 'ralph.yml'].map((name) => existsSync(join(stage.repo.path, below, name)))).toEqual([false, false]);
    expect(readFileSync(join(stage.repo.path, below, '.ralph/settings.json'), 'utf8')).toBe(before);
  });
});

describe.skipIf(bubblewrapIsMissing()).concurrent('what an agent made', () => {
  it.each(['run', 'loop'] as const)('lands in %s, and nothing else is left', async (recipe) => {
    await using stage = await openHostileStage({ settings: COMMITS });
    await stage.repo.write('agent.sh', 'test -e one.txt && echo two > two.txt || echo one > one.txt; test -e two.txt && echo DONE || echo working\n');
    await stage.repo.write('.gitignore', '*.log\n');
    stage.repo.git('add', '-A');
    stage.repo.git('commit', '-qm', 'before');
    const { result, stderr } = await stage.ralph(...words(recipe, 'sh agent.sh'), '--sandbox=os');
    expect(result?.sandbox, stderr).toMatchObject({ mode: 'os', workspace: 'isolated' });
    expect([readFileSync(join(stage.repo.path, 'one.txt'), 'utf8'), readFileSync(join(stage.repo.path, 'two.txt'), 'utf8')]).toEqual(['one\n', 'two\n']);
    expect(ownFolderIn(stage.repo.path)).toBeNull();
    expect(stage.repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(stage.repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    if (recipe === 'run') expect(stage.repo.git('status', '--porcelain')).toBe('');
  });

  it('is told where it does not land: what git ignores, and what the operator changed meanwhile', async () => {
    await using stage = await openHostileStage();
    await stage.repo.write('.gitignore', '.env\n');
    await stage.repo.write(
      'agent.sh',
      'echo KEY=1 > .env; echo mine > check.sh; : > started; while [ ! -e .env.go ] && [ ! -e stop ]; do sleep 0.05; n=$((n+1)); [ $n -gt 20 ] && break; done; echo DONE\n',
    );
    stage.repo.git('add', '-A');
    stage.repo.git('commit', '-qm', 'before');
    const running = stage.begin(...words('run', 'sh agent.sh'), '--sandbox=os', '-m', '1');
    while (!existsSync(join(ownFolderIn(stage.repo.path) ?? '/dev/null', 'started'))) await new Promise((tick) => setTimeout(tick, 20));
    await stage.repo.write('check.sh', 'operator\n');
    const { stderr } = await running.ended;
    expect(readFileSync(join(stage.repo.path, 'check.sh'), 'utf8')).toBe('operator\n');
    expect(stderr).toMatch(/your own change of check\.sh stays; what an agent made of it meanwhile is kept at refs\/ralph\/kept\/\S+/);
    const inbox = await stage.ralph('inbox');
    const [take = ''] = /git checkout refs\/ralph\/kept\/\S+ -- check\.sh/.exec(inbox.stdout) ?? [];
    execFileSync('sh', ['-c', take], { cwd: stage.repo.path });
    expect(readFileSync(join(stage.repo.path, 'check.sh'), 'utf8'), inbox.stdout).toBe('mine\n');
    stage.repo.git('update-ref', '-d', take.split(' ')[2] ?? '');
    expect((await stage.ralph('inbox')).stdout).not.toContain('git checkout');
    expect(stderr).toMatch(/what git ignores does not land: \.env, as the agent left it, is now in \S+ignored/);
    expect(existsSync(join(stage.repo.path, '.env'))).toBe(false);
  });
});

describe.skipIf(bubblewrapIsMissing()).concurrent('agents work in the operator’s own files', () => {
  it('where they are told to', async () => {
    await using stage = await openHostileStage({ settings: { workspace: 'place' } });
    const { result, stderr } = await stage.ralph(...words('run', 'echo DONE'), '--sandbox=os');
    expect(result?.sandbox.workspace, stderr).toBe('place');
    await rm(join(stage.repo.path, '.ralph/settings.json'));
    const said = await stage.ralph(...words('run', 'echo DONE'), '--sandbox=os', '--workspace=place');
    expect(said.result?.sandbox.workspace).toBe('place');
    expect((await stage.ralph(...words('run', 'echo DONE'), '--workspace=elsewhere')).stderr).toMatch(/workspace must be .*isolated.*place.*--workspace/);
  });

  it('where their path is two lines, and the banner says so', async () => {
    const below = 'two\nlines';
    await using stage = await openHostileStage({ below, files: { [`${below}/f`]: 'f\n' } });
    execFileSync('git', ['init', '-q'], { cwd: join(stage.repo.path, below) });
    const { result, stderr } = await stage.ralph(...words('run', 'echo DONE'), '--sandbox=os');
    expect(result?.sandbox.workspace, stderr).toBe('place');
    expect(stderr).toContain('agents and checks work in your own files: git cannot report the path of the work tree');
  });

  it('where there are submodules, and the banner says so', async () => {
    await using stage = await openHostileStage();
    execFileSync('git', ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', stage.repo.path, 'sub'], { cwd: stage.repo.path, stdio: 'ignore' });
    const { result, stderr } = await stage.ralph(...words('run', 'echo DONE'), '--sandbox=os');
    expect(result?.sandbox.workspace).toBe('place');
    expect(stderr).toContain('agents and checks work in your own files: the repository has submodules');
  });
});
