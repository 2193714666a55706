import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { openIsolatedStage } from '../../../test/support/isolated-stage.ts';
import { until } from '../../../test/support/until.ts';
import { rememberAllTouched, touchedBy } from './landed.ts';

const FILES = { file: 'echo weak > t/file', gone: 'rm t/gone', 'folder/x': 'rm -r t/folder; ln -s .. t/folder' };

/** Each makes another version of one file where a person could take it from, and leaves the files as they were. */
const COMMITS = {
  'put-back': 'echo weak > t/put-back; git commit -qam x; git checkout -q HEAD~1 -- t; git reset -q',
  undone: 'echo weak > t/undone; git commit -qam x; git revert --no-edit HEAD >/dev/null',
  forged: 'echo weak > t/forged; git commit -qam x --author "Ann <ann@example.com>"; git revert --no-edit HEAD >/dev/null',
  'of-a-branch': 'git merge -q --no-edit feature; git revert -m 1 --no-edit HEAD >/dev/null',
  'of-a-merge':
    'git checkout -qb side; git commit -q --allow-empty -m x; git checkout -q main; git merge -q --no-ff --no-commit side; echo weak > t/of-a-merge; git commit -qam x; git revert -m 1 --no-edit HEAD >/dev/null',
  stashed: 'echo weak > t/stashed; git stash -q',
  tagged: 'echo weak > t/tagged; git commit -qam x; git tag v1; git reset -q --hard HEAD~1',
};
const REWRITTEN = { amended: 'echo weak > t/amended; git commit -qa --amend -m x; git checkout -q HEAD~1 -- t; git reset -q' };

const names = (routes: object) => Object.keys(routes).map((name) => `t/${name}`);
const all = [...names(FILES), ...names(COMMITS), ...names(REWRITTEN), 't/in-the-way', 't/untouched'];

const openTouched = async () => {
  const stage = await openIsolatedStage({
    before(git, path) {
      mkdirSync(join(path, 't/folder'), { recursive: true });
      for (const name of all) writeFileSync(join(path, name), 'strong\n');
      git('add', '-A');
      git('commit', '-qm', 'all');
      git('checkout', '-qb', 'feature');
      writeFileSync(join(path, 't/of-a-branch'), 'weak\n');
      git('commit', '-qam', 'weak');
      git('checkout', '-q', 'main');
      git('commit', '-q', '--allow-empty', '-m', 'more');
    },
  });
  return { ...stage, touched: async () => all.filter(await touchedBy(stage.runFolder)) };
};

const routes = (those: object) => `export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a; ${Object.values(those).join('\n')}`;

describe.skipIf(bubblewrapIsMissing())('the paths that an agent has changed', () => {
  it("are recorded: in its files, in a commit whatever became of it, and beside the operator's changes", async () => {
    await using stage = await openTouched();
    await stage.inside('true');
    expect(await stage.touched()).toEqual([]);
    const commits = await stage.inside(routes(COMMITS));
    expect(await stage.touched(), commits.said).toEqual(names(COMMITS));
    const rewritten = await stage.inside(routes(REWRITTEN));
    expect(await stage.touched(), rewritten.said).toEqual([...names(COMMITS), ...names(REWRITTEN)]);

    const { tree, repo } = stage;
    const atWork = stage.inside(`${routes(FILES)}\necho weak > t/in-the-way; until test -e go; do sleep 0.05; done; rm go`);
    await until('the agent is at work', () => existsSync(join(tree, 't/file')) && !existsSync(join(tree, 't/gone')));
    await repo.write('t/in-the-way', 'by hand\n');
    writeFileSync(join(tree, 'go'), '');
    await atWork;
    expect(stage.told.join()).toContain('your own change of t/in-the-way stays');
    expect(await stage.touched()).toEqual(all.filter((name) => name !== 't/untouched'));
  });
});

describe.skipIf(bubblewrapIsMissing())('every path counts as touched by agents', () => {
  it('in a run without a list, in one that continued without it, and in one with a sitting in place', async () => {
    await using stage = await openTouched();
    expect(await stage.touched()).toEqual(all);
    await stage.inside('true');
    await stage.close();
    rmSync(join(stage.runFolder, 'touched.jsonl'));
    await (await stage.open()).inside('true');
    expect(await stage.touched()).toEqual(all);
    writeFileSync(join(stage.runFolder, 'touched.jsonl'), '');
    expect(await stage.touched()).toEqual([]);
    await rememberAllTouched(stage.runFolder);
    expect(await stage.touched()).toEqual(all);
  });
});
