import { describe, expect, it } from 'vitest';
import type { OurWorktree } from './our-worktrees.ts';
import { whyCleanKeeps, whyRemoveRefuses } from './why-kept.ts';

const over: OurWorktree = {
  name: 'do-it-4f2a91',
  path: '/trees/do-it-4f2a91',
  branch: 'ralph/20260101-000000-4f2a91',
  run: '20260101-000000-4f2a91',
  state: 'stopped',
  stopReason: 'all_checks_passed',
  isGone: false,
  isDirty: false,
  ahead: 2,
  behind: 0,
  isMerged: true,
  task: null,
};

const inProgress = { id: 'T-1', state: 'in progress', holder: 'host:do-it', run: null } as const;

describe('a worktree whose run is over', () => {
  it.each([
    ['its work is merged', {}],
    ['it has none', { ahead: 0, isMerged: false }],
    ['its folder is gone and its work is merged', { isGone: true, isDirty: null }],
    ['its run never began and it has no work', { state: 'no run', stopReason: null, ahead: 0, isMerged: false }],
  ] as const)('can be cleaned up when %s', (_when, change) => {
    expect(whyCleanKeeps({ ...over, ...change })).toBeNull();
    expect(whyRemoveRefuses({ ...over, ...change }, false)).toBeNull();
  });

  it.each([
    ['not committed', { isDirty: true }, 'it has uncommitted changes'],
    ['not merged', { isMerged: false }, 'it has 2 commits that no other branch has'],
    ['not merged, and its folder is gone', { isMerged: false, isGone: true, isDirty: null }, 'it has 2 commits that no other branch has'],
    ['nothing git can tell of', { isDirty: null }, 'git cannot tell whether everything is committed'],
    ['on commits git cannot find', { isMerged: false, ahead: null }, 'git cannot tell whether it is merged'],
  ] as const)('is kept while its work is %s, unless --force is given', (_what, change, reason) => {
    expect(whyCleanKeeps({ ...over, ...change })).toBe(reason);
    expect(whyRemoveRefuses({ ...over, ...change }, false)?.reason).toBe(reason);
    expect(whyRemoveRefuses({ ...over, ...change }, true)).toBeNull();
  });
});

describe('a worktree whose run may not be over', () => {
  it.each(['running', 'unknown'] as const)('is never removed: %s', (state) => {
    expect(whyCleanKeeps({ ...over, state })).toContain(over.run);
    expect(whyRemoveRefuses({ ...over, state }, true)?.reason).toContain(over.run);
  });

  it('is removed by name only if the run was killed, or if a person created it', () => {
    expect(whyCleanKeeps({ ...over, state: 'dead' })).toContain(`ralph runs resume ${over.run}`);
    expect(whyCleanKeeps({ ...over, state: 'no run', run: null })).toBe('it was created by hand');
    expect(whyRemoveRefuses({ ...over, state: 'dead' }, false)).toBeNull();
    expect(whyRemoveRefuses({ ...over, state: 'no run', run: null }, false)).toBeNull();
  });
});

describe('a worktree with a task', () => {
  const ofTask = { ...over, run: null, state: 'no run', stopReason: null } as const;

  it('is never removed while a run works on the task', () => {
    const worktree = { ...ofTask, task: { ...inProgress, run: 'r1', holder: 'r1/2' } };
    expect(whyRemoveRefuses(worktree, true)).toEqual({
      reason: 'run r1 is active in it, on task T-1',
      hint: 'Wait for it, or stop the run with: ralph runs stop r1',
      lost: [],
    });
    expect(whyCleanKeeps(worktree)).toBe('run r1 is active in it, on task T-1');
  });

  it('is removed only with --force when somebody claimed the task', () => {
    const worktree = { ...ofTask, task: inProgress };
    expect(whyRemoveRefuses(worktree, false)).toMatchObject({
      reason: 'its task T-1 is in progress, by host:do-it',
      hint: 'Release it with: ralph task reset T-1',
    });
    expect(whyRemoveRefuses(worktree, true)).toBeNull();
    expect(whyCleanKeeps(worktree)).toBe('its task T-1 is in progress, by host:do-it');
  });

  it.each(['left', 'failed', 'conflict', 'done'] as const)('that nobody works on is judged by its contents: %s', (state) => {
    const task = { id: 'T-1', state, holder: null, run: null };
    expect(whyCleanKeeps({ ...ofTask, task })).toBeNull();
    expect(whyRemoveRefuses({ ...ofTask, task }, false)).toBeNull();
    expect(whyCleanKeeps({ ...ofTask, task, isMerged: false })).toBe('it has 2 commits that no other branch has');
  });
});

it('a refusal names everything that would be lost', () => {
  expect(whyRemoveRefuses({ ...over, isDirty: true, isMerged: false, ahead: 1 }, false)).toMatchObject({
    reason: 'it has uncommitted changes; it has 1 commit that no other branch has',
    lost: ['changes', 'commits'],
  });
});
