import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { giveRemote, LOOK, MESSAGE, messageCalls, names, openCommittingStage, works } from '../../support/committing-stage.ts';
import { deepIt, deepRows } from '../../support/deep.ts';
import { iterationsOf, WORK } from '../../support/stage.ts';

const looks = { gate: `${LOOK}; sh check.sh` };
const namesAfter = (command: string) => turn(bash(command), ...ends(MESSAGE));

describe.concurrent('Ralph commits exactly the tree that the guardrails checked', () => {
  const habits: readonly (readonly [string, string, { looks: number; committed: string[]; changed: string[] }])[] = [
    ['if the guardrail changes nothing', ':', { looks: 1, committed: ['extra.txt', 'work.txt'], changed: [] }],
    ['if the guardrail rewrites a file, like a formatter', "sed -i 's/done$/done./' work.txt", { looks: 2, committed: ['extra.txt', 'work.txt'], changed: [] }],
    [
      'if the guardrail leaves files behind',
      'date +%s%N > report.txt',
      { looks: 2, committed: ['extra.txt', 'report.txt', 'work.txt'], changed: ['M report.txt'] },
    ],
    ['if the guardrail removes a file of the agent', 'rm -f extra.txt', { looks: 2, committed: ['work.txt'], changed: [] }],
    [
      'when it stages things of its own',
      'date +%s%N > staged.txt; git add -A',
      { looks: 2, committed: ['extra.txt', 'staged.txt', 'work.txt'], changed: ['M staged.txt'] },
    ],
  ];
  it.each(deepRows('a guardrail that changes files is judged again, whatever it changes', habits, 2))(
    '%s',
    async (_name, then, { looks: times, committed, changed }) => {
      await using stage = await openCommittingStage([turn(bash(`${WORK}; echo more > extra.txt`), ...ends(CLAIM)), names(MESSAGE)], {
        gate: `${LOOK}; sh check.sh && { ${then}; }`,
      });
      const run = await stage.run();

      expect(run.code).toBe(0);
      expect(stage.seen()).toHaveLength(times);
      expect(stage.seen().at(-1)).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
      expect(stage.inLastCommit()).toEqual(committed);
      expect(run.result).toMatchObject({ commits: 1, last_commit: stage.repo.git('rev-parse', 'HEAD'), scm_problem: null });
      expect(stage.after()).toEqual({ calls: 2, commits: 2, changed, processes: [] });
    },
  );

  it('also if a later guardrail is green only because an earlier one has changed a file', async () => {
    const guardrails = [{ command: "sed -i 's/done$/done./' work.txt" }, { command: 'grep -q "done[.]" work.txt' }];
    await using stage = await openCommittingStage([works, names(MESSAGE)], { gate: null, settings: { guardrails } });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.repo.git('show', 'HEAD:work.txt')).toBe('done.');
    expect(stage.after()).toMatchObject({ changed: [] });
  });

  it('also if the agent edits files while it writes the message: the guardrails run again, and the edit is committed', async () => {
    await using stage = await openCommittingStage([works, namesAfter('echo "done, better" > work.txt; echo new > new.txt')], looks);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.seen()).toHaveLength(2);
    expect(stage.seen()[1]).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.repo.git('show', 'HEAD:work.txt')).toBe('done, better');
    expect(stage.inLastCommit()).toEqual(['new.txt', 'work.txt']);
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('and nothing if that edit turns a guardrail red: the claim is refused, and the next agent is told', async () => {
    await using stage = await openCommittingStage([works, namesAfter('echo spoilt > work.txt'), works, names(MESSAGE)], looks);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(0);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(run.stderr).toContain('Claim "DONE" not accepted: the check is red.');
    expect(stage.calls()[2]?.prompt).toContain('work.txt is not done');
    expect(stage.subjects()).toEqual(['start', MESSAGE]);
    expect(stage.seen()[2]).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.after()).toEqual({ calls: 4, commits: 2, changed: [], processes: [] });
  });

  it.each([
    ['reverts everything', 'git checkout -q .; git clean -fdq', ['start']],
    ['commits by itself', 'git add -A; git commit -qm "by itself"', ['start', 'by itself']],
    ['stages everything', 'git add -A', ['start', MESSAGE]],
  ])('also if the agent %s while it writes the message', async (_name, command, subjects) => {
    await using stage = await openCommittingStage([works, namesAfter(command)], { gate: LOOK });
    const run = await stage.run('--proof', 'off');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ done: true, scm_problem: null });
    expect(stage.subjects()).toEqual(subjects);
    expect(stage.seen().at(-1)).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.after()).toMatchObject({ calls: 2, changed: [], processes: [] });
  });

  it('and runs the guardrails again if a hook adds a change to the commit', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('pre-commit', 'echo "by the hook" >> work.txt; git add work.txt');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.seen()).toHaveLength(2);
    expect(stage.seen()[1]).toBe(stage.repo.git('rev-parse', 'HEAD^{tree}'));
    expect(stage.after()).toEqual({ calls: 2, commits: 2, changed: [], processes: [] });
  });

  it('and runs the guardrails on HEAD if a hook commits more', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('post-commit', '[ -e version.txt ] && exit 0; echo 2 > version.txt; git add version.txt; git commit -qm "Bump the version"');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.subjects()).toEqual(['start', MESSAGE, 'Bump the version']);
    expect(stage.seen()).toEqual([stage.repo.git('rev-parse', 'HEAD~1^{tree}'), stage.repo.git('rev-parse', 'HEAD^{tree}')]);
    expect(run.result).toMatchObject({ done: true, commits: 1, last_commit: stage.repo.git('rev-parse', 'HEAD'), scm_problem: null });
    expect(stage.after()).toEqual({ calls: 2, commits: 3, changed: [], processes: [] });
  });

  it('and the iteration is red if a hook commits broken work on top', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('post-commit', 'grep -q spoilt work.txt && exit 0; echo spoilt > work.txt; git commit -qam "By the hook"');
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(iterationsOf(run)).toEqual(['red']);
    expect(run.result).toMatchObject({ done: false, claim: null });
    expect(stage.subjects()).toEqual(['start', MESSAGE, 'By the hook']);
  });

  it('and the iteration is red if a hook breaks the work', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], looks);
    await stage.hook('pre-commit', 'echo spoilt > work.txt; git add work.txt');
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(1);
    expect(iterationsOf(run)).toEqual(['red']);
    expect(run.result).toMatchObject({ done: false, claim: null, commits: 1 });
    expect(run.stderr).toContain('A commit hook has changed what is committed');
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });
});

