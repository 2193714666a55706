import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lfsIsMissing } from '../../../test/support/git-lfs.ts';
import { approved, type HookStage, openHookStage, silence } from '../../../test/support/hook-stage.ts';
import type { Repo } from '../../../test/support/repo.ts';

let stage: HookStage;
let repo: Repo;
beforeEach(async () => {
  stage = await openHookStage();
  ({ repo } = stage);
});
afterEach(() => stage[Symbol.asyncDispose]());

const call: HookStage['call'] = (...args) => stage.call(...args);
const commit: HookStage['commit'] = (first) => stage.commit(first);

describe('the stop hook', () => {
  it('prints nothing when no loop is running', async () => {
    await rm(join(repo.path, '.ralph-active'));
    await commit({ passes: true });
    expect(await call('stop', {})).toEqual(silence);
  });

  it('lets an agent stop when everything is in order', async () => {
    await commit({ reviewStatus: 'needs_review', notes: 'done' });
    expect(await call('stop', {})).toEqual(approved);
  });

  it.each([
    ['a list that is not valid', { acceptanceCriteria: [] }, 'Task list validation failed: '],
    ['a list that cannot be true', { passes: true, notes: 'x' }, 'Review integrity check failed: '],
    ['a story that was moved too far', { passes: true, reviewStatus: 'approved', notes: 'x' }, 'Transition validation failed: '],
  ])('blocks %s', async (_what, first, prefix) => {
    await commit(first);
    expect((await call('stop', {})).answer).toMatchObject({ decision: 'block', reason: expect.stringContaining(prefix) });
  });

  it.each([
    ['is gone', () => rm(join(repo.path, 'ralph/tasks.json'))],
    ['is a link', () => rm(join(repo.path, 'ralph/tasks.json')).then(() => symlink('../.gitignore', join(repo.path, 'ralph/tasks.json')))],
    ['is a folder', () => rm(join(repo.path, 'ralph/tasks.json')).then(() => mkdir(join(repo.path, 'ralph/tasks.json')))],
    ['is cut', () => truncate(join(repo.path, 'ralph/tasks.json'), 40)],
    ['is empty', () => truncate(join(repo.path, 'ralph/tasks.json'))],
  ])('blocks when the list of stories %s', async (_what, damage) => {
    await damage();
    expect((await call('stop', {})).answer?.reason).toMatch(/^Task list validation failed: /);
  });

  it('blocks uncommitted work, also in new folders', async () => {
    await repo.write('new folder/ü.ts', 'x');
    expect((await call('stop', {})).answer?.reason).toContain('There are uncommitted changes: new folder/.');
  });

  it.each([
    ['file monitor', 'core.fsmonitor', ''],
    ['filter', 'filter.x.clean', '* filter=x\n'],
    ['long-running filter', 'filter.x.process', '* filter=x\n'],
    ['alias', 'alias.status', ''],
  ])('runs no %s that the repository configures', async (_what, key, attributes) => {
    const ran = join(repo.beside, 'ran');
    repo.git('config', key, `touch ${ran}; cat`);
    await repo.write('.git/info/attributes', attributes);
    await utimes(join(repo.path, 'src/a.ts'), 1, 1);
    expect(await call('stop', {})).toEqual(approved);
    expect(existsSync(ran)).toBe(false);
  });

  it.skipIf(lfsIsMissing())('takes an unchanged git-lfs file for committed', async () => {
    const lfs = ['clean', 'smudge'].map((way) => `filter.lfs.${way}=git-lfs ${way} -- %f`);
    await repo.write('.gitattributes', '*.bin filter=lfs\n');
    await repo.write('a.bin', 'large\n');
    repo.git(...lfs.flatMap((setting) => ['-c', setting]), 'add', '-A');
    repo.git('commit', '-qm', 'a large file');
    expect(repo.git('show', 'HEAD:a.bin')).toContain('git-lfs');
    const GIT_CONFIG_GLOBAL = join(repo.beside, 'gitconfig');
    for (const setting of lfs) repo.git('config', '--file', GIT_CONFIG_GLOBAL, ...setting.split(/=(.*)/s, 2));
    repo.git('config', 'filter.lfs.clean', 'echo planted');
    await utimes(join(repo.path, 'a.bin'), 1, 1);
    expect(await call('stop', {}, { GIT_CONFIG_GLOBAL })).toEqual(approved);
  });

  it('does not count the marker as uncommitted work', async () => {
    await repo.write('.gitignore', '');
    repo.git('commit', '-qam', 'nothing is ignored');
    expect(await call('stop', {})).toEqual(approved);
  });

  it('blocks nobody when git fails', async () => {
    await rm(join(repo.path, '.git'), { recursive: true });
    expect(await call('stop', {})).toEqual(approved);
  });

  it('checks only what holds for every list when the marker has no snapshot or is not JSON', async () => {
    await commit({ passes: true, reviewStatus: 'approved', notes: 'x' });
    for (const marker of ['{"iterationMode":"implement"}', 'nonsense', '']) {
      await repo.write('.ralph-active', marker);
      expect(await call('stop', {})).toEqual(approved);
    }
    await commit({ passes: true, notes: 'x' });
    expect((await call('stop', {})).answer?.reason).toContain("not 'approved'");
  });

  it('finds the marker from a subfolder, and by the project the agent was started in', async () => {
    await commit({ passes: true, notes: 'x' });
    expect((await call('stop', { cwd: join(repo.path, 'src') })).answer?.decision).toBe('block');
    expect((await call('stop', { cwd: repo.beside }, { CLAUDE_PROJECT_DIR: repo.path })).answer?.decision).toBe('block');
  });

  it('lets the agent go after three blocks in a row, and counts from zero after a normal stop', async () => {
    await commit({ passes: true, notes: 'x' });
    const decisions: string[] = [];
    for (const stop_hook_active of [false, true, true, true, false]) decisions.push((await call('stop', { stop_hook_active })).answer?.decision ?? '');
    expect(decisions).toEqual(['block', 'block', 'block', 'approve', 'block']);
  });

  it('blocks nobody when it cannot count', async () => {
    await commit({ passes: true, notes: 'x' });
    expect(await call('stop', {}, { TMPDIR: join(repo.beside, 'nowhere') })).toMatchObject({
      answer: { decision: 'approve' },
      stderr: expect.stringContaining('cannot count its blocks'),
    });
  });
});
