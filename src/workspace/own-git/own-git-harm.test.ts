import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { HARM } from '../../../test/support/git-harm.ts';
import { openOwnGitStage } from '../../../test/support/own-git-stage.ts';

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

/** The branch has another commit of a submodule, and other attributes, than `theirs` and its own past. */
function withLibrary(git: (...words: readonly string[]) => string, path: string): void {
  const commit = (attributes: string, message: string) => {
    writeFileSync(join(path, '.gitattributes'), attributes);
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},lib`);
    git('add', '.gitattributes');
    git('commit', '-qm', message);
  };
  commit('*.a text\n', 'added');
  git('checkout', '-q', '-b', 'theirs');
  writeFileSync(join(path, 'theirs'), 'theirs\n');
  git('add', 'theirs');
  git('commit', '-qm', 'theirs');
  git('checkout', '-q', 'main');
  commit('*.b text\n', 'changed');
}

describe.skipIf(bubblewrapIsMissing())('an agent may merge', () => {
  it('a branch that lacks what its own branch has done to a submodule and to what git obeys', async () => {
    await using stage = await openOwnGitStage({ before: withLibrary, sealed: ['.gitattributes'] });
    await stage.repo.write('.gitattributes', '# of the operator, not committed\n');
    const { said } = await stage.inside('git merge -q --no-edit theirs');
    expect([stage.told, stage.repo.git('log', '--format=%s', '-1')], said).toEqual([[], "Merge branch 'theirs'"]);
  });
});

describe.skipIf(bubblewrapIsMissing())('Ralph does not bring over', () => {
  it('another version of a new file that Ralph obeys, but it brings over the one that the operator has', async () => {
    await using stage = await openOwnGitStage({ sealed: ['.ralph'] });
    await stage.repo.write('.ralph/settings.json', '{"agent":{"command":"claude"}}\n');
    await stage.inside('git add -f .ralph; git commit -qm mine');
    expect([stage.repo.git('log', '--format=%s', '-1'), stage.told]).toEqual(['mine', []]);
    await stage.inside('git update-index --cacheinfo 100644,$(echo {} | git hash-object -w --stdin),.ralph/settings.json; git commit -qm evil');
    await stage.inside('git update-index --cacheinfo 120000,$(git rev-parse HEAD:.ralph/settings.json),.ralph/settings.json; git commit -qm link');
    expect(stage.repo.git('log', '--format=%s', '-1')).toBe('mine');
    expect(stage.told).toEqual([expect.stringContaining('another .ralph/settings.json'), expect.stringContaining('another .ralph/settings.json')]);
  });

  it.each([
    ['at once', ''],
    ['and removed again', 'git rm -rq app; git commit -qm gone'],
    ['in two commits', 'git rm -rq app/refs; git commit -q --amend -m one; git checkout -q HEAD@{1} -- app/refs; git commit -qm two'],
  ])('a repository under another name, committed %s', async (_how, then) => {
    await using stage = await openOwnGitStage();
    const before = stage.repo.git('rev-parse', 'main');
    await stage.inside(`mkdir -p app/objects app/refs; touch app/HEAD app/objects/x app/refs/x; git add app; git commit -qm all; ${then}`);
    expect(stage.repo.git('rev-parse', 'main')).toBe(before);
    expect(stage.told).toEqual([
      expect.stringMatching(/^what an agent has committed does not come over: app has HEAD, objects and refs: .* kept at refs\/ralph\/kept\/r1/),
    ]);
  });

  it.each([
    ['the submodule of an older commit', 'lib', 'a repository in the repository'],
    ['an older version of what git obeys', '.gitattributes', 'another .gitattributes'],
  ])('%s, which a merge takes from a parent that is there already', async (_what, path, why) => {
    await using stage = await openOwnGitStage({ before: withLibrary, sealed: ['.gitattributes'] });
    const merged = '$(git commit-tree -m back -p HEAD -p HEAD~ $(git write-tree))';
    await stage.inside(`git reset -q HEAD~ -- ${path}; git update-ref HEAD ${merged}`);
    expect([stage.repo.git('log', '--format=%s', '-1'), stage.told]).toEqual(['changed', [expect.stringContaining(why)]]);
  });

  it('a nested repository', async () => {
    await using stage = await openOwnGitStage();
    const before = stage.repo.git('rev-parse', 'main');
    await stage.inside('git init -q nested && git -C nested commit -q --allow-empty -m x && git add nested && git commit -qm nested');
    expect(stage.repo.git('rev-parse', 'main')).toBe(before);
    expect(stage.told).toEqual([expect.stringContaining('a repository in the repository')]);
  });
});
