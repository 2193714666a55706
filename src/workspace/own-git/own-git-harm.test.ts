import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openOwnGitStage } from '../../../test/support/own-git-stage.ts';

/** What harms a shared repository, but not an agent's own git. */
const HARM: Readonly<Record<string, string>> = {
  'move a branch': 'git update-ref refs/heads/other $(git commit-tree -m x HEAD^{tree})',
  'delete a branch': 'git branch -D other',
  'delete a tag': 'git tag -d v1',
  'forge packed refs': 'echo "$(git rev-parse HEAD) refs/heads/forged" >> .git/packed-refs',
  'prune unreachable objects': 'git reflog expire --expire=now --all; git gc -q --prune=now',
  'set a file monitor': 'git config core.fsmonitor ./evil',
  'set a filter': 'git config filter.x.clean ./evil && git config --add include.path ./evil',
  'point git to another repository': 'echo /nowhere > .git/commondir',
  'add settings of the work tree': 'git config extensions.worktreeConfig true && echo x > .git/config.worktree',
  'add attributes': 'echo "* -diff" > .git/info/attributes',
  'exclude everything': 'echo "*" > .git/info/exclude',
  'replace a commit': 'git replace HEAD $(git commit-tree -m x HEAD^{tree})',
  'graft a history': 'mkdir -p .git/info; echo "$(git rev-parse HEAD)" > .git/info/grafts',
  'make the repository shallow': 'git rev-parse HEAD > .git/shallow',
  'leave a lock': 'touch .git/index.lock .git/HEAD.lock .git/refs/heads/main.lock',
  'empty the index': 'rm -f .git/index',
  'point HEAD to a missing branch': 'echo "ref: refs/heads/nowhere" > .git/HEAD',
  'break HEAD': 'echo nonsense > .git/HEAD',
  'replace refs by a link': 'rm -r .git/refs; ln -s /etc .git/refs',
  'borrow objects from a missing path': 'echo /nowhere >> .git/objects/info/alternates',
  'remove the objects': 'rm -rf .git/objects',
  'remove the repository': 'rm -rf .git/* || true',
};

describe.skipIf(bubblewrapIsMissing())('an agent with its own git', () => {
  it.each(Object.keys(HARM))("does no harm to the operator's repository: %s", async (what) => {
    await using stage = await openOwnGitStage({
      before(git) {
        git('branch', 'other');
        git('tag', 'v1');
        git('update-ref', 'refs/ralph/x', 'HEAD');
      },
    });
    const { repo, commonDir, refs, told } = stage;
    const state = () => [
      refs(),
      repo.git('status', '--porcelain=v2', '--branch'),
      readFileSync(join(commonDir, 'config'), 'utf8'),
      readdirSync(commonDir).sort(),
    ];
    const before = state().map((each) => (typeof each === 'string' ? each.trim() : each));
    await stage.inside(HARM[what] ?? '');
    const after = state();
    // What an agent leaves behind may be kept for the operator, under refs of Ralph's.
    expect(after.map((each) => (typeof each === 'string' ? each.replaceAll(/^\w+ refs\/ralph\/kept\/.*\n?/gm, '').trim() : each))).toEqual(before);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(told.filter((line) => !line.includes('it is kept at'))).toEqual([]);
    // Without an own git, the same script changes something.
    await stage.outside(HARM[what] ?? '');
    expect(stateOr(state)).not.toEqual(before);
  });
});

/** The repository may be so broken that git cannot read it. */
function stateOr(state: () => unknown): unknown {
  try {
    return state();
  } catch {
    return 'broken';
  }
}
