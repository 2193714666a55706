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
  isMerged: true,
};

describe('a worktree whose run is over', () => {
  it.each([
    ['its work is merged', {}],
    ['it has none', { ahead: 0, isMerged: false }],
    ['its folder is gone and its work is merged', { isGone: true, isDirty: null }],
    ['its run never began and it has no work', { state: 'no run', stopReason: null, ahead: 0, isMerged: false }],
  ] as const)('is needed by nobody when %s', (_when, change) => {
    expect(whyCleanKeeps({ ...over, ...change })).toBeNull();
    expect(whyRemoveRefuses({ ...over, ...change }, false)).toBeNull();
  });

  it.each([
    ['not committed', { isDirty: true }, 'it has changes that are not committed'],
    ['not merged', { isMerged: false }, 'it has 2 commits that no other branch has'],
    ['not merged, and its folder is gone', { isMerged: false, isGone: true, isDirty: null }, 'it has 2 commits that no other branch has'],
    ['nothing git can tell of', { isDirty: null }, 'git cannot tell whether all of it is committed'],
    ['on commits git cannot find', { isMerged: false, ahead: null }, 'git cannot tell whether it is merged'],
  ] as const)('is kept while its work is %s, unless somebody insists', (_what, change, reason) => {
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

  it('is removed by its name only when the run was cut off, or when a person made it', () => {
    expect(whyCleanKeeps({ ...over, state: 'dead' })).toContain(`ralph runs resume ${over.run}`);
    expect(whyCleanKeeps({ ...over, state: 'no run', run: null })).toBe('it was made by hand');
    expect(whyRemoveRefuses({ ...over, state: 'dead' }, false)).toBeNull();
    expect(whyRemoveRefuses({ ...over, state: 'no run', run: null }, false)).toBeNull();
  });
});
