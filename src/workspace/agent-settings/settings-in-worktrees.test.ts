import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { notForRoot } from '../../../test/support/skip-loudly.ts';
import { expectKind, landed, never, openBranchStage, opened, PLAN, PLAN_SPECS, settled } from '../../../test/support/task-branches-stage.ts';
import type { SandboxCall } from '../../engine/ports/sandbox.ts';
import { openNoSandbox } from '../../sandbox/in-sandbox.ts';
import { openSettingsInWorktrees } from './settings-in-worktrees.ts';

const FILES = { [PLAN]: 'a: pending\n', '.gitignore': '.claude/settings.local.json\n', '.claude/settings.json': 'of the operator\n' };
const OBEYED = ['.claude/settings.json', '.claude/settings.local.json', '.claude/hooks', '.mcp.json'];
const SHOW = 'cat .claude/settings.json .mcp.json 2>/dev/null; ls .claude/hooks 2>/dev/null; true';
const PLANT = 'mkdir -p .claude/hooks; echo planted > .claude/settings.json; echo planted > .mcp.json; echo planted > .claude/hooks/start.sh';
const PLANTED = 'planted\nplanted\nstart.sh\n';

async function openStage(copy: readonly string[] = []) {
  const stage = await openBranchStage(FILES);
  const { repo } = stage;
  const place = { root: repo.path, cwd: repo.path, commonDir: join(repo.path, '.git'), env: gitEnv, branch: 'main', obeyed: OBEYED };
  const sandbox = openSettingsInWorktrees({ ...place, base: join(repo.beside, 'run/agent-settings'), brought: { copy, link: [] } })(openNoSandbox());
  const begin = async (cwd: string, script: string, who: SandboxCall['who'] = 'agent') => {
    const { file, args, leave } = await sandbox.enclose({ who, file: 'sh', args: ['-c', script], cwd, env: {} });
    return { said: execFileSync(file, args, { cwd, encoding: 'utf8', env: { ...process.env, ...gitEnv } }), leave };
  };
  const inside = async (cwd: string, script: string, who: SandboxCall['who'] = 'agent') => {
    const { said, leave } = await begin(cwd, script, who);
    await leave();
    return said;
  };
  const plantedBy = async (branch: string) => {
    const task = await opened(stage.branches, branch);
    await inside(task.path, PLANT);
    return task;
  };
  return { ...stage, begin, inside, plantedBy };
}

describe('an agent in the worktree of a task', () => {
  it('gets the settings of the start, whatever an earlier task has landed; gates see that', async () => {
    await using stage = await openStage();
    const { head } = await settled(stage.branches, await stage.plantedBy('ralph/a.1'));
    await landed(stage.branches, head, 'a: complete\n');
    const task = await opened(stage.branches, 'ralph/b.1');
    expect(readFileSync(join(task.path, '.claude/settings.json'), 'utf8')).toBe('planted\n');
    expect(await stage.inside(task.path, SHOW)).toBe('of the operator\n');
    expect(await stage.inside(task.path, SHOW, 'gate')).toBe(PLANTED);
    expect(await settled(stage.branches, task)).toMatchObject({ changed: false });
  });

  it('gets them too when it tries the task again, even if the next agent works meanwhile', async () => {
    await using stage = await openStage();
    const [one, two] = [await stage.plantedBy('ralph/a.1'), await stage.plantedBy('ralph/b.1')];
    const second = await stage.begin(two.path, SHOW);
    expect([await stage.inside(one.path, SHOW), second.said]).toEqual(['of the operator\n', 'of the operator\n']);
    await second.leave();
    expect([await stage.inside(one.path, SHOW, 'gate'), await stage.inside(two.path, SHOW, 'gate')]).toEqual([PLANTED, PLANTED]);
  });

  it('does not undo the work of the one before by committing all it sees', async () => {
    await using stage = await openStage();
    const task = await stage.plantedBy('ralph/a.1');
    await settled(stage.branches, task);
    await stage.inside(task.path, 'git add -A && git commit -qm all');
    const { head } = await settled(stage.branches, task);
    expect([stage.inCommit(head, '.claude/settings.json'), stage.inCommit(head, '.mcp.json')]).toEqual(['planted\n', 'planted\n']);
  });

  it('may change them again, and remove them', async () => {
    await using stage = await openStage();
    const task = await stage.plantedBy('ralph/a.1');
    await stage.inside(task.path, 'echo second > .claude/settings.json');
    expect(await stage.inside(task.path, SHOW, 'gate')).toBe('second\nplanted\nstart.sh\n');
    await stage.inside(task.path, 'rm -r .claude');
    expect(existsSync(join(task.path, '.claude/settings.json'))).toBe(false);
  });

  it.skipIf(notForRoot('settings whose rights an agent has taken away'))('has no way to keep what it planted by taking rights away', async () => {
    await using stage = await openStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.inside(task.path, `${PLANT}; chmod 0 .claude/hooks .mcp.json; chmod 500 .claude .`);
    expect(await stage.inside(task.path, `${SHOW}; chmod 500 .claude .`)).toBe('of the operator\n');
    expect(await stage.inside(task.path, SHOW, 'gate')).toBe(PLANTED);
  });

  it('has settings that come along into worktrees, but not those that another agent has written there', async () => {
    await using stage = await openStage(['.claude/settings.local.json']);
    await stage.repo.write('.claude/settings.local.json', 'local\n');
    const task = await opened(stage.branches, 'ralph/a.1');
    const local = join(task.path, '.claude/settings.local.json');
    await writeFile(local, 'planted\n');
    expect(await stage.inside(task.path, 'cat .claude/settings.local.json')).toBe('local\n');
    expect(readFileSync(local, 'utf8')).toBe('planted\n');
  });

  it('sees the conflict that it resolves', async () => {
    await using stage = await openStage();
    const { path, base } = await opened(stage.branches, 'ralph/a.1');
    await stage.put(path, { '.claude/settings.json': 'mine\n' });
    stage.at(path, 'commit', '-qam', 'mine');
    const other = await settled(stage.branches, await stage.plantedBy('ralph/b.1'));
    await landed(stage.branches, other.head, 'a: pending\n', 'b');
    expect(expectKind(await stage.branches.bringBase(path), 'brought').conflicts).toEqual(['.claude/settings.json']);
    expect(await stage.inside(path, 'cat .claude/settings.json')).toContain('<<<<<<<');
    await stage.inside(path, 'echo both > .claude/settings.json; git add -A');
    const done = expectKind(await stage.branches.settle(path, { message: 'm', base, pathspecs: PLAN_SPECS }), 'settled');
    expect([stage.inCommit(done.head, '.claude/settings.json'), stage.inCommit(done.head, '.mcp.json')]).toEqual(['both\n', 'planted\n']);
  });
});

describe('whoever goes on after a killed run', () => {
  it('finds the worktree as its agent left it', async () => {
    await using stage = await openStage();
    const task = await stage.plantedBy('ralph/a.1');
    await stage.begin(task.path, `${SHOW}; echo work > work.txt`);
    expect(readFileSync(join(task.path, '.claude/settings.json'), 'utf8')).toBe('of the operator\n');
    const again = stage.again({ run: 'run-2' });
    const { path } = expectKind(await again.open({ branch: 'ralph/a.2', from: 'ralph/a.1', pathspecs: PLAN_SPECS }, never), 'opened');
    expect(await stage.inside(path, `${SHOW}; cat work.txt`, 'gate')).toBe(`${PLANTED}work\n`);
    expect(existsSync(join(stage.repo.path, '.git/ralph/shelves/a.1'))).toBe(false);
  });
});