describe.concurrent('a commit contains', () => {
  it('with --allow-dirty the settings and earlier changes of the user, staged or not, but none of our files', async () => {
    await using stage = await openCommittingStage([works, names(MESSAGE)], {
      files: { 'staged.txt': 'old\n', 'unstaged.txt': 'old\n', 'both.txt': 'old\n', 'gone.txt': 'old\n' },
    });
    const { repo } = stage;
    for (const name of ['staged.txt', 'both.txt', 'added.txt', 'forced.txt']) await repo.write(name, 'in the index\n');
    await repo.write('.git/info/exclude', 'forced.txt\n');
    repo.git('add', 'staged.txt', 'both.txt', 'added.txt');
    repo.git('add', '-f', 'forced.txt');
    repo.git('rm', '-q', 'gone.txt');
    for (const name of ['unstaged.txt', 'both.txt', 'untracked.txt']) await repo.write(name, 'in the folder\n');
    await repo.write('.ralph/settings.local.json', '{}');
    const settings = JSON.parse(readFileSync(join(repo.path, '.ralph/settings.json'), 'utf8'));
    await repo.write('.ralph/settings.json', JSON.stringify({ ...settings, outputTruncateChars: 4000 }));
    const run = await stage.run('--allow-dirty');

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual([
      '.ralph/settings.json',
      'added.txt',
      'both.txt',
      'forced.txt',
      'gone.txt',
      'staged.txt',
      'unstaged.txt',
      'untracked.txt',
      'work.txt',
    ]);
    expect(repo.git('show', 'HEAD:both.txt')).toBe('in the folder');
    expect(repo.git('ls-files', '.ralph')).toBe('.ralph/settings.json');
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });

  it('files with strange names, links and modes', async () => {
    const strange = ['-rf', '"quoted"', 'new\nline', 'ünï', 'spa ce', ':(glob)x', '*'];
    const make = `node -e 'for (const n of ${JSON.stringify(strange).replaceAll("'", "'\\''")}) require("fs").writeFileSync(n, n)'`;
    const agent = turn(bash(`${WORK}; ${make}; ln -s nowhere dangling; chmod +x check.sh; mkdir empty`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent, names(MESSAGE)], looks);
    const run = await stage.run();

    expect(run.code).toBe(0);
    const held = stage.repo.git('diff-tree', '--no-commit-id', '--name-only', '-r', '-z', 'HEAD').split('\0').filter(Boolean);
    expect(held.sort()).toEqual([...strange, 'check.sh', 'dangling', 'work.txt'].sort());
    expect(stage.seen()).toEqual([stage.repo.git('rev-parse', 'HEAD^{tree}')]);
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });

  deepIt('which tree is committed is tested where git commits')('the commit of a submodule; uncommitted changes inside it are reported', async () => {
    await using stage = await openCommittingStage([turn(bash(`${WORK}; echo dirty >> sub/readme.txt`), ...ends(CLAIM)), names(MESSAGE)]);
    const { repo } = stage;
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo.path, 'sub');
    repo.git('-C', 'sub', 'commit', '-q', '--allow-empty', '-m', 'inside');
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.inLastCommit()).toEqual(['.gitmodules', 'sub', 'work.txt']);
    expect(repo.git('rev-parse', 'HEAD:sub')).toBe(repo.git('-C', 'sub', 'rev-parse', 'HEAD'));
    expect(run.stderr).toMatch(/Left out of the commit: sub: what was changed in this submodule/);
    expect(readFileSync(join(repo.path, 'sub/check.sh'), 'utf8')).toContain('done');
  });
});

describe.concurrent('with nothing to commit,', () => {
  it('the agent is not asked for a message, and that is not an error', async () => {
    await using stage = await openCommittingStage([turn(...ends(CLAIM))], { gate: 'true' });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ commits: 0, last_commit: null, scm_problem: null });
    expect(run.stderr).not.toMatch(/Asking the agent|[Nn]ot committed|Committed/);
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('because the agent has committed itself, the push still runs', async () => {
    const agent = turn(bash(`${WORK}; git add -A; git commit -qm "by the agent"`), ...ends(CLAIM));
    await using stage = await openCommittingStage([agent], { tasks: ['commit', 'push'] });
    giveRemote(stage);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ commits: 0, scm_problem: null });
    expect(messageCalls(stage)).toEqual([]);
    expect(stage.repo.git('log', '-1', '--format=%s', 'origin/main')).toBe('by the agent');
  });

  it('the guardrails do not run again after a message that changed nothing', async () => {
    await using stage = await openCommittingStage([works, namesAfter('touch -d @0 work.txt; date > .ralph/guardrail_001_of_mine.log')], looks);
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(stage.seen()).toHaveLength(1);
    expect(stage.after()).toMatchObject({ commits: 2, changed: [] });
  });
});
